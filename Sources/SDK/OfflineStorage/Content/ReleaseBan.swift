/// A ban of a release with which the app crashed; the device shows the last good release.
///
/// ```swift
/// let ban = ReleaseBan(release: 12, crashCount: 2)
/// print(ban)  // The app crashed at 2 starts in a row with release 12.
/// ```
public struct ReleaseBan: Sendable, Hashable, CustomStringConvertible {
    /// The number of the banned release.
    public var release: Int
    /// The number of successive launches that crashed with it.
    public var crashCount: Int

    /// Creates a ban.
    public init(release: Int, crashCount: Int) {
        self.release = release
        self.crashCount = crashCount
    }

    /// The reason, in English; for a translation, use the numbers.
    public var message: String {
        "The app crashed at \(crashCount) starts in a row with release \(release)."
    }

    /// The message.
    public var description: String { message }
}
