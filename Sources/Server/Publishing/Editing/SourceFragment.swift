import ContentModel

/// A writer of values in an author's style, for insertion into a document.
struct SourceFragment {
    /// True for JSON.
    let isJSON: Bool
    /// The mark that ends lines.
    let newline: String
    /// True to write everything quoted on one line, which is valid wherever a value may be.
    var isPlainest = false

    /// The most characters of a map or list on one line.
    private static let lineMax = 80
    /// The names that come first in a map, in this order; others follow alphabetically.
    private static let order = [
        "id", "identifier", "kind", "type", "stem", "code", "language", "file", "title", "text",
        "content", "image", "audio", "options", "correct", "number", "explanation", "feedback",
        "domain", "difficulty", "pinned", "tags", "shuffle", "retired",
    ]

    /// Returns the names of a map in the order in which they are written.
    static func ordered(_ names: some Sequence<String>, like old: [String] = []) -> [String] {
        names.sorted { left, right in
            let ranks = [left, right].map { name in
                (old.firstIndex(of: name) ?? old.count, order.firstIndex(of: name) ?? order.count)
            }
            return (ranks[0].0, ranks[0].1, left) < (ranks[1].0, ranks[1].1, right)
        }
    }

    /// Returns a value on one line.
    func line(_ value: JSONValue) -> String {
        switch value {
        case .array(let values): return "[" + values.map(line).joined(separator: ", ") + "]"
        case .object(let members):
            let parts = Self.ordered(members.keys).map { key in
                name(key) + ": " + line(members[key] ?? .null)
            }
            guard !parts.isEmpty else { return "{}" }
            let pad = isJSON || isPlainest ? "" : " "
            return "{" + pad + parts.joined(separator: ", ") + pad + "}"
        case .string(let text):
            return isJSON || isPlainest || !YAMLScalar.isPlain(text, inFlow: true)
                ? quoted(text) : text
        default: return number(value)
        }
    }

    /// Writes a value whose place is in brackets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - indent: The indentation of the line that it starts in.
    /// - Returns: The text, over several lines where it is long.
    func flow(_ value: JSONValue, indent: Int) -> String {
        let line = line(value)
        guard isJSON, !isPlainest, line.count > Self.lineMax else { return line }
        let inner = newline + String(repeating: " ", count: indent + 2)
        let outer = newline + String(repeating: " ", count: indent)
        switch value {
        case .array(let values):
            let parts = values.map { inner + flow($0, indent: indent + 2) }
            return "[" + parts.joined(separator: ",") + outer + "]"
        case .object(let members):
            let parts = Self.ordered(members.keys).map { key in
                inner + name(key) + ": " + flow(members[key] ?? .null, indent: indent + 2)
            }
            return "{" + parts.joined(separator: ",") + outer + "}"
        default: return line
        }
    }

    /// Writes a value in block style.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - column: The spaces before its further lines.
    ///   - old: The names of the map that it replaces, in their order.
    /// - Returns: The text, whose first line starts at the column.
    func block(_ value: JSONValue, column: Int, like old: [String] = []) -> String {
        let start = newline + String(repeating: " ", count: column)
        switch value {
        case .object(let members) where !members.isEmpty && !isPlainest:
            return Self.ordered(members.keys, like: old).map { key in
                name(key) + ":" + afterName(members[key] ?? .null, indent: column)
            }.joined(separator: start)
        case .array(let values) where !values.isEmpty && !isPlainest:
            return values.map { value in
                if let short = short(value) { return "- " + short }
                return "- " + block(value, column: column + 2)
            }.joined(separator: start)
        default: return scalar(value, indent: column - 1)
        }
    }

    /// Writes the value of a name.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - indent: The indentation of the name.
    /// - Returns: The text with its separator after the colon: a space, or a new line.
    func afterName(_ value: JSONValue, indent: Int) -> String {
        if let short = short(value) { return " " + short }
        switch value {
        case .array, .object:
            return newline + String(repeating: " ", count: indent + 2)
                + block(value, column: indent + 2)
        default: return " " + scalar(value, indent: indent)
        }
    }

    /// Returns a map or list that fits on one line.
    private func short(_ value: JSONValue) -> String? {
        switch value {
        case .array(let values):
            let isNested = values.contains { if case .object = $0 { true } else { false } }
            let line = line(value)
            return isPlainest || (!isNested && line.count <= Self.lineMax) ? line : nil
        case .object:
            let line = line(value)
            return isPlainest || line.count <= Self.lineMax ? line : nil
        default: return nil
        }
    }

    /// Returns text, a number or a truth value for a place in block style.
    private func scalar(_ value: JSONValue, indent: Int) -> String {
        guard case .string(let text) = value, !isJSON, !isPlainest else { return line(value) }
        if YAMLScalar.isPlain(text, inFlow: false) { return text }
        return YAMLScalar.literal(text, indent: indent + 2, newline: newline) ?? quoted(text)
    }

    private func quoted(_ text: String) -> String {
        isJSON
            ? String(decoding: JSONValue.string(text).canonicalBytes, as: UTF8.self)
            : YAMLScalar.quoted(text)
    }

    /// Returns a name as written before a colon.
    func name(_ name: String) -> String {
        !isJSON && !isPlainest && YAMLScalar.isPlainName(name) ? name : quoted(name)
    }

    private func number(_ value: JSONValue) -> String {
        String(decoding: value.canonicalBytes, as: UTF8.self)
    }
}
