/// The address between parentheses behind a bracket: no title, no white space.
struct LinkTarget {
    /// The brackets within brackets that an address may have; more would make the search quadratic.
    private static let depthMax = 32

    /// The address, without backslashes before punctuation.
    let text: String
    /// The place behind the closing parenthesis.
    let end: Int

    /// Reads the target that starts at a place; `nil` if there is none.
    init?(in bytes: [UInt8], from start: Int) {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "(") else { return nil }
        var (place, depth, target) = (start + 1, 1, [UInt8]())
        while place < bytes.count {
            var byte = bytes[place]
            if byte <= 0x20 || byte == 0x7F { return nil }
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\\") where place + 1 < bytes.count && bytes[place + 1].isPunctuation:
                place += 1
                byte = bytes[place]
            default: break
            }
            place += 1
            if depth == 0 { break }
            if depth > Self.depthMax { return nil }
            target.append(byte)
        }
        guard depth == 0 else { return nil }
        (text, end) = (String(decoding: target, as: UTF8.self), place)
    }

    /// True for an address that a text may link to.
    var isAddress: Bool { Self.isAddress(text) }

    /// True for an address with a scheme (RFC 3986, section 3.1).
    var hasScheme: Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        return scheme.count < text.utf8.count && scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    /// True for the name of a picture in the bank's media.
    var isImageName: Bool { Self.isImageName(text) }

    /// Returns true for the name of a picture in the bank's media, without white space.
    static func isImageName(_ text: String) -> Bool {
        ContentPath(text) != nil && !hasSpace(text)
    }

    /// Returns true for an address that a text may link to: `https:`, `http:` or `mailto:`, without white space.
    static func isAddress(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        return ["https", "http", "mailto"].contains(scheme)
            && text.utf8.count > scheme.utf8.count + 1
            && !hasSpace(text)
    }

    /// Returns true for a text with white space or control characters.
    static func hasSpace(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
    }
}
