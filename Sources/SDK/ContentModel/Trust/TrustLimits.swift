/// The limits of trust metadata; the specification leaves their values to applications.
///
/// Everything that a host can send is bounded by one of them before it is parsed.
package enum TrustLimits {
    /// The maximum size of a root file, in bytes (W of TUF 5.3.3).
    package static let rootBytesMax = 64 << 10
    /// The maximum size of a timestamp file, in bytes (X of TUF 5.4.1).
    package static let timestampBytesMax = 16 << 10
    /// The maximum size of a snapshot file, in bytes (Y of TUF 5.5.1), also where a longer one is declared.
    package static let snapshotBytesMax = 2 << 20
    /// The maximum size of a targets file, in bytes (Z of TUF 5.6.1), also where a longer one is declared.
    package static let targetsBytesMax = 5 << 20
    /// The maximum number of JSON values in one file; each uses about 100 bytes of memory.
    package static let valuesMax = 200_000
    /// The maximum number of new roots in one update (Y of TUF 5.3.3); the next update continues from the last.
    package static let rootsPerUpdateMax = 256
    /// The maximum number of delegated roles that one search visits (TUF 5.6.7.1).
    package static let visitedRolesMax = 32
    /// The maximum number of delegated roles that wait for a visit in one search.
    package static let pendingRolesMax = 10_000
    /// The maximum length of one part of a path or a pattern, in code points; a longer one matches nothing.
    package static let pathPartMax = 1024
    /// The maximum version: a larger number has several spellings in JSON readers of other languages.
    package static let versionMax = 1 << 53
}
