import ContentModel
package import UserData

/// The names of branches: the remainder of a name under which the server has other data.
///
/// The name of a branch is derived from its content, so that each copy of a store with the same remainder derives the
/// same name, and the server has the remainder once.
package enum BranchName {
    /// Returns true if a name is that of a branch, which is no device.
    package static func isBranch(_ name: String) -> Bool {
        let digits = name.dropFirst()
        return name.hasPrefix("b") && digits.utf8.count == 32
            && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }

    /// Returns the name under which a remainder of answers continues: the former one if the remainder follows the
    /// common answers under it, else a branch.
    ///
    /// Another copy may still send the same remainder under the former name; there it is one.
    /// - Parameters:
    ///   - former: The former name of the answers.
    ///   - first: The number of the first of them under that name.
    ///   - contentHash: The hash of its content.
    ///   - known: The answers that have numbers.
    /// - Returns: The name.
    package static func ofRest(
        of former: ClientID, first: UInt64, contentHash: UInt64, after known: AnswerVector
    ) -> ClientID {
        first == known[former] + 1
            ? former : ofAnswers(of: former, first: first, contentHash: contentHash)
    }

    /// Returns the name of a remainder of answers.
    ///
    /// - Parameters:
    ///   - former: The former name of the answers.
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

    /// Returns the name of a remainder of operations.
    ///
    /// - Parameter operation: The first of them, in the form of requests.
    /// - Returns: `b` and 32 hexadecimal digits.
    package static func ofOperations(from operation: ChangeOperation) -> ClientID {
        let content = Checksum(of: OperationWire.content(operation).canonicalBytes)
        return ofOperations(
            of: operation.id.client, first: operation.id.counter,
            hash: String(content.hex.prefix(16)))
    }

    /// Returns the name of a remainder of operations.
    ///
    /// - Parameters:
    ///   - former: The former name of the operations.
    ///   - first: The number of the first of them under that name.
    ///   - hash: The first 16 hexadecimal digits of its hash.
    /// - Returns: `b` and 32 hexadecimal digits.
    package static func ofOperations(
        of former: ClientID, first: UInt64, hash: String
    ) -> ClientID {
        ClientID("b" + ContentName.digits(former.text, "o", String(first), hash))
    }
}
