import Foundation

/// A public key of metadata (TUF 4.2.2).
struct TrustKey: Hashable, Sendable {
    /// The name of the signature scheme.
    let scheme: String
    /// The bytes of the public key, without their spelling in text.
    let bytes: [UInt8]

    /// Reads a key; `nil` for one that cannot verify anything.
    ///
    /// That is a key of an unknown form, or one whose id is not the SHA-256 of its canonical form, which the
    /// specification demands (TUF 4.3).
    /// - Parameters:
    ///   - node: The object of the key, with all its fields.
    ///   - id: The id under which it is listed.
    init?(_ node: DocumentNode, id: String) {
        guard let canonical = node.value.olpcCanonicalBytes(),
            id.isExactly(Checksum(of: canonical).hex),
            case .string(let scheme)? = node.member("scheme")?.value.content,
            case .string? = node.member("keytype")?.value.content,
            case .string(let text)? = node.member("keyval")?.value.member("public")?.value.content,
            let bytes = Self.bytes(text), !bytes.isEmpty
        else { return nil }
        self.scheme = scheme
        self.bytes = bytes
    }

    /// Decodes hexadecimal digits or PEM.
    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.contains("-----") else { return HexDigits.decode(text) }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
        guard lines.count >= 3, lines[0] == "-----BEGINPUBLICKEY-----",
            lines[lines.count - 1] == "-----ENDPUBLICKEY-----"
        else { return nil }
        let base64 = lines[1..<(lines.count - 1)].joined()
        return Data(base64Encoded: base64).map { Array($0) }
    }
}
