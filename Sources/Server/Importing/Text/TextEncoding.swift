import Foundation

/// An encoding of texts by its name in IANA's registry, such as `windows-1251`.
public struct TextEncoding: Sendable, Hashable {
    /// The name in lowercase.
    public let name: String
    let foundation: String.Encoding

    /// Finds an encoding by its name in any case; `nil` for an unknown one.
    public init?(_ name: String) {
        guard let known = DecodedText.encodings[name.lowercased()] else { return nil }
        self.name = name.lowercased()
        foundation = known
    }

    /// The names of all encodings, sorted.
    public static var names: [String] { DecodedText.encodings.keys.sorted() }
}
