import ContentModel
import Importing
import PageRendering

/// The page of an import: what is pasted where, and the ledger of what would become of it.
struct ImportView {
    var action = DeskSection.import.path
    var banks: [EditView.Choice]
    var hasBanks: Bool
    var formats: [EditView.Choice]
    var keys: [EditView.Choice]
    var domain: String
    var updatesBank: Bool
    var text: String
    var bankProblem: String?
    var domainProblem: String?
    var textProblem: String?
    var ledger: ImportLedger?
    /// The notice in place of an import.
    var notice: String?
    /// True when nothing can be imported yet, so that reading is the next step.
    var isFirst: Bool
    /// Enter in a field reads the text; it writes nothing.
    var enter = DefaultButton(name: "then", value: "check")

    init(
        _ request: DeskImport.Request, banks: [String], ledger: ImportLedger? = nil,
        refusal: DeskImport.Refusal? = nil, notice: String? = nil
    ) {
        self.banks = banks.map { .init(value: $0, title: $0, isChosen: $0 == request.bank) }
        hasBanks = !banks.isEmpty
        formats =
            [.init(value: "", title: "Find out", isChosen: request.format == nil)]
            + PastedText.formats.map {
                .init(value: $0.rawValue, title: $0.title, isChosen: $0 == request.format)
            }
        keys =
            [.init(value: "", title: "Find out", isChosen: request.keys == nil)]
            + KeyReading.allCases.map {
                .init(
                    value: $0.rawValue, title: $0.words, isChosen: $0 == request.keys)
            }
        (domain, updatesBank, text) = (request.domain, request.updatesBank, request.text)
        self.ledger = ledger
        self.notice = notice
        isFirst = ledger?.button == nil
        switch refusal?.field {
        case .bank: bankProblem = refusal?.text
        case .domain: domainProblem = refusal?.text
        case .text: textProblem = refusal?.text
        case nil: break
        }
    }
}

/// The expected outcome of each question of a text: the found ones are the imported and the skipped ones.
struct ImportLedger {
    struct Line {
        var place: String
        var text: String
    }

    struct Difference {
        var place: String
        var id: String
        var fields: [Field]
    }

    struct Field {
        var name: String
        var old: String
        var new: String
    }

    struct Question {
        var id: String
        var runs: [TextRun]
        var isReplaced: Bool
        var key: String
    }

    /// The most lines of each list.
    private static let linesMax = 100
    /// The most questions that are shown.
    private static let questionsMax = 20
    /// The most characters of a text of the file in a line.
    private static let textMax = 300

    var mark: String
    /// The finding, as "Found 214: 212 to import, 2 skipped".
    var finding: String
    var format: String
    var skipped: [Line]
    var hasSkipped: Bool
    var moreSkipped: String?
    var differences: [Difference]
    var hasDifferences: Bool
    var notes: [Line]
    var hasNotes: Bool
    var questions: [Question]
    var hasQuestions: Bool
    var moreQuestions: String?
    /// The title of the button; `nil` when there is nothing to import.
    var button: String?

    init(_ result: ImportResult, mark: String) {
        self.mark = mark
        let (found, imported) = (result.foundCount, result.importedCount)
        finding = "Found \(found): \(imported) to import, \(result.skipped.count) skipped"
        format = result.format.title
        skipped = result.skipped.prefix(Self.linesMax).map {
            Line(place: Self.short($0.place), text: Self.short(DeskImport.onPage($0.reason)))
        }
        hasSkipped = !skipped.isEmpty
        moreSkipped = Self.more(result.skipped.count, Self.linesMax)
        differences = result.differences.prefix(Self.linesMax).map { difference in
            Difference(
                place: Self.short(difference.place), id: difference.id,
                fields: difference.fields.map {
                    Field(name: $0.name, old: Self.short($0.old), new: Self.short($0.new))
                })
        }
        hasDifferences = !differences.isEmpty
        notes = result.notes.prefix(Self.linesMax).map {
            Line(place: Self.short($0.place), text: Self.short(DeskImport.onPage($0.message)))
        }
        hasNotes = !notes.isEmpty
        questions = result.questions.prefix(Self.questionsMax).map { question in
            Question(
                id: question.id,
                runs: TextRun.line(
                    of: question.stem, in: question.textForm, countMax: Self.textMax),
                isReplaced: result.replacedIDs.contains(question.id),
                key: Self.short(question.shownKey))
        }
        hasQuestions = !questions.isEmpty
        moreQuestions = Self.more(imported, Self.questionsMax)
        button =
            imported == 0 ? nil : "Import \(imported) \(imported == 1 ? "question" : "questions")"
    }

    private static func short(_ text: String) -> String {
        text.count > textMax ? text.prefix(textMax) + "…" : text
    }

    private static func more(_ count: Int, _ most: Int) -> String? {
        count > most ? "and \(count - most) more" : nil
    }
}
