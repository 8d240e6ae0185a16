import Publishing
import TestSupport

@testable import Importing

/// A zip archive of texts and bytes, in the order of their names.
func sampleArchive(_ files: [String: [UInt8]]) throws -> [UInt8] {
    try ArchiveWriter.bytes(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
}

/// A workbook whose parts a test may spoil.
struct SampleWorkbook {
    /// The codes of the formats that cells name by their index.
    var formats: [String] = ["General"]
    /// The content of the shared strings.
    var shared: [String] = []
    /// Pictures of the first sheet, with rows and columns from 0.
    var pictures: [(row: Int, column: Int, bytes: [UInt8])] = []
    /// Parts that replace those written here; `nil` removes one.
    var replaced: [String: String?] = [:]
    private var sheets: [(name: String, content: String, isHidden: Bool)] = []

    /// Adds a sheet of texts, and numbers with the index of their format.
    mutating func add(
        _ name: String, _ rows: [[Any?]], hidden: Int? = nil, isHidden: Bool = false,
        after: String = ""
    ) {
        let content = rows.enumerated().map { index, row in
            let cells = row.enumerated().map { column, value in
                let place = CellReference(column: column, row: index + 1).text
                switch value {
                case let text as String: return Self.inline(text, at: place)
                case let (number, style) as (String, Int):
                    return "<c r=\"\(place)\" s=\"\(style)\"><v>\(number)</v></c>"
                default: return ""
                }
            }
            let mark = index + 1 == hidden ? " hidden=\"1\"" : ""
            return "<row r=\"\(index + 1)\"\(mark)>\(cells.joined())</row>"
        }
        let drawing = sheets.isEmpty && !pictures.isEmpty ? "<drawing r:id=\"d\"/>" : ""
        sheets.append(
            (name, "<sheetData>\(content.joined())</sheetData>" + after + drawing, isHidden))
    }

    /// Adds a sheet of cells as they are in the file.
    mutating func addRaw(_ name: String, _ rows: [[String]]) {
        let content = rows.map { "<row>\($0.joined())</row>" }.joined()
        sheets.append((name, "<sheetData>\(content)</sheetData>", false))
    }

    static func inline(_ text: String, at place: String? = nil) -> String {
        let mark = place.map { " r=\"\($0)\"" } ?? ""
        return
            "<c\(mark) t=\"inlineStr\"><is><t xml:space=\"preserve\">\(XMLElement.escaped(text))</t></is></c>"
    }

    func bytes() throws -> [UInt8] {
        let relation = { (id: String, kind: String, target: String) in
            "<Relationship Id=\"\(id)\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/\(kind)\" Target=\"\(target)\"/>"
        }
        let list = sheets.enumerated().map {
            "<sheet name=\"\($1.name)\" sheetId=\"\($0)\"\($1.isHidden ? " state=\"hidden\"" : "") r:id=\"s\($0)\"/>"
        }
        let targets = sheets.indices.map {
            relation("s\($0)", "worksheet", "worksheets/sheet\($0 + 1).xml")
        }
        var files: [String: String?] = [
            "_rels/.rels":
                "<Relationships>\(relation("r", "officeDocument", "xl/workbook.xml"))</Relationships>",
            "xl/workbook.xml":
                "<workbook xmlns:r=\"r\"><sheets>\(list.joined())</sheets></workbook>",
            "xl/_rels/workbook.xml.rels":
                "<Relationships>\(targets.joined())\(relation("t", "sharedStrings", "/xl/strings.xml"))\(relation("y", "styles", "styles.xml"))</Relationships>",
            "xl/strings.xml": "<sst>\(shared.map { "<si>\($0)</si>" }.joined())</sst>",
            "xl/styles.xml": "<styleSheet><numFmts>"
                + formats.enumerated().map {
                    "<numFmt numFmtId=\"\($0 + 164)\" formatCode=\"\(XMLElement.escaped(attribute: $1))\"/>"
                }.joined() + "</numFmts><cellXfs>"
                + formats.indices.map { "<xf numFmtId=\"\($0 + 164)\"/>" }.joined()
                + "</cellXfs></styleSheet>",
        ]
        for (index, sheet) in sheets.enumerated() {
            files["xl/worksheets/sheet\(index + 1).xml"] =
                "<?xml version=\"1.0\"?><worksheet xmlns:r=\"r\">\(sheet.content)</worksheet>"
        }
        var parts: [String: [UInt8]] = [:]
        if !pictures.isEmpty {
            files["xl/worksheets/_rels/sheet1.xml.rels"] =
                "<Relationships>\(relation("d", "drawing", "../drawings/drawing1.xml"))</Relationships>"
            files["xl/drawings/drawing1.xml"] =
                "<xdr:wsDr xmlns:xdr=\"x\" xmlns:a=\"a\" xmlns:r=\"r\">"
                + pictures.enumerated().map { index, picture in
                    "<xdr:twoCellAnchor><xdr:from><xdr:col>\(picture.column)</xdr:col><xdr:row>\(picture.row)</xdr:row></xdr:from><xdr:pic><xdr:blipFill><a:blip r:embed=\"p\(index)\"/></xdr:blipFill></xdr:pic></xdr:twoCellAnchor>"
                }.joined() + "</xdr:wsDr>"
            files["xl/drawings/_rels/drawing1.xml.rels"] =
                "<Relationships>"
                + pictures.indices.map { relation("p\($0)", "image", "../media/image\($0).png") }
                .joined() + "</Relationships>"
            for (index, picture) in pictures.enumerated() {
                parts["xl/media/image\(index).png"] = picture.bytes
            }
        }
        for (path, text) in files.merging(replaced, uniquingKeysWith: { $1 }) {
            if let text { parts[path] = Array(text.utf8) }
        }
        return try sampleArchive(parts)
    }
}

