import ContentModel

/// Names that are derived from content, so that every copy of the same content derives the same name.
enum ContentName {
    /// Returns 32 hexadecimal digits: the first 16 bytes of SHA-256 over texts, each followed by the byte FF.
    static func digits(_ texts: String...) -> String {
        let bytes = texts.reduce(into: [UInt8]()) { $0 += Array($1.utf8) + [0xFF] }
        return String(Checksum(of: bytes).hex.prefix(32))
    }
}
