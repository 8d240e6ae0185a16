public import ServiceAPI

/// A failure of an operation on accounts or user data.
public struct UserServiceError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: ProblemCode
    /// A description of the failure and the remedy, without secrets.
    public var message: String
    /// The seconds to wait, for `tooManyRequests` and `busy`.
    public var retryAfterSeconds: Int?

    /// The message.
    public var description: String { message }

    /// Creates a failure.
    public init(code: ProblemCode, message: String) {
        self.code = code
        self.message = message
    }

    init(_ code: ProblemCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
