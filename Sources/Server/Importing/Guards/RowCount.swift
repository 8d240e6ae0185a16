/// A count of the rows of a workbook, made of the marks in its parts without its reader.
enum RowCount {
    /// A row that has content.
    struct Row: Equatable {
        var number: Int
        var columns: Set<String>
    }

    /// Refuses a workbook of which the reader lost a sheet or a row.
    ///
    /// - Throws: `ImportError` with both numbers and the place.
    static func check(
        _ bytes: [UInt8], against sheets: [ImportedDrafts.Sheet], found: Int, file: String
    ) throws(ImportError) {
        let parts = try ZipArchive(bytes, file: file, allowsAnyName: true).files
        let strings = parts.first { root(of: $0.value) == "sst" }?.value ?? []
        let blank = blankStrings(strings)
        var known: [String: ImportedDrafts.Sheet] = [:]
        for sheet in sheets { known[sheet.path] = sheet }
        for (path, part) in parts.sorted(by: { $0.key < $1.key })
        where root(of: part) == "worksheet" {
            let rows = Self.rows(part, blankStrings: blank)
            let sheet = known[path]
            let count = sheet.map { Self.count(rows, header: $0.header) } ?? rows.count
            guard count > sheet?.rows ?? 0 else { continue }
            throw ImportError(
                file, .count,
                "has \(count) rows in its part \(path), of which \(sheet?.rows ?? 0) were read or named"
            )
        }
        let read = sheets.filter { $0.header != nil }.reduce(0) { $0 + $1.rows }
        guard read <= found else {
            throw ImportError(
                file, .count, "has \(read) rows of questions, of which \(found) were told apart")
        }
    }

    /// Returns the number of rows that have content below one that names the columns.
    private static func count(_ rows: [Row], header: Int?) -> Int {
        guard let header else { return rows.count }
        let names = rows.first { $0.number == header }?.columns ?? []
        return rows.count { $0.number > header && !$0.columns.isDisjoint(with: names) }
    }

    private static func root(of part: [UInt8]) -> Substring? {
        guard part.prefix(4).contains(UInt8(ascii: "<")) else { return nil }
        var scan = TagScan(Array(part.prefix(2_000)))
        return scan.next()?.name
    }

    /// Returns the rows of a sheet that have content.
    static func rows(_ sheet: [UInt8], blankStrings: Set<Int> = []) -> [Row] {
        var scan = TagScan(sheet)
        var rows: [Row] = []
        var row = Row(number: 0, columns: [])
        var cell: (column: String, type: Substring)?
        var column = 0
        while let tag = scan.next() {
            switch (tag.name, tag.isEnd) {
            case ("row", false):
                let number = tag.attribute("r").flatMap { Int($0) }
                row = Row(number: number ?? row.number + 1, columns: [])
                column = 0
            case ("row", true) where !row.columns.isEmpty: rows.append(row)
            case ("c", false):
                column += 1
                let letters = tag.attribute("r").map { String($0.filter(\.isLetter)) }
                cell = (letters ?? "\(column)", tag.attribute("t") ?? "n")
            case ("f", false):
                if let cell, cell.type == "n" { row.columns.insert(cell.column) }
            case ("v", true), ("t", true):
                guard let cell, hasContent(tag.before) else { continue }
                let isBlank =
                    cell.type == "s" && Int(tag.before).map(blankStrings.contains) == true
                if !isBlank { row.columns.insert(cell.column) }
            default: break
            }
        }
        return rows
    }

    /// Returns the shared strings without content.
    private static func blankStrings(_ part: [UInt8]) -> Set<Int> {
        var scan = TagScan(part)
        var blank: Set<Int> = []
        var (index, isSpoken) = (-1, false)
        while let tag = scan.next() {
            switch tag.name {
            case "si" where !tag.isEnd:
                index += 1
                blank.insert(index)
            case "rPh": isSpoken = !tag.isEnd
            case "t" where tag.isEnd && !isSpoken && hasContent(tag.before):
                blank.remove(index)
            default: break
            }
        }
        return blank
    }

    private static func hasContent(_ text: String) -> Bool {
        var rest = text
        for mark in ["&#9;", "&#10;", "&#13;", "&#32;", "&#160;", "&#xA;", "&#xD;", "&#xA0;"]
            + ["_x000D_", "_x000A_", "_x0009_", "_x0020_", "_x00A0_"]
        where rest.contains("&") || rest.contains("_x") {
            rest = rest.replacing(mark, with: "")
        }
        return !rest.trimmed.isEmpty
    }
}
