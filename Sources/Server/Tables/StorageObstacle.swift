/// A reason why a storage cannot serve for now; the text has no secret, since everybody may read it.
package struct StorageObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The reason, as a sentence.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// The file of SQLite was removed, moved or replaced under the server.
    package static let fileIsGone = StorageObstacle(
        "The file of the database of users was removed or replaced while the server runs; nothing is written any more."
    )
    /// The file of SQLite was found damaged.
    package static let fileIsDamaged = StorageObstacle(
        "The file of the database of users is damaged; nothing is written any more.")

    /// The disk of the database has no room.
    package static let fullDisk = StorageObstacle(
        "The disk of the database of users is full; nothing is written any more.")
    /// The database answers reads, and refuses a write or answers none.
    package static let noWrite = StorageObstacle(
        "The database of users answers reads, but takes no write.")

    /// The database cannot be reached, or fails.
    package static let noAnswer = StorageObstacle("The database of users does not answer.")
}
