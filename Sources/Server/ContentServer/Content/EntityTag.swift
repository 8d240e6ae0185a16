import ContentModel

/// The strong validators of served files: the checksum of the content and a suffix for the
/// encoding, since a compressed representation is one of its own (RFC 9110, 8.8.3).
enum EntityTag {
    /// Returns the tag of a file other than the manifest: the whole checksum.
    static func file(_ checksum: Checksum, _ encoding: ContentCoding) -> String {
        "\"\(checksum)\(encoding.tagSuffix)\""
    }

    /// Returns the tag of a manifest: the first 96 bits of its checksum in 16 characters of
    /// base64url.
    ///
    /// Short, because each poll of each device carries it twice.
    static func manifest(_ checksum: Checksum, _ encoding: ContentCoding) -> String {
        let digits = Array(checksum.hex.utf8.prefix(24))
        var text = "\""
        for start in stride(from: 0, to: digits.count, by: 3) {
            let bits = digits[start..<start + 3].reduce(0) { $0 << 4 | value(ofHexDigit: $1) }
            text.unicodeScalars.append(alphabet[bits >> 6])
            text.unicodeScalars.append(alphabet[bits & 63])
        }
        return text + encoding.tagSuffix + "\""
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)

    private static func value(ofHexDigit digit: UInt8) -> Int {
        Int(digit < 0x3A ? digit - 0x30 : digit - 0x57)
    }

    /// Returns whether a field `If-None-Match` names the tag (RFC 9110, 13.1.2).
    static func matches(_ field: String, _ tag: String) -> Bool {
        if field == tag { return true }
        return field.split(separator: ",").contains { candidate in
            var candidate = candidate.trimmingSpaces
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == tag || candidate == "*"
        }
    }
}

/// The encodings of compressed files that a publish writes.
package enum ContentCoding: String, CaseIterable, Sendable {
    case brotli = "br"
    case gzip = "gzip"
    case identity

    /// The suffix of the compressed file's name.
    var fileSuffix: String {
        switch self {
        case .brotli: ".br"
        case .gzip: ".gz"
        case .identity: ""
        }
    }

    var tagSuffix: String {
        switch self {
        case .brotli: "b"
        case .gzip: "g"
        case .identity: ""
        }
    }

    /// Returns all encodings that a field `Accept-Encoding` accepts.
    static func accepted(by field: String?) -> Set<ContentCoding> {
        Set(allCases.filter { $0.isAccepted(by: field) })
    }

    /// Returns whether a field `Accept-Encoding` accepts this encoding (RFC 9110, 12.5.3).
    func isAccepted(by field: String?) -> Bool {
        guard self != .identity else { return true }
        guard let field else { return false }
        var wildcard = false
        for element in field.split(separator: ",") {
            let parts = element.split(separator: ";", maxSplits: 1)
            let name = parts.first?.trimmingSpaces.lowercased() ?? ""
            let isWelcome = parts.count < 2 || !Self.isZero(parts[1])
            if name == rawValue || (self == .gzip && name == "x-gzip") { return isWelcome }
            if name == "*" { wildcard = isWelcome }
        }
        return wildcard
    }

    private static func isZero(_ parameter: Substring) -> Bool {
        let parameter = parameter.trimmingSpaces.lowercased()
        guard parameter.hasPrefix("q=") else { return false }
        return Double(parameter.dropFirst(2)) == 0
    }
}

extension Substring {
    var trimmingSpaces: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
