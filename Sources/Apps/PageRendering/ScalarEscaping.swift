import Mustache

/// The escaping of HTML by Unicode scalars, as browsers parse it.
///
/// The package's own escaping replaces characters, which are grapheme clusters. After a scalar such as U+0600, or
/// before a combining one, `<` and `"` are parts of a longer character (Unicode Standard Annex #29, rules GB9 and GB9b)
/// and would stay unescaped.
package struct ScalarEscaping: MustacheContentType {
    /// The name by which templates select the escaping.
    package static let name = "SCALARS"

    package init() {}

    package func escapeText(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
