/// What happens when two devices changed a record without seeing each other's change.
public enum Policy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Records are added, never changed or deleted, such as answers.
    case appendOnly
    /// The later write stays, such as a favourite. What it overwrote is told to who lost.
    case lastWriteWins
    /// The user settles it, such as a reservation.
    case askUser
    /// What the server has stays.
    case serverWins
    /// Each field for itself: who changed it alone wins, else the later.
    case fieldMerge
    /// Numbers that only grow or shrink by steps; steps of all devices add up.
    case counter
}

/// A collection of records that an app declares.
public struct CollectionDeclaration: Sendable, Hashable, Codable {
    /// Its name, the same in the app and in `underway.yaml`.
    public var name: String
    /// How conflicts are settled.
    public var policy: Policy
    /// The version of its fields; grows when they change.
    public var schemaVersion: Int
    /// The fields that this version knows; those of newer versions are carried along unread.
    ///
    /// `nil` for a collection whose every field is known to whoever reads it.
    public var fields: Set<String>?

    /// Declares a collection.
    public init(
        _ name: String, _ policy: Policy, schemaVersion: Int = 1, fields: Set<String>? = nil
    ) {
        self.name = name
        self.policy = policy
        self.schemaVersion = schemaVersion
        self.fields = fields
    }
}
