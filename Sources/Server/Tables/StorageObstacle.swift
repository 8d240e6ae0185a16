/// The reason why a storage cannot serve for now; the text has no secret, since it is public.
package struct StorageObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The reason, as a sentence.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// The SQLite file was removed, moved or replaced while the server ran.
    package static let fileIsGone = StorageObstacle(
        "The file of the database of users was removed or replaced while the server runs; nothing is written any more."
    )
    /// The SQLite file is damaged.
    package static let fileIsDamaged = StorageObstacle(
        "The file of the database of users is damaged; nothing is written any more.")

    /// The disk of the database is full.
    package static let fullDisk = StorageObstacle(
        "The disk of the database of users is full; nothing is written any more.")
    /// The database accepts reads, but rejects writes or does not reply to them.
    package static let noWrite = StorageObstacle(
        "The database of users answers reads, but takes no write.")

    /// The database is unreachable or fails.
    package static let noAnswer = StorageObstacle("The database of users does not answer.")
}