/// A document of Word, paragraph by paragraph.
struct SampleDocument {
    private var body = ""

    /// Adds a paragraph, in a list at a level: numbers at 0, letters at 1.
    mutating func add(_ text: String, level: Int? = nil, format: String = "") {
        let list = level.map {
            "<w:pPr><w:numPr><w:ilvl w:val=\"\($0)\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr>"
        }
        body +=
            "<w:p>\(list ?? "")<w:r><w:rPr>\(format)</w:rPr><w:t xml:space=\"preserve\">\(XMLElement.escaped(text))</w:t></w:r></w:p>"
    }

    mutating func addRaw(_ xml: String) { body += xml }

    func parts() -> [String: [UInt8]] {
        let level = { (number: Int, format: String) in
            "<w:lvl w:ilvl=\"\(number)\"><w:numFmt w:val=\"\(format)\"/></w:lvl>"
        }
        return [
            "[Content_Types].xml": "<Types/>",
            "word/numbering.xml":
                "<w:numbering xmlns:w=\"w\"><w:abstractNum w:abstractNumId=\"0\">\(level(0, "decimal"))\(level(1, "upperLetter"))</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>",
            "word/document.xml":
                "<w:document xmlns:w=\"w\"><w:body>\(body)</w:body></w:document>",
        ].mapValues { Array($0.utf8) }
    }

    func bytes() throws -> [UInt8] { try sampleArchive(parts()) }
}

/// A document of each format that is an archive of texts, by its parts.
func sampleDocuments() throws -> [(format: ImportFormat, parts: [String: [UInt8]])] {
    var book = SampleWorkbook()
    book.formats = ["General", "0.00", "yyyy\\-mm\\-dd"]
    book.pictures = [(row: 1, column: 1, bytes: [1, 2])]
    book.shared = ["<t>Which?</t>"]
    let header = ["Question", "Option A", "Option B", "Answer"]
    book.add(
        "S", [header, ["One?", ("1.1", 1), ("46055", 2), "A"], ["Two?", "a", "b", "B"]], hidden: 3,
        after: "<mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells>")
    book.addRaw("T", [header.map { SampleWorkbook.inline($0) }, ["<c t=\"s\"><v>0</v></c>"]])
    var word = SampleDocument()
    word.add("Which?", level: 0)
    word.add("*x", level: 1)
    word.add("y", level: 1, format: "<w:b/>")
    word.add("2. Who?")
    word.add("A) me*")
    word.add("B) you")
    word.add("Answer: A")
    word.addRaw(
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Question</w:t></w:r></w:p></w:tc></w:tr></w:tbl>")
    let archive = try ZipArchive(book.bytes(), file: "", allowsAnyName: true)
    let parts = archive.names.map { ($0, archive.bytes($0) ?? []) }
    return [
        (.xlsx, Dictionary(uniqueKeysWithValues: parts)),
        (.docx, word.parts()), (.h5p, H5PTests.sample.mapValues { Array($0.utf8) }),
    ]
}
