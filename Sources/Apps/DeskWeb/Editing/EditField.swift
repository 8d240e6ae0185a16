import ContentModel

/// A field of a form for a part of a document: where its value is, and how it is typed.
struct EditField: Sendable {
    /// The kinds of fields.
    enum Kind: Sendable, Hashable {
        /// One line of text.
        case text
        /// Several lines of text.
        case lines
        /// A number.
        case number
        /// A time in UTC.
        case time
        /// Words separated by commas.
        case words
        /// A list of texts or numbers, one on each line.
        case list(ofNumbers: Bool)
        /// A switch.
        case toggle(byDefault: Bool)
        /// One of some values, identified by their canonical JSON.
        case choice([JSONValue])
        /// Any value, as JSON.
        case json
    }

    /// The names that lead to the value from the document's root.
    var path: [String]
    var title: String
    var hint: String?
    var kind: Kind
    /// True for a value that is blank rather than absent when nothing is typed.
    var isRequired = false
    /// True for a text in the language of its readers, whose direction it decides.
    var isProse = false

    /// The field's name in the form: a JSON pointer (RFC 6901).
    var name: String { Self.name(of: path) }

    static func name(of path: [String]) -> String {
        // Browsers do not send a field without a name.
        if path.isEmpty { return "whole" }
        return path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    /// Returns a value as the field shows it.
    func shown(_ value: JSONValue?) -> String {
        switch (kind, value) {
        case (.toggle(let byDefault), nil): String(byDefault)
        case (_, nil), (.text, .null?), (.lines, .null?), (.number, .null?): ""
        case (.json, let value?): Self.trimmed(value.prettyText)
        case (.choice, let value?), (.toggle, let value?): Self.json(value)
        case (.words, .array(let values)?): values.map(Self.plain).joined(separator: ", ")
        case (.list, .array(let values)?): values.map(Self.plain).joined(separator: "\n")
        case (_, let value?): Self.plain(value)
        }
    }

    /// Returns the value for what was typed.
    ///
    /// Whatever is no number stays text: the checker names it, and nothing is lost.
    /// - Parameters:
    ///   - typed: The field's text.
    ///   - old: The value before; it stays as it is written where the text shows the same.
    /// - Returns: The value; `nil` for none.
    /// - Throws: `EditProblem` for text that is no JSON where JSON is wanted.
    func value(_ typed: String, old: JSONValue?) throws(EditProblem) -> JSONValue? {
        let typed = Self.unified(typed)
        if typed == Self.unified(shown(old)) { return old }
        let isBlank = typed.allSatisfy(\.isWhitespace)
        if isBlank, kind != .lines || typed.isEmpty {
            return isRequired && (kind == .text || kind == .lines) ? "" : nil
        }
        switch kind {
        case .text, .lines: return .string(typed)
        case .time: return .string(MomentText.normalized(typed))
        case .number: return Self.number(typed)
        case .words:
            return .array(
                typed.split(separator: ",").map { Self.trimmed(String($0)) }
                    .filter { !$0.isEmpty }.map { .string($0) })
        case .list(let ofNumbers):
            return .array(
                typed.split(separator: "\n").map { line in
                    ofNumbers ? Self.number(String(line)) : .string(String(line))
                })
        case .toggle: return .bool(typed == "true")
        case .choice(let values): return values.first { Self.json($0) == typed } ?? old
        case .json: return try parsed(typed)
        }
    }

    private func parsed(_ typed: String) throws(EditProblem) -> JSONValue {
        do throws(DocumentSyntaxError) {
            return try JSONParser.parse(Array(typed.utf8)).value
        } catch {
            throw EditProblem(
                name: name,
                text: "This is no JSON, line \(error.position.line): \(error.message)."
                    + " Nothing was saved.")
        }
    }

    private static func number(_ typed: String) -> JSONValue {
        let text = trimmed(typed)
        if let number = Int(text) { return .integer(number) }
        if let number = Double(text.replacing(",", with: ".")), number.isFinite {
            return .decimal(number)
        }
        return .string(text)
    }

    private static func plain(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return json(value)
    }

    static func json(_ value: JSONValue) -> String {
        String(decoding: value.canonicalBytes, as: UTF8.self)
    }

    private static func trimmed(_ text: String) -> String {
        guard let start = text.firstIndex(where: { !$0.isWhitespace }),
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[start...end])
    }

    /// Returns a text with line feeds only: browsers send both characters (HTML, section 4.10.22.4).
    static func unified(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}

/// Typed text that cannot be saved, beside its field.
struct EditProblem: Error, Sendable {
    /// The field's name.
    var name: String
    var text: String
}

/// A moment in UTC as announcements have it.
enum MomentText {
    /// Returns `2026-11-21T10:00:00Z` for shorter spellings, such as `2026-11-21 10:00`; any other text as it is.
    static func normalized(_ text: String) -> String {
        let pattern = /\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?)?\s*[Zz]?\s*/
        guard let match = text.wholeMatch(of: pattern) else { return text }
        return "\(match.1)T\(match.2 ?? "00:00")\(match.3 ?? ":00")Z"
    }
}
