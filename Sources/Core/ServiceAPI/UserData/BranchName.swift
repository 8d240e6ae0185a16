package import UserData

/// The names of branches: what is left of a name under which the server has something else.
///
/// A branch is named by its content, so that each copy of a store with the same rest makes the same
/// name, and the server has the rest once.
package enum BranchName {
    /// Returns the name of a rest of answers.
    ///
    /// - Parameters:
    ///   - former: The name that the answers had.
    ///   - first: The number of the first of them under that name.
    ///   - contentHash: The hash of its content.
    /// - Returns: `b` and 32 hexadecimal digits.
    package static func ofAnswers(
        of former: ClientID, first: UInt64, contentHash: UInt64
    ) -> ClientID {
        ClientID(
            "b"
                + ContentName.digits(
                    former.text, "a", String(first), String(contentHash, radix: 16)))
    }

    /// Returns the name of a rest of operations.
    ///
    /// - Parameters:
    ///   - former: The name that the operations had.
    ///   - first: The number of the first of them under that name.
    ///   - hash: The first 16 hexadecimal digits of its hash.
    /// - Returns: `b` and 32 hexadecimal digits.
    package static func ofOperations(
        of former: ClientID, first: UInt64, hash: String
    ) -> ClientID {
        ClientID("b" + ContentName.digits(former.text, "o", String(first), hash))
    }
}
