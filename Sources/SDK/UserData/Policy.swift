/// The resolution of changes that two devices made to a record without seeing each other's.
///
/// | policy | a write | concurrent writes |
/// |---|---|---|
/// | `appendOnly` | adds a record | another record of that id is rejected |
/// | `lastWriteWins` | replaces all fields | the later wins, the other device gets a notice |
/// | `askUser` | replaces all fields | the user resolves a conflict |
/// | `serverWins` | replaces all fields | the server's record stays |
/// | `fieldMerge` | sets the fields that changed | the later wins in each field, the other device gets a notice |
/// | `counter` | adds a step | all steps are added |
///
/// ```swift
/// let collections = [
///     CollectionDeclaration("favourites", .lastWriteWins),
///     CollectionDeclaration("settings", .fieldMerge),
///     CollectionDeclaration("points", .counter),
/// ]
/// for collection in collections where !collection.policy.abilities.mergesFields {
///     print(collection.name, "is replaced as a whole")
/// }
/// ```
public enum Policy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Records are added, never changed or deleted, such as answers.
    case appendOnly
    /// The later write wins, such as of a favourite; the overwritten device gets a notice.
    case lastWriteWins
    /// The user resolves a conflict, such as of a reservation.
    case askUser
    /// The server's record wins.
    case serverWins
    /// Each field separately: the only change wins, else the later one; the device that lost a field gets a notice.
    case fieldMerge
    /// Numbers that change by steps; the steps of all devices are added.
    case counter
}

/// A collection of records that an app declares.
///
/// ```swift
/// let notes = CollectionDeclaration("notes", .fieldMerge, fields: ["title", "text"])
/// print(notes.policy.abilities.mergesFields)
/// ```
public struct CollectionDeclaration: Sendable, Hashable, Codable {
    /// The name, the same in the app and in `underway.yaml`.
    public var name: String
    /// The resolution of conflicts.
    public var policy: Policy
    /// The schema version of the fields; it grows when they change.
    public var schemaVersion: Int
    /// The fields that this version of the app knows; it preserves others unread.
    ///
    /// `nil` for a collection whose fields are all known to its readers.
    public var fields: Set<String>?

    /// Creates a declaration.
    public init(
        _ name: String, _ policy: Policy, schemaVersion: Int = 1, fields: Set<String>? = nil
    ) {
        self.name = name
        self.policy = policy
        self.schemaVersion = schemaVersion
        self.fields = fields
    }
}
