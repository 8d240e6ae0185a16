import ContentModel

/// Names that are computed from content, so that every copy of the same content makes the same name.
package enum ContentName {
    /// The kind of rows that a branch has.
    package enum Branch: String, Sendable {
        /// Answers.
        case answers = "a"
        /// Steps of counters.
        case operations = "o"
    }

    /// Returns the name of a branch: rows of one name that differ from those under that name on the server.
    ///
    /// - Parameters:
    ///   - name: The former name.
    ///   - kind: The kind of rows.
    ///   - first: The number of the first row of the branch under the former name.
    ///   - hash: That row's content hash: hexadecimal digits without leading zeros for an answer, the first 16 digits
    ///     of its hash for an operation.
    /// - Returns: `b` and 32 hexadecimal digits.
    package static func branch(
        of name: String, _ kind: Branch, from first: UInt64, hash: String
    ) -> String {
        "b" + digits(name, kind.rawValue, String(first), hash)
    }

    /// Returns 32 hexadecimal digits: the first 16 bytes of SHA-256 over texts, each followed by the byte FF.
    package static func digits(_ texts: String...) -> String {
        var bytes: [UInt8] = []
        for text in texts { bytes += Array(text.utf8) + [0xFF] }
        return String(Checksum(of: bytes).hex.prefix(32))
    }
}
