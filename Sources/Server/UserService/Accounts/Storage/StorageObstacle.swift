/// A reason why a storage cannot serve for now; the text has no secret, since everybody may read it.
package struct StorageObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The reason, as a sentence.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// The database cannot be reached, or fails.
    package static let noAnswer = StorageObstacle("The database of users does not answer.")
}
