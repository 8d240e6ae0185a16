/// The entity tags that a client stores and sends back.
package enum EntityTag {
    /// The maximum length of a usable tag, in bytes.
    package static let bytesMax = 1024

    /// Returns the tag of a reply; `nil` for one that no request can carry.
    package static func usable(in headers: [String: String]) -> String? {
        headers["etag"].flatMap { isUsable($0) ? $0 : nil }
    }

    /// Returns true for a tag of bounded length in ASCII without control characters, which is not `*`.
    ///
    /// Control characters are no part of a tag (RFC 9110, section 8.8.3), but a host can send them; `*` in a condition
    /// means any tag. Bytes beyond ASCII would not return to the host unchanged.
    package static func isUsable(_ tag: String) -> Bool {
        !tag.isEmpty && tag != "*" && tag.utf8.count <= bytesMax
            && tag.utf8.allSatisfy { $0 < 0x80 } && !tag.hasControlCharacters
    }
}

extension String {
    /// True when the text has control characters, which end a header field or a line.
    package var hasControlCharacters: Bool { utf8.contains { $0 < 0x20 || $0 == 0x7F } }
}
