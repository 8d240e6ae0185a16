/// A top-level role of The Update Framework (TUF 2.1).
public enum TrustRole: String, Sendable, Hashable, CaseIterable {
    /// Names the keys of all top-level roles, its own too.
    case root
    /// Says which snapshot is the newest; signed often, so that a freeze is noticed.
    case timestamp
    /// Lists the versions of all targets metadata, so that they cannot be mixed.
    case snapshot
    /// Lists the files, their lengths and hashes, and delegates some of them.
    case targets
}
