/// The reason why a body is malformed: a place and a description, safe to show to any client.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place, such as `operations[3].collection`.
    public var path: String
    /// The description of the mistake.
    public var reason: String
    /// True when a smaller body could be parsed.
    public var isTooLong = false

    /// Creates an error.
    public init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The place and the description.
    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
