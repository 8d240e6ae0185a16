public import ServiceAPI

/// A failure of an operation on accounts or user data.
public struct UserServiceError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: ProblemCode
    /// A description of the failure and the remedy, without secrets.
    public var message: String
    /// The time to wait, for `tooManyRequests`, `busy` and `unavailable`.
    public var retryAfterSeconds: Int?

    /// Numbers for `tooMuch`, by the names of the reply's members.
    public var numbers: [String: Int] = [:]

    /// The failure below it, for the log alone.
    package var cause: (any Error)?

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

    /// Says what the ledger cannot do in the words of the service; nothing was changed.
    package init(_ error: LedgerError) {
        switch error {
        case .noAccount: self.init(.noAccount, "There is no such account any more.")
        case .busy:
            self.init(.busy, "The server is busy. Try again in a moment.")
            retryAfterSeconds = 2
        case .unavailable, .damaged:
            self.init(.unavailable, "The server cannot store anything now. Try again later.")
            retryAfterSeconds = 60
        case .outdatedSchema:
            self.init(.outdatedSchema, "The server is being updated. Try again later.")
        case .refused:
            self.init(
                .serverError, "The server cannot do this until its operator has corrected it.")
        }
        cause = error
    }
}
