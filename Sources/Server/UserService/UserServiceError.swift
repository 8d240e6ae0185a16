public import ServiceAPI

/// Why something about a user could not be done.
public struct UserServiceError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public var code: ProblemCode
    /// What went wrong and what to do, without secrets.
    public var message: String
    /// How long to wait, for `tooManyRequests` and `busy`.
    public var retryAfterSeconds: Int?

    /// The message.
    public var description: String { message }

    /// Describes a failure.
    public init(code: ProblemCode, message: String) {
        self.code = code
        self.message = message
    }

    init(_ code: ProblemCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
