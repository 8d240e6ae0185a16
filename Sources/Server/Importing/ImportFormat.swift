/// The formats of an import.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// Moodle's text format.
    case gift
    /// Blocks of a question, lettered options and `ANSWER: B`.
    case aiken
    /// Moodle's XML.
    case moodleXML = "moodle-xml"
    /// IMS Question and Test Interoperability, 1.2, 2.x or 3.0: an item, a test or a package.
    case qti
    /// A table with a header.
    case csv
    /// A workbook of a spreadsheet, with tables in its sheets.
    case xlsx
    /// A document of Word, with lists of options.
    case docx
    /// A web page, with lists of options.
    case html
    /// H5P's package of a content.
    case h5p
    /// Questions in this project's form, or any list of maps with a mapping.
    case json
    /// The questions of `json`, one on each line of the file.
    case jsonLines = "jsonl"
    /// The form of `json`, in YAML.
    case yaml
    /// Blackboard's text with tabs, a question on each line.
    case blackboard
    /// Brightspace's table with rows below `NewQuestion`.
    case brightspace
    /// Respondus' text of numbered questions, with `*` before right options.
    case respondus
    /// Cards as text: fronts and backs separated by a tab, or notes of Anki.
    case cards
    /// Anki's deck package.
    case anki = "apkg"
    /// A deck in CrowdAnki's form.
    case crowdAnki = "crowdanki"
    /// Headings with check lists.
    case markdown

    /// True for a format that is an archive and no text.
    public var isArchive: Bool { [.anki, .xlsx, .docx, .h5p].contains(self) }

    private static let endings: [String: ImportFormat] = [
        "gift": .gift, "aiken": .aiken, "jsonl": .jsonLines, "ndjson": .jsonLines, "yaml": .yaml,
        "yml": .yaml, "apkg": .anki, "colpkg": .anki, "md": .markdown, "markdown": .markdown,
        "xlsx": .xlsx, "xlsm": .xlsx, "docx": .docx, "html": .html, "htm": .html, "h5p": .h5p,
        "zip": .qti,
        "imscc": .qti, "qti": .qti,
    ]

    /// Detects the format by the file's content and extension.
    public static func detect(file: String, bytes: [UInt8]) -> ImportFormat? {
        let ending = file.split(separator: ".").last?.lowercased() ?? ""
        if let shown = archive(bytes) ?? endings[ending] { return shown }
        let isTable = ending == "csv" || ending == "tsv"
        guard let text = try? DecodedText(bytes, file: file).text else {
            return isTable ? .csv : nil
        }
        let head = text.prefix(20_000)
        switch ending {
        case "json":
            return head.contains("\"__type__\"") && head.contains("\"notes\"")
                || head.contains("crowdanki_uuid") ? .crowdAnki : .json
        case "xml": return head.contains("<quiz") ? .moodleXML : .qti
        default:
            if let shown = table(head) { return shown }
            return isTable ? .csv : lines(text, head)
        }
    }

    /// Returns the format of an archive that its entries show.
    private static func archive(_ bytes: [UInt8]) -> ImportFormat? {
        let names = ZipNames.names(in: bytes)
        if names.contains("xl/workbook.xml") { return .xlsx }
        if names.contains("word/document.xml") { return .docx }
        return names.contains("h5p.json") ? .h5p : nil
    }

    /// Returns the format of a table that its first line shows.
    private static func table(_ head: Substring) -> ImportFormat? {
        let first = head.split(separator: "\n").first { !$0.hasPrefix("//") } ?? ""
        if first.filter({ $0 != "\"" }).lowercased().hasPrefix("newquestion,") {
            return .brightspace
        }
        return CardRows.isHeader(first) ? .cards : nil
    }

    /// Returns the format of a text that its lines show.
    private static func lines(_ text: String, _ head: Substring) -> ImportFormat? {
        let start = head.drop { $0.isWhitespace }.prefix(20).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .html }
        if BlackboardReader.isShown(in: head) { return .blackboard }
        if head.firstMatch(of: /(?m)^ANSWER:\s*[A-Za-z]/) != nil { return .aiken }
        if RespondusReader.isShown(in: text) { return .respondus }
        if CardsReader.isCards(head) { return .cards }
        return head.contains("{") ? .gift : nil
    }

    /// Returns what to do with a file of a program whose files are not read; `nil` for others.
    static func advice(file: String, bytes: [UInt8]) -> String? {
        let ending = file.split(separator: ".").last?.lowercased() ?? ""
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            return "is of an old version of an office program, or has a password; open it there and"
                + " save it as .xlsx or .docx, without a password"
        }
        if ["doc", "odt", "pages", "rtf"].contains(ending) {
            return "is no document in the form .docx; open it in its program and save it as .docx"
        }
        let names = ZipNames.names(in: bytes)
        let isOpenDocument = names.contains("mimetype") && names.contains("content.xml")
        if isOpenDocument || ["xls", "ods", "numbers"].contains(ending) {
            return "is no workbook in the form .xlsx; open it in its program and save it as .xlsx"
        }
        return nil
    }
}
