/// Why a body cannot be taken: the place and the reason, safe to show to anybody.
public struct WireFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, as `operations[3].collection`.
    public var path: String
    /// What is wrong there.
    public var reason: String
    /// True when a smaller body could be read.
    public var isTooLong = false

    /// Describes a failure.
    public init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    /// Place and reason.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
