/// A conflict between the user's change and the server's record, which the user must resolve.
public struct RecordConflict: Sendable, Hashable, Codable, Identifiable {
    /// The record.
    public var key: RecordKey
    /// The user's change.
    public var mine: ChangeOperation
    /// The server's record.
    public var theirs: UserRecord
    /// The version that the user saw before the change; `nil` for none.
    public var base: UserRecord?

    /// The record; it has at most one conflict.
    public var id: RecordKey { key }

    /// Creates a conflict.
    public init(key: RecordKey, mine: ChangeOperation, theirs: UserRecord, base: UserRecord?) {
        self.key = key
        self.mine = mine
        self.theirs = theirs
        self.base = base
    }

    /// A fingerprint of the two versions in the conflict; equal tags mean equal versions.
    ///
    /// Sixteen hexadecimal digits of FNV-1a over the user's change and the server's values.
    public var tag: String {
        var hash = FNVHash()
        hash.mix("\(mine.time.milliseconds).\(mine.time.counter)")
        hash.mix(mine.change.digestText)
        hash.mix(theirs.isDeleted ? "deleted" : "")
        hash.mix(theirs.values.digestText)
        let text = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

/// The user's resolution of a conflict.
public enum RecordResolution: Sendable, Hashable {
    /// Writes the user's change over the version that was shown.
    case keepMine
    /// Discards the user's change.
    case useServer
    /// Writes these fields over the version that was shown.
    case edit([String: FieldValue])
}
