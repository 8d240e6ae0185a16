import ContentModel
import Importing
import PageRendering

/// The expected outcome of each question of a file or a text: the found ones are the imported and the skipped ones.
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

    /// A question of the file.
    struct Row {
        var place: String
        /// Its text; none for one that was skipped before its text was told apart.
        var runs: [TextRun]
        var type: String
        var options: [Option]
        var isReplaced: Bool
        var isSkipped: Bool
        /// The reason to skip it, or what was lost or changed.
        var problems: [String]
    }

    struct Option {
        var text: String
        var isRight: Bool
    }

    /// The most lines of each list.
    private static let linesMax = 100
    /// The most rows of the table.
    private static let rowsMax = 200
    /// The most options of a row.
    private static let optionsMax = 12
    /// The most characters of a text of the file in a line.
    private static let textMax = 300

    var mark: String
    /// The finding, as "Found 214: 212 to import, 2 skipped".
    var finding: String
    /// The shares of the bar in percent.
    var importedShare: Int
    var format: String
    /// What was decided about the whole file.
    var profile: [String]
    var hasProfile: Bool
    var differences: [Difference]
    var hasDifferences: Bool
    /// What concerns no row of its own.
    var notes: [Line]
    var hasNotes: Bool
    /// The rows with problems first, each kind in the order of the file.
    var rows: [Row]
    var hasRows: Bool
    var moreRows: String?
    /// The title of the button; `nil` when there is nothing to import.
    var button: String?

    init(_ result: ImportResult, mark: String) {
        self.mark = mark
        let (found, imported) = (result.foundCount, result.importedCount)
        finding = "Found \(found): \(imported) to import, \(result.skipped.count) skipped"
        importedShare = found == 0 ? 0 : imported * 100 / found
        format = result.format.title + (result.encoding.map { ", \($0)" } ?? "")
        profile = (result.profile?.lines ?? []).map { Self.short(DeskImport.onPage($0)) }
        hasProfile = !profile.isEmpty
        differences = result.differences.prefix(Self.linesMax).map { difference in
            Difference(
                place: Self.short(difference.place), id: difference.id,
                fields: difference.fields.map {
                    Field(name: $0.name, old: Self.short($0.old), new: Self.short($0.new))
                })
        }
        hasDifferences = !differences.isEmpty
        let all = Self.rows(result)
        rows = Array(all.prefix(Self.rowsMax))
        hasRows = !rows.isEmpty
        moreRows =
            all.count > Self.rowsMax
            ? "and \(all.count - Self.rowsMax) more, without a problem" : nil
        if all.dropFirst(Self.rowsMax).contains(where: { !$0.problems.isEmpty }) {
            moreRows = "and \(all.count - Self.rowsMax) more"
        }
        let places = Set(all.map(\.place))
        notes = result.notes.filter { !places.contains(Self.short($0.place)) }
            .prefix(Self.linesMax).map {
                Line(place: Self.short($0.place), text: Self.short(DeskImport.onPage($0.message)))
            }
        hasNotes = !notes.isEmpty
        button =
            imported == 0 ? nil : "Import \(imported) \(imported == 1 ? "question" : "questions")"
    }

    /// Returns the skipped rows, those with notes, and all others.
    private static func rows(_ result: ImportResult) -> [Row] {
        let notes = Dictionary(grouping: result.notes, by: \.place)
        let skipped = result.skipped.map { one in
            Row(
                place: short(one.place),
                runs: one.text.map { TextRun.line(of: $0, in: .plain, countMax: textMax) } ?? [],
                type: "", options: [], isReplaced: false, isSkipped: true,
                problems: [short(DeskImport.onPage(one.reason))])
        }
        let read = result.questions.map { question in
            let place = result.places[question.id] ?? ""
            return Row(
                place: short(place),
                runs: TextRun.line(of: question.stem, in: question.textForm, countMax: textMax),
                type: question.type.rawValue.replacing("-", with: " "),
                options: options(question), isReplaced: result.replacedIDs.contains(question.id),
                isSkipped: false,
                problems: (notes[place] ?? []).prefix(10).map {
                    short(DeskImport.onPage($0.message))
                })
        }
        return skipped + read.filter { !$0.problems.isEmpty } + read.filter(\.problems.isEmpty)
    }

    /// Returns the options of a question with its key; of a number to enter, the number.
    private static func options(_ question: Question) -> [Option] {
        guard !question.options.isEmpty else {
            return [Option(text: short(question.shownKey), isRight: true)]
        }
        guard question.type != .ordering else {
            return question.options.prefix(optionsMax).enumerated().map {
                Option(text: "\($0 + 1). \(short($1.text))", isRight: false)
            }
        }
        return question.options.prefix(optionsMax).enumerated().map {
            Option(text: short($1.text), isRight: question.correct.contains($0))
        }
    }

    private static func short(_ text: String) -> String {
        text.count > textMax ? text.prefix(textMax) + "…" : text
    }
}
