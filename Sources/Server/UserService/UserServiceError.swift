public import ServiceAPI

/// Why something about a user could not be done.
public struct UserServiceError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public var code: ProblemCode
    /// What went wrong and what to do, without secrets.
    public var message: String
    /// The time to wait, for `tooManyRequests`, `busy` and `unavailable`.
    public var retryAfterSeconds: Int?

    /// The failure below it, for the log alone.
    package var cause: (any Error)?

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
        }
        cause = error
    }
}
