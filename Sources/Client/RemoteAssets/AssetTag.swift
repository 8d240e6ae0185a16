/// What tells one state of an asset from the next, as its source names it.
public struct AssetTag: Sendable, Hashable, Codable {
    /// The entity tag of the last answer (RFC 9110, section 8.8.3).
    public var entityTag: String?
    /// The checksum that a release gives the bytes.
    public var checksum: String?

    /// Names a state.
    public init(entityTag: String? = nil, checksum: String? = nil) {
        self.entityTag = entityTag
        self.checksum = checksum
    }
}

/// Where the value of an asset comes from.
public enum AssetSource: String, Sendable, Hashable {
    /// The file that the app brings.
    case bundled
    /// A file that replaced it.
    case downloaded
}

/// How a refresh ended.
public enum RefreshOutcome: Sendable, Hashable {
    /// The value is the newest.
    case unchanged
    /// There is a new value.
    case replaced
    /// File, value and tag are as they were.
    case failed(AssetError)
}
