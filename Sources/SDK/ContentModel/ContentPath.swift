/// A relative path that is safe to append to a folder or an address.
///
/// Its components are neither empty nor `.` nor `..`, and do not start with a dot. They contain no control character,
/// backslash, colon, percent sign, question mark or number sign. So the same text names the same file in a file system
/// and in an address. It has at most 512 UTF-8 bytes.
///
/// ```swift
/// let image = ContentPath("images/harbour.png")
/// print(image?.components ?? [], ContentPath("../secrets") == nil)
/// ```
package struct ContentPath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The maximum size of a path, in UTF-8 bytes.
    package static let bytesMax = 512

    /// The path, with `/` between its components.
    package let text: String

    /// Parses a path.
    ///
    /// - Returns: `nil` when it could name something outside its folder or needs escaping.
    package init?(_ text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.count <= Self.bytesMax else { return nil }
        if Self.isPlain(text.utf8) {
            self.text = String(text)
            return
        }
        // Bytes, because that is what a file system sees: as a character, a slash may have absorbed its
        // neighbours (U+0600 before it, U+0301 behind it).
        let parts = text.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ Self.isSafe($0) }) else { return nil }
        self.text = String(text)
    }

    /// Parses a path; specialised for `String`, as each scan of a folder has.
    package init?(_ text: String) {
        self.init(text[...])
    }

    /// The components between the slashes.
    package var components: [Substring] {
        text.unicodeScalars.split(separator: "/").map { Substring($0) }
    }

    /// The path itself.
    package var description: String { text }

    /// Orders by UTF-8 bytes.
    package static func < (left: ContentPath, right: ContentPath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Returns true for a path that needs no further check, in one pass over the bytes.
    ///
    /// It consists of ASCII letters, digits, `-`, `_`, inner dots and single slashes, in short components.
    private static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        var partLength = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "/"):
                if partLength == 0 { return false }
                partLength = -1
            case UInt8(ascii: "."):
                if partLength == 0 { return false }
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): break
            default: return false
            }
            partLength += 1
            if partLength > 255 { return false }
        }
        return partLength > 0
    }

    /// Returns true if a single component of a path is safe.
    private static func isSafe(_ part: some Collection<UInt8>) -> Bool {
        guard part.first != UInt8(ascii: "."), (1...255).contains(part.count) else { return false }
        return part.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !forbidden.contains($0) }
    }

    private static let forbidden = Set(#"\:%?#"*|"#.utf8)
}

/// The syntax of short names: letters, digits, `-`, `_` and `.`.
///
/// Ids of languages, regions, exams, domains, questions and options have it.
package enum Identifier {
    /// The maximum length of an id, in characters.
    package static let lengthMax = 64

    /// Returns true if a text is 1 to 64 ASCII letters, digits, `-`, `_` or `.`, starting with a
    /// letter or digit.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= lengthMax
        else { return false }
        return text.utf8.allSatisfy {
            isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: ".")
        }
    }

    /// Returns the same; specialised for `String`.
    package static func isValid(_ text: String) -> Bool { isValid(text[...]) }

    /// Parses `region/exam` into its two ids.
    package static func examKey(_ text: some StringProtocol) -> (region: String, exam: String)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ isValid($0) }) else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
