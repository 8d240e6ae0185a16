import ContentModel
import Importing
import PageRendering

/// The rows that a table of an import shows.
enum ImportFilter: String, CaseIterable, Sendable {
    case all, problems, skipped, changed

    var title: String { self == .problems ? "with problems" : rawValue }

    /// The sentence where no row is of this kind.
    var none: String {
        switch self {
        case .all: "No question was found."
        case .problems: "No row has a problem."
        case .skipped: "No question is skipped."
        case .changed: "No row changed since the last reading."
        }
    }
}

/// The rows of an import, one for each question of the file: the skipped ones first, then those with a problem.
struct ImportRows: Sendable {
    /// A question of the file.
    struct Row: Sendable {
        var place: String
        /// Its text; none for one that was skipped before its text was told apart.
        var runs: [TextRun]
        var type: String
        var options: [Option]
        var isReplaced: Bool
        var isSkipped: Bool
        /// What became of it in the reading before; `nil` if that is the same.
        var before: String?
        /// The reason to skip it, or what was lost or changed.
        var problems: [String]
    }

    struct Option: Sendable {
        var text: String
        var isRight: Bool
    }

    /// Rows of a filter, at most ``ImportRows/pageSize``.
    struct Page {
        var rows: [Row]
        /// The rows in words; `nil` on the only page.
        var range: String?
        var previous: Int?
        var next: Int?
    }

    /// The most rows of a page.
    static let pageSize = 200
    /// The most options of a row.
    private static let optionsMax = 12
    /// The most characters of a text of the file in a line.
    private static let textMax = 300

    /// A row before its texts are cut and marked up: a page has 200 rows, a file 50,000.
    private struct Entry: Sendable {
        enum Source: Sendable {
            case skipped(ImportResult.Skipped)
            case read(Question, isReplaced: Bool)
        }

        var source: Source
        var place: String
        var before: String?
        var problems: [String]

        var isSkipped: Bool { if case .skipped = source { true } else { false } }

        /// Returns true for a row that a filter shows.
        func matches(_ filter: ImportFilter) -> Bool {
            switch filter {
            case .all: true
            case .problems: !problems.isEmpty
            case .skipped: isSkipped
            case .changed: before != nil
            }
        }
    }

    /// The places of all rows.
    let places: Set<String>
    /// True when there was a reading before.
    let isCompared: Bool
    private let entries: [Entry]
    /// The number of places of the reading before that this one has not.
    private let missingCount: Int

    /// Makes the rows of a reading.
    ///
    /// - Parameters:
    ///   - result: The reading.
    ///   - reading: Its outcomes.
    ///   - former: The reading before; `nil` for none.
    init(_ result: ImportResult, _ reading: ImportReading, since former: ImportReading?) {
        func before(_ place: String) -> String? {
            former.flatMap { reading.change(at: place, since: $0) }
        }
        let notes = Dictionary(grouping: result.notes, by: \.place)
        let skipped = result.skipped.map { one in
            Entry(
                source: .skipped(one), place: one.place, before: before(one.place),
                problems: [one.reason])
        }
        let read = result.questions.map { question in
            let place = result.places[question.id] ?? ""
            let isReplaced = result.replacedIDs.contains(question.id)
            return Entry(
                source: .read(question, isReplaced: isReplaced), place: place,
                before: before(place), problems: (notes[place] ?? []).prefix(10).map(\.message))
        }
        entries = skipped + read.filter { !$0.problems.isEmpty } + read.filter(\.problems.isEmpty)
        places = Set(entries.map(\.place))
        isCompared = former != nil
        missingCount = former.map { reading.missingCount(since: $0) } ?? 0
    }

    /// The number of changed rows in words; `nil` without a reading before.
    var changeWords: String? {
        guard isCompared else { return nil }
        let count = count(.changed)
        let changed = count == 0 ? "No row" : count == 1 ? "1 row" : "\(count) rows"
        let gone =
            missingCount == 0
            ? "" : missingCount == 1 ? ", 1 is gone" : ", \(missingCount) are gone"
        return "\(changed) changed\(gone)."
    }

    /// Returns the number of rows that a filter shows.
    func count(_ filter: ImportFilter) -> Int { entries.count { $0.matches(filter) } }

    /// Returns a page of the rows that a filter shows.
    ///
    /// - Parameters:
    ///   - number: The page, from 1; one behind the last gives the last.
    ///   - filter: The filter.
    /// - Returns: The rows, and the numbers of the pages beside them.
    func page(_ number: Int, of filter: ImportFilter) -> Page {
        let all = entries.filter { $0.matches(filter) }
        let last = max(1, (all.count + Self.pageSize - 1) / Self.pageSize)
        let number = min(max(number, 1), last)
        let start = (number - 1) * Self.pageSize
        let rows = all.dropFirst(start).prefix(Self.pageSize).map(Self.row)
        return Page(
            rows: rows,
            range: last == 1
                ? nil : "Rows \(start + 1) to \(start + rows.count) of \(all.count)",
            previous: number > 1 ? number - 1 : nil, next: number < last ? number + 1 : nil)
    }

    private static func row(_ entry: Entry) -> Row {
        let problems = entry.problems.map { short(DeskImport.onPage($0)) }
        switch entry.source {
        case .skipped(let one):
            return Row(
                place: short(entry.place),
                runs: one.text.map { TextRun.line(of: $0, in: .plain, countMax: textMax) } ?? [],
                type: "", options: [], isReplaced: false, isSkipped: true, before: entry.before,
                problems: problems)
        case .read(let question, let isReplaced):
            return Row(
                place: short(entry.place),
                runs: TextRun.line(of: question.stem, in: question.textForm, countMax: textMax),
                type: question.type.rawValue.replacing("-", with: " "),
                options: options(question), isReplaced: isReplaced, isSkipped: false,
                before: entry.before, problems: problems)
        }
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

    /// Returns a text of the file as a line shows it.
    static func short(_ text: String) -> String {
        text.count > textMax ? text.prefix(textMax) + "…" : text
    }
}
