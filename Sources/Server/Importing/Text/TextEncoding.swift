import Foundation

/// An encoding of texts by its name in the registry of the Internet (IANA), as `windows-1251`.
public struct TextEncoding: Sendable, Hashable {
    /// The name, in small letters.
    public let name: String
    let foundation: String.Encoding

    /// Finds an encoding by its name in any case; `nil` for one that is not known here.
    public init?(_ name: String) {
        guard let known = DecodedText.encodings[name.lowercased()] else { return nil }
        self.name = name.lowercased()
        foundation = known
    }

    /// The names of all encodings, sorted.
    public static var names: [String] { DecodedText.encodings.keys.sorted() }
}
