/// The texts of an app's user interface in one language, by key.
///
/// ```swift
/// let texts = try store.localization(language: "de").value
/// print(texts.strings["start"] ?? "start")
/// ```
public struct Localization: Hashable, Sendable {
    /// The shown text of each key.
    public var strings: [String: String]

    /// Creates a localization.
    public init(strings: [String: String]) {
        self.strings = strings
    }

    /// The canonical JSON form: one flat object.
    public var json: JSONValue { .object(strings.mapValues { .string($0) }) }

    /// Reads an object of texts.
    package static func read(_ node: DocumentNode, report: DecodingReport) -> Localization? {
        guard case .object(let members) = node.content else {
            report.note(.wrongType, at: node.position, "expected a map, found \(node.kindName)")
            return nil
        }
        var strings: [String: String] = [:]
        for member in members {
            strings[member.key] = report.part { report in
                if case .string(let text) = member.value.content { return text }
                report.note(
                    .wrongType, at: member.value.position,
                    "\"\(member.key)\" must be text, found \(member.value.kindName)")
                return nil
            }
        }
        return Localization(strings: strings)
    }
}
