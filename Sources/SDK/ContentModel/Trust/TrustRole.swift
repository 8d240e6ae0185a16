/// A top-level role of The Update Framework (TUF 2.1).
public enum TrustRole: String, Sendable, Hashable, CaseIterable {
    /// The role that lists the keys of all top-level roles, including its own.
    case root
    /// The role that names the newest snapshot; signed often, so that a freeze is noticed.
    case timestamp
    /// The role that lists the versions of all targets metadata, so that they cannot be mixed.
    case snapshot
    /// The role that lists the files, their lengths and hashes, and delegates some of them.
    case targets
}
