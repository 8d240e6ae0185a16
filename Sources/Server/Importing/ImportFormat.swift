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
    /// Questions in this project's form, or any list of maps with a mapping.
    case json
    /// The questions of `json`, one on each line of the file.
    case jsonLines = "jsonl"
    /// The form of `json`, in YAML.
    case yaml
    /// Cards as text: fronts and backs separated by a tab, or notes of Anki.
    case cards
    /// Anki's deck package.
    case anki = "apkg"
    /// A deck in CrowdAnki's form.
    case crowdAnki = "crowdanki"
    /// Headings with check lists.
    case markdown

    /// Detects the format by the file's extension and first bytes.
    public static func detect(file: String, bytes: [UInt8]) -> ImportFormat? {
        let ending = file.split(separator: ".").last?.lowercased() ?? ""
        switch ending {
        case "gift": return .gift
        case "aiken": return .aiken
        case "csv", "tsv": return .csv
        case "jsonl", "ndjson": return .jsonLines
        case "yaml", "yml": return .yaml
        case "apkg", "colpkg": return .anki
        case "md", "markdown": return .markdown
        case "zip", "imscc", "qti": return .qti
        default: break
        }
        guard let text = try? DecodedText(bytes, file: file).text else { return nil }
        let head = text.prefix(20_000)
        switch ending {
        case "json":
            return head.contains("\"__type__\"") && head.contains("\"notes\"")
                || head.contains("crowdanki_uuid") ? .crowdAnki : .json
        case "xml": return head.contains("<quiz") ? .moodleXML : .qti
        default:
            let isAiken = head.firstMatch(of: /(?m)^ANSWER:\s*[A-Za-z]/) != nil
            if isAiken { return .aiken }
            if CardsReader.isCards(head) { return .cards }
            return head.contains("{") ? .gift : nil
        }
    }
}
