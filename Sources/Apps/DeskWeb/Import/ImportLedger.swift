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

    /// A choice of rows, with their number.
    struct Filter {
        var id: String
        var value: String
        var title: String
        var isChosen: Bool
    }

    /// The most lines of each list.
    private static let linesMax = 100

    var mark: String
    /// The mark of the reading with which this one is compared; empty for none.
    var before: String
    /// The finding, as "Found 214: 212 to import, 2 skipped".
    var finding: String
    /// The number of changed rows in words; `nil` without a reading before.
    var moved: String?
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
    var filters: [Filter]
    /// True when the file has rows, of which the filter may show none.
    var hasRows: Bool
    /// The rows of the page.
    var rows: [ImportRows.Row]
    /// The sentence in place of rows; `nil` with rows.
    var empty: String?
    /// The shown rows, as "201 to 400 of 514"; `nil` where all are shown.
    var range: String?
    /// The numbers of the pages before and behind.
    var previousPage: String?
    var nextPage: String?
    /// The format, for the menus.
    var kind: ImportFormat
    /// What was decided about the whole file, for the menus.
    var decided: FileProfile?
    /// The title of the button; `nil` when there is nothing to import.
    var button: String?

    /// Makes the ledger of a reading.
    ///
    /// - Parameters:
    ///   - result: The reading.
    ///   - mark: Its mark.
    ///   - all: Its rows, compared with the reading before.
    ///   - before: The mark of that one; `nil` for none.
    ///   - request: The entered import, with the filter and the page.
    init(
        _ result: ImportResult, mark: String, rows all: ImportRows, before: String?,
        request: DeskImport.Request
    ) {
        self.mark = mark
        self.before = before ?? ""
        let (found, imported) = (result.foundCount, result.importedCount)
        finding = "Found \(found): \(imported) to import, \(result.skipped.count) skipped"
        moved = all.changeWords
        importedShare = found == 0 ? 0 : imported * 100 / found
        format = result.format.title + (result.encoding.map { ", \($0)" } ?? "")
        (kind, decided) = (result.format, result.profile)
        profile = (result.profile?.lines ?? []).map { Self.short(DeskImport.onPage($0)) }
        hasProfile = !profile.isEmpty
        differences = result.differences.prefix(Self.linesMax).map(Self.difference)
        hasDifferences = !differences.isEmpty
        let filter = all.isCompared || request.filter != .changed ? request.filter : .all
        filters = ImportFilter.allCases.map { one in
            Filter(
                id: "show-" + one.rawValue, value: one.rawValue,
                title: "\(one.title) (\(all.count(one)))", isChosen: one == filter)
        }
        let page = all.page(request.page, of: filter)
        rows = page.rows
        hasRows = all.count(.all) > 0
        empty = rows.isEmpty ? filter.none : nil
        range = page.range
        previousPage = page.previous.map(String.init)
        nextPage = page.next.map(String.init)
        notes = Self.notes(result, but: all.places)
        hasNotes = !notes.isEmpty
        button =
            imported == 0 ? nil : "Import \(imported) \(imported == 1 ? "question" : "questions")"
    }

    private static func difference(_ difference: QuestionDifference) -> Difference {
        Difference(
            place: short(difference.place), id: difference.id,
            fields: difference.fields.map {
                Field(name: $0.name, old: short($0.old), new: short($0.new))
            })
    }

    /// Returns the notes that belong to no row.
    private static func notes(_ result: ImportResult, but places: Set<String>) -> [Line] {
        result.notes.filter { !places.contains($0.place) }.prefix(linesMax).map {
            Line(place: short($0.place), text: short(DeskImport.onPage($0.message)))
        }
    }

    private static func short(_ text: String) -> String { ImportRows.short(text) }
}
