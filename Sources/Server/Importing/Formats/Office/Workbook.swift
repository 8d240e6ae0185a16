/// A workbook of a spreadsheet (ECMA-376, part 1, 18), with its cells as an author sees them.
struct Workbook {
    /// One sheet.
    struct Sheet {
        var name: String
        /// Its part in the archive.
        var path: String
        var isHidden = false
        /// The rows that have a cell with content, in order.
        var rows: [Row] = []
        var merged: [(first: CellReference, last: CellReference)] = []
        /// The places of dates.
        var dates: [CellReference] = []
        /// The pictures, with the cells where they begin; without a path, if the workbook does not say what they are.
        var pictures: [(cell: CellReference, path: String)] = []
    }

    /// One row.
    struct Row {
        /// The number that the spreadsheet shows, from 1.
        var number: Int
        var isHidden = false
        /// The texts by column, from 0.
        var cells: [Int: String] = [:]
        /// The reason that it cannot be read.
        var problem: SkipReason?
    }

    private(set) var sheets: [Sheet] = []
    let package: OfficePackage
    private var strings: [String] = []
    private var formats: [NumberFormat] = []
    private var isFrom1904 = false

    /// Reads a workbook.
    ///
    /// - Throws: `ImportError` for a part that is missing or broken, and for one beyond the limits.
    init(_ bytes: [UInt8], file: String) throws(ImportError) {
        package = try OfficePackage(bytes, file: file)
        let main = try package.mainPart(else: "xl/workbook.xml")
        guard let root = try package.part(main), root.name == "workbook" else {
            throw ImportError(file, .format, "is no workbook: it has no list of sheets")
        }
        isFrom1904 = ["1", "true"].contains(root.child("workbookPr")?.attributes["date1904"])
        let relations = try package.relationships(of: main)
        let folder = main.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        func path(_ kind: String, else usual: String) -> String {
            relations.values.first { $0.kind == kind }?.target ?? folder + usual
        }
        try readStrings(path("sharedStrings", else: "sharedStrings.xml"))
        try readFormats(path("styles", else: "styles.xml"))
        for entry in root.child("sheets")?.children ?? [] {
            let name = entry.attributes["name"] ?? ""
            guard let relation = entry.attributes["id"].flatMap({ relations[$0] }) else {
                throw ImportError(
                    file, .unreadable, "names the sheet \"\(name)\" and does not contain it")
            }
            // A sheet of a chart or a dialogue has no cells.
            guard relation.kind == "worksheet" else { continue }
            guard !sheets.contains(where: { $0.path == relation.target }) else {
                throw ImportError(
                    file, .unreadable, "names one part as two sheets, \"\(name)\" among them")
            }
            var sheet = Sheet(name: name, path: relation.target)
            sheet.isHidden = entry.attributes["state"]?.lowercased().hasSuffix("hidden") == true
            try read(&sheet)
            sheets.append(sheet)
        }
    }

    private mutating func readStrings(_ path: String) throws(ImportError) {
        strings = try package.part(path)?.children.filter { $0.name == "si" }.map(Self.text) ?? []
    }

    /// Returns the text of a string, of its runs, without what says how it is pronounced.
    private static func text(_ element: XMLElement) -> String {
        let texts = element.children.map { part in
            switch part.name {
            case "t": part.text
            case "r": part.children.filter { $0.name == "t" }.map(\.text).joined()
            default: ""
            }
        }
        return OfficePackage.unescaped(texts.joined())
    }

    private mutating func readFormats(_ path: String) throws(ImportError) {
        guard let root = try package.part(path) else { return }
        var codes: [Int: String] = [:]
        for format in root.child("numFmts")?.children ?? [] {
            guard let id = format.attributes["numFmtId"].flatMap({ Int($0) }) else { continue }
            codes[id] = format.attributes["formatCode"]
        }
        formats = (root.child("cellXfs")?.children ?? []).map { style in
            let id = style.attributes["numFmtId"].flatMap { Int($0) } ?? 0
            return NumberFormat(id: id, code: codes[id])
        }
    }

    // MARK: Cells

