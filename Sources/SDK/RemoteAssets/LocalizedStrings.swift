public import Foundation

/// Texts by language and key, such as the links to an app's terms.
///
/// ```swift
/// let links = LocalizedStrings(["en": ["privacy": "https://example.org/privacy"]])
/// print(links.text("privacy", languages: ["de-AT"]) ?? "none")
/// ```
public struct LocalizedStrings: Sendable, Hashable, Codable {
    /// The texts by language tag (BCP 47) and key.
    public var texts: [String: [String: String]]

    /// Creates texts by language and key.
    public init(_ texts: [String: [String: String]]) { self.texts = texts }

    /// Decodes `{"en": {"key": "text"}, "de": {…}}`.
    ///
    /// - Throws: A `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        texts = try decoder.singleValueContainer().decode([String: [String: String]].self)
    }

    /// Encodes the same form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(texts)
    }

    /// Returns the text of a key in the first of the languages that has it, also tried without later subtags (RFC 4647,
    /// section 3.4); else in English.
    ///
    /// - Parameters:
    ///   - key: The key of the text.
    ///   - languages: Tags, the preferred first.
    /// - Returns: `nil` when none of the languages has it.
    public func text(
        _ key: String, languages: [String] = Locale.preferredLanguages
    ) -> String? {
        for tag in languages + ["en"] {
            var subtags = tag.split(separator: "-")
            while !subtags.isEmpty {
                let wanted = subtags.joined(separator: "-")
                let found = texts.first { $0.key.caseInsensitiveCompare(wanted) == .orderedSame }
                if let text = found?.value[key] { return text }
                subtags.removeLast()
            }
        }
        return nil
    }
}

extension Materializer where Value == LocalizedStrings {
    /// A materializer of texts by language and key, from JSON.
    public static var strings: Materializer { .json() }
}
