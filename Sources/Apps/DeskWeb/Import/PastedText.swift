import Importing

/// Pasted text of questions: its format by its first characters, where it is not named.
enum PastedText {
    /// The most bytes of a text.
    static let bytesMax = 1_000_000

    /// The formats that a text can have; the others are archives.
    static let formats: [ImportFormat] = ImportFormat.allCases.filter { !$0.isArchive }

    /// Returns the format of a text; `nil` where it cannot be told.
    static func format(of text: String) -> ImportFormat? {
        guard let start = text.firstIndex(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else {
            return nil
        }
        let head = text[start...].prefix(20_000)
        if head.hasPrefix("<"), ImportFormat.detect(file: "", bytes: Array(head.utf8)) == .html {
            return .html
        }
        if head.hasPrefix("<") { return head.contains("<quiz") ? .moodleXML : .qti }
        if head.hasPrefix("[") && head.contains("{") && head.contains("\"") { return .json }
        if head.hasPrefix("{"), head.contains("\"") { return object(head) }
        if head.firstMatch(of: /(?m)^ANSWER:[ \t]*[A-Za-z]/) != nil { return .aiken }
        if head.firstMatch(of: /(?m)^[ \t]{0,20}(?:[-*+]|\d{1,9}\.)[ \t]{1,20}\[[ xX]\]/) != nil {
            return .markdown
        }
        if head.firstMatch(
            of: /^(?:---[ \t]{0,20}\r?\n)?(?:-[ \t]{1,20}[A-Za-z_]{1,40}|questions)[ \t]{0,20}:/)
            != nil
        {
            return .yaml
        }
        let shown = ImportFormat.detect(file: "", bytes: Array(head.utf8))
        if let shown, [.blackboard, .brightspace, .respondus].contains(shown) { return shown }
        if isTable(head) { return .csv }
        if shown == .cards { return .cards }
        return head.contains("{") ? .gift : nil
    }

    private static func object(_ head: Substring) -> ImportFormat {
        if head.contains("\"__type__\"") || head.contains("crowdanki_uuid") { return .crowdAnki }
        let lines = head.split(whereSeparator: \.isNewline).prefix(2)
        let isLines = lines.count == 2 && lines.allSatisfy { $0.hasPrefix("{") && $0.contains("}") }
        return isLines ? .jsonLines : .json
    }

    /// Returns true for a text whose first line names columns of a question.
    private static func isTable(_ head: Substring) -> Bool {
        let first = head.prefix { !$0.isNewline }.lowercased()
        let separators: [Character] = [",", ";", "\t"]
        guard let separator = separators.first(where: { first.contains($0) }) else {
            return false
        }
        let names = first.split(separator: separator).map {
            $0.filter { $0.isLetter || $0.isNumber }
        }
        let known: Set<String> = [
            "stem", "question", "questiontext", "prompt", "front", "options", "correct", "answer",
            "correctanswer", "optiona", "answer1",
        ]
        return names.count > 1 && names.contains { known.contains($0) }
    }

    /// Returns the name by which the file of the new questions is called.
    static func fileName(_ format: ImportFormat?) -> String {
        "import." + (format?.rawValue ?? "txt")
    }
}

extension ImportFormat {
    /// The format as people call it.
    var title: String {
        switch self {
        case .gift: "GIFT"
        case .aiken: "Aiken"
        case .moodleXML: "Moodle XML"
        case .qti: "QTI"
        case .csv: "CSV"
        case .xlsx: "Excel"
        case .docx: "Word"
        case .h5p: "H5P"
        case .html: "Web page"
        case .blackboard: "Blackboard text"
        case .brightspace: "Brightspace table"
        case .respondus: "Respondus text"
        case .json: "JSON"
        case .jsonLines: "JSON lines"
        case .yaml: "YAML"
        case .anki: "Anki"
        case .crowdAnki: "CrowdAnki"
        case .cards: "Cards: front, tab, back"
        case .markdown: "Markdown"
        }
    }
}