    private func read(_ sheet: inout Sheet) throws(ImportError) {
        guard let root = try package.part(sheet.path) else {
            throw ImportError(
                package.file, .unreadable,
                "names the sheet \"\(sheet.name)\" and does not contain it")
        }
        var last = 0
        for element in root.child("sheetData")?.children ?? [] where element.name == "row" {
            let number = element.attributes["r"].map { Int($0) ?? 0 } ?? last + 1
            guard number > last, number <= CellReference.rowMax else {
                throw broken(sheet, "has a row \(element.attributes["r"] ?? "") out of order")
            }
            last = number
            let row = try read(element, number, &sheet)
            if !row.cells.isEmpty || row.problem != nil { sheet.rows.append(row) }
        }
        for area in root.child("mergeCells")?.children ?? [] {
            guard let area = area.attributes["ref"].flatMap(CellReference.area) else {
                throw broken(sheet, "has a merged area that names no cells")
            }
            sheet.merged.append(area)
        }
        try readPictures(root, &sheet)
    }

    private func read(
        _ element: XMLElement, _ number: Int, _ sheet: inout Sheet
    ) throws(ImportError) -> Row {
        var row = Row(number: number)
        row.isHidden = ["1", "true"].contains(element.attributes["hidden"])
        var next = 0
        for cell in element.children where cell.name == "c" {
            let written = cell.attributes["r"]
            let place: CellReference? =
                if let written { CellReference(written) } else { .init(column: next, row: number) }
            guard let place, place.row == number, row.cells[place.column] == nil else {
                throw broken(sheet, "has a cell \"\(written ?? "")\" in its row \(number)")
            }
            next = place.column + 1
            let text = text(of: cell, place, &sheet, &row)
            guard !text.trimmed.isEmpty else { continue }
            guard place.column < CellReference.columnsMax else {
                throw broken(
                    sheet,
                    "has text in the cell \(place.text); at most \(CellReference.columnsMax) columns are read"
                )
            }
            row.cells[place.column] = text
        }
        return row
    }

    private func broken(_ sheet: Sheet, _ reason: String) -> ImportError {
        ImportError(package.file, .unreadable, "has a sheet \"\(sheet.name)\" that \(reason)")
    }

    /// Returns what a cell shows.
    private func text(
        of cell: XMLElement, _ place: CellReference, _ sheet: inout Sheet, _ row: inout Row
    ) -> String {
        let stored = cell.child("v")?.text ?? ""
        switch cell.attributes["t"] ?? "n" {
        case "s":
            guard let index = Int(stored.trimmed) else { return "" }
            guard strings.indices.contains(index) else {
                row.problem = SkipReason(
                    .missing, "its cell \(place.text) names a text that the file does not have")
                return ""
            }
            return strings[index]
        case "inlineStr": return cell.child("is").map(Self.text) ?? ""
        case "str": return OfficePackage.unescaped(stored)
        case "b": return stored.trimmed == "1" ? "TRUE" : "FALSE"
        case "e":
            row.problem = SkipReason(
                .unreadable, "its cell \(place.text) shows the error \(stored.trimmed)")
            return stored
        case "d":
            sheet.dates.append(place)
            return stored.trimmed
        default: break
        }
        guard !stored.trimmed.isEmpty else {
            if cell.child("f") != nil {
                row.problem = SkipReason(
                    .unreadable,
                    "its cell \(place.text) has a formula without a value; open the file in a spreadsheet and save it"
                )
            }
            return ""
        }
        let style = cell.attributes["s"].flatMap { Int($0) } ?? 0
        let format = formats.indices.contains(style) ? formats[style] : .general
        if format == .date { sheet.dates.append(place) }
        return format.shown(stored.trimmed, from1904: isFrom1904)
    }

    // MARK: Pictures

    private func readPictures(_ root: XMLElement, _ sheet: inout Sheet) throws(ImportError) {
        guard let id = root.child("drawing")?.attributes["id"],
            let path = try package.relationships(of: sheet.path)[id]?.target,
            let drawing = try package.part(path)
        else { return }
        let relations = try package.relationships(of: path)
        for anchor in drawing.children {
            guard let from = anchor.child("from"),
                let row = from.child("row").flatMap({ Int($0.trimmedText) }),
                let column = from.child("col").flatMap({ Int($0.trimmedText) }),
                (0..<CellReference.rowMax).contains(row), column >= 0
            else { continue }
            for blip in anchor.all("blip") {
                let target = blip.attributes["embed"].flatMap { relations[$0]?.target }
                sheet.pictures.append((CellReference(column: column, row: row + 1), target ?? ""))
            }
        }
    }
}
