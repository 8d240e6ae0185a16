/// A version of an asset, as its source names it.
///
/// ```swift
/// let tag = AssetTag(entityTag: "\"v1\"")
/// print(tag == AssetTag(entityTag: "\"v1\""))  // true
/// ```
public struct AssetTag: Sendable, Hashable, Codable {
    /// The entity tag of the last reply (RFC 9110, section 8.8.3).
    public var entityTag: String?
    /// The checksum of the bytes in a release.
    public var checksum: String?

    /// Creates a tag.
    public init(entityTag: String? = nil, checksum: String? = nil) {
        self.entityTag = entityTag
        self.checksum = checksum
    }
}

/// The origin of an asset's value.
///
/// ```swift
/// print(AssetSource.bundled.rawValue)  // bundled
/// ```
public enum AssetSource: String, Sendable, Hashable {
    /// The app's own file.
    case bundled
    /// A downloaded file that replaced the bundled one.
    case downloaded
}

/// The outcome of a refresh.
///
/// ```swift
/// func text(_ outcome: RefreshOutcome) -> String {
///     if case .failed(let error) = outcome { return error.message }
///     return outcome == .replaced ? "New." : "Unchanged."
/// }
/// print(text(.unchanged))
/// ```
public enum RefreshOutcome: Sendable, Hashable {
    /// The value is the newest.
    case unchanged
    /// A new value replaced the previous one.
    case replaced
    /// The refresh failed; file, value and tag are unchanged.
    case failed(AssetError)
}
