/// The front of a flashcard, as its template and the fields of a note make it.
enum CardTemplate {
    /// The length at which no more is added, in UTF-8 bytes: a template may show a long field often.
    private static let bytesMax = 1 << 20

    /// Fills a template with the fields of a note.
    ///
    /// `{{Field}}` and `{{filter:Field}}` show a field, `{{#Field}}…{{/Field}}` what stands where it has a
    /// text, `{{^Field}}…{{/Field}}` where it has none. Fields to type and names that are no field show nothing.
    ///
    /// - Parameters:
    ///   - template: The template, in HTML.
    ///   - fields: The fields of the note, in HTML.
    /// - Returns: HTML.
    static func filled(_ template: String, _ fields: [(name: String, value: String)]) -> String {
        var text = ""
        // The conditions around a place, and whether each of them holds.
        var conditions: [Bool] = []
        var rest = template[...]
        while let start = rest.firstRange(of: "{{"),
            let end = rest[start.upperBound...].firstRange(of: "}}"), text.utf8.count < bytesMax
        {
            if !conditions.contains(false) { text += rest[..<start.lowerBound] }
            let tag = String(rest[start.upperBound..<end.lowerBound]).trimmed
            rest = rest[end.upperBound...]
            let name = String(tag.dropFirst()).trimmed
            switch tag.first {
            case "#": conditions.append(value(name, fields)?.isEmpty == false)
            case "^": conditions.append(value(name, fields)?.isEmpty != false)
            case "/": _ = conditions.popLast()
            default:
                if !conditions.contains(false) { text += shown(tag, fields) }
            }
        }
        return text + (conditions.contains(false) ? "" : rest)
    }

    private static func shown(_ tag: String, _ fields: [(name: String, value: String)]) -> String {
        let parts = tag.split(separator: ":").map { String($0).trimmed }
        guard let name = parts.last, !parts.contains("type"), !parts[0].hasPrefix("tts") else {
            return ""
        }
        return value(name, fields) ?? ""
    }

    private static func value(
        _ name: String, _ fields: [(name: String, value: String)]
    ) -> String? {
        fields.first { $0.name == name }?.value
    }
}
