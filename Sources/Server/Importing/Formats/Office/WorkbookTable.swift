import ContentModel

/// The rows of a sheet under the names of its columns.
struct WorkbookTable {
    /// A row with its cells by the names of their columns.
    struct Row {
        var number: Int
        var isHidden: Bool
        var fields: [String: String]
        var problem: SkipReason?
    }

    /// The rows among which the names of the columns are sought.
    private static let headerRowsMax = 20

    /// The row that names the columns.
    let header: Int
    private(set) var rows: [Row] = []
    /// The names by column.
    let names: [Int: String]
    /// True for a table of our own export.
    let isExport: Bool
    /// The merged areas whose value every row of them got.
    private(set) var spread: [String] = []
    /// The first cell with a text below no name.
    private(set) var unnamed: CellReference?

    /// Finds the header; `nil` for a sheet without one.
    init?(_ sheet: Workbook.Sheet, _ settings: ImportSettings) {
        let tops = sheet.rows.prefix { $0.number <= Self.headerRowsMax }
        guard
            let index = tops.firstIndex(where: { Self.isHeader(Self.names($0, settings), settings) }
            )
        else { return nil }
        let top = sheet.rows[index]
        header = top.number
        let names = Self.names(top, settings)
        self.names = names
        isExport = CSVExportRow.isExport(Array(names.values))
        let blank = Dictionary(
            names.values.map { ($0, "") }, uniquingKeysWith: { first, _ in first })
        for row in sheet.rows[(index + 1)...] {
            var fields = blank
            var isBlank = row.problem == nil
            for (column, text) in row.cells {
                if let name = names[column] {
                    fields[name] = text
                    isBlank = false
                } else if unnamed == nil, Double(text) == nil {
                    unnamed = CellReference(column: column, row: row.number)
                }
            }
            // A row that has only a number before its columns is blank.
            guard !isBlank else { continue }
            rows.append(
                Row(
                    number: row.number, isHidden: row.isHidden, fields: fields,
                    problem: row.problem))
        }
        spreadMerged(sheet, settings)
    }

    private static func names(
        _ row: Workbook.Row, _ settings: ImportSettings
    ) -> [Int: String] {
        let count = (row.cells.keys.max() ?? -1) + 1
        let texts = (0..<count).map { row.cells[$0]?.trimmed ?? "" }
        let names = CSVHeader(texts, settings).names
        return Dictionary(
            uniqueKeysWithValues: texts.indices.filter { !texts[$0].isEmpty }
                .map { ($0, names[$0]) })
    }

    /// Returns whether names are those of a question, and of its options or of a key that needs none.
    private static func isHeader(_ names: [Int: String], _ settings: ImportSettings) -> Bool {
        let record = MappedRecord(
            Dictionary(names.values.map { ($0, "x") }, uniquingKeysWith: { first, _ in first }),
            settings, place: "")
        func has(_ part: String) -> Bool { record.value(part) != nil }
        return has("stem")
            && (has("options") || has("wrong") || !record.optionColumns.isEmpty
                || has("correct") && has("type"))
    }

    /// Gives each row of a merged area its value, where it is a question, a passage or a category.
    private mutating func spreadMerged(_ sheet: Workbook.Sheet, _ settings: ImportSettings) {
        let record = MappedRecord([:], settings, place: "")
        let parts = Set(
            record.fieldNames("stem") + record.fieldNames("domain")
                + settings.joins.values.joined())
        let texts = Dictionary(
            sheet.rows.map { ($0.number, $0.cells) }, uniquingKeysWith: { first, _ in first })
        var places: [Int: Int] = [:]
        for index in rows.indices { places[rows[index].number] = index }
        var left = CellReference.rowMax
        for area in sheet.merged where area.first.row > header && area.first.row < area.last.row {
            guard let name = names[area.first.column], parts.contains(name),
                let text = texts[area.first.row]?[area.first.column]
            else { continue }
            left -= area.last.row - area.first.row
            guard left > 0 else { return }
            spread.append(area.first.text + ":" + area.last.text)
            for number in area.first.row + 1...area.last.row {
                if let index = places[number] { rows[index].fields[name] = text }
            }
        }
    }
}
