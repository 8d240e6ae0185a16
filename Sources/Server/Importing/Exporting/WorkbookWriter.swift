import ContentModel

/// A writer of workbooks with one sheet of texts, whose rows are those of the table of ``CSVQuestionWriter``.
enum WorkbookWriter {
    /// The most characters of a cell, in UTF-16.
    private static let cellMax = 32_767

    /// Returns the reason that a cell cannot have a question's texts; `nil` if it can.
    static func problem(_ question: Question) -> String? {
        let cells = CSVQuestionWriter.rows([question])[1]
        guard let long = cells.first(where: { $0.utf16.count > cellMax }) else { return nil }
        return "a text has \(long.utf16.count) characters; a cell has at most \(cellMax)"
    }

    /// Returns those questions that come back otherwise than they were written, with the reasons.
    static func differences(_ questions: [Question]) throws -> [String: String] {
        guard !questions.isEmpty else { return [:] }
        let bytes = try bytes(questions)
        let drafts: ImportedDrafts
        do throws(ImportError) {
            drafts = try WorkbookReader.read(bytes, file: "", settings: ImportSettings())
        } catch {
            return Dictionary(
                questions.map { ($0.id, "a workbook cannot say it: it \(error.reason)") },
                uniquingKeysWith: { first, _ in first })
        }
        var byName: [String: QuestionDraft] = [:]
        for draft in drafts.drafts { byName[draft.name ?? ""] = draft }
        var differences: [String: String] = [:]
        for question in questions {
            var read = ImportedDrafts()
            if let draft = byName[question.id] { read.add(draft) }
            differences[question.id] = ExportTrial.problem(question, "a workbook", read)
        }
        return differences
    }

    /// Returns a workbook of questions.
    static func bytes(_ questions: [Question]) throws -> [UInt8] {
        let rows = CSVQuestionWriter.rows(questions).enumerated().map { row($1, $0 + 1) }
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let package = "http://schemas.openxmlformats.org/package/2006"
        let type = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        let parts = [
            (
                "[Content_Types].xml",
                "<Types xmlns=\"\(package)/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"\(type).sheet.main+xml\"/><Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"\(type).worksheet+xml\"/></Types>"
            ),
            ("_rels/.rels", relations(package, "\(office)/officeDocument", "xl/workbook.xml")),
            (
                "xl/workbook.xml",
                "<workbook xmlns=\"\(main)\" xmlns:r=\"\(office)\"><sheets><sheet name=\"Questions\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                relations(package, "\(office)/worksheet", "worksheets/sheet1.xml")
            ),
            (
                "xl/worksheets/sheet1.xml",
                "<worksheet xmlns=\"\(main)\"><sheetData>\(rows.joined())</sheetData></worksheet>"
            ),
        ]
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        return try ArchiveWriter.bytes(parts.map { ($0.0, Array((declaration + $0.1).utf8)) })
    }

    private static func relations(_ package: String, _ type: String, _ target: String) -> String {
        "<Relationships xmlns=\"\(package)/relationships\"><Relationship Id=\"r1\" Type=\"\(type)\" Target=\"\(target)\"/></Relationships>"
    }

    private static func row(_ cells: [String], _ number: Int) -> String {
        let texts = cells.enumerated().filter { !$0.element.isEmpty }.map { column, text in
            let place = CellReference(column: column, row: number).text
            return
                "<c r=\"\(place)\" t=\"inlineStr\"><is><t xml:space=\"preserve\">\(escaped(text))</t></is></c>"
        }
        return "<row r=\"\(number)\">\(texts.joined())</row>"
    }

    /// Returns text with the characters that XML cannot hold as `_x0007_`.
    private static func escaped(_ text: String) -> String {
        let marked =
            text.contains("_x") ? text.replacing(Pattern.officeEscape) { "_x005F" + $0.0 } : text
        var result = ""
        for scalar in marked.unicodeScalars {
            if scalar == "\r" || String(scalar).foreignToXML != nil {
                let hex = String(scalar.value, radix: 16, uppercase: true)
                result += "_x" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "_"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return XMLElement.escaped(result)
    }
}
