/// The media type of a picture, by its first bytes: an asset has no type of its own.
enum PictureType {
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        ([0xFF, 0xD8, 0xFF], "image/jpeg"), (Array("GIF8".utf8), "image/gif"),
    ]

    /// Returns the media type; `nil` for bytes that are no PNG, JPEG, GIF or WebP.
    static func name(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return "image/webp"
        }
        return signatures.first { bytes.starts(with: $0.bytes) }?.name
    }
}
