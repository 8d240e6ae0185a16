import ContentModel

/// The strong validators of what is served: the checksum of the content, and a mark for the
/// encoding, because a compressed representation is another one (RFC 9110, 8.8.3).
enum EntityTag {
    /// For what has its checksum in its name or in the manifest: the whole checksum.
    static func file(_ checksum: Checksum, _ encoding: ContentCoding) -> String {
        "\"\(checksum)\(encoding.tagSuffix)\""
    }

    /// For the manifest, which every device asks for again and again: the first 96 bits of its
    /// checksum in 16 characters of base64url.
    ///
    /// Each poll carries the tag twice.
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

    /// True when a field `If-None-Match` names the tag (RFC 9110, 13.1.2).
    static func matches(_ field: String, _ tag: String) -> Bool {
        if field == tag { return true }
        return field.split(separator: ",").contains { candidate in
            var candidate = candidate.trimmingSpaces
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == tag || candidate == "*"
        }
    }
}

/// The encodings in which a publish leaves files ready.
enum ContentCoding: String, CaseIterable, Sendable {
    case brotli = "br"
    case gzip = "gzip"
    case identity

    /// What the name of the compressed file ends with.
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

    /// All encodings that a field `Accept-Encoding` accepts.
    static func accepted(by field: String?) -> Set<ContentCoding> {
        Set(allCases.filter { $0.isAccepted(by: field) })
    }

    /// True when a field `Accept-Encoding` accepts it (RFC 9110, 12.5.3).
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
