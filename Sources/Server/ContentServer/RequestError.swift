package import ServiceAPI

/// A failure of an operation on accounts or user data.
package struct RequestError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package var code: ProblemCode
    /// A description of the failure and the remedy, without secrets.
    package var message: String
    /// The time to wait before a retry, for `tooManyRequests`, `busy` and `unavailable`.
    package var retryAfterSeconds: Int?

    /// Numbers for `tooMuch`, by the names of the reply's members.
    package var numbers: [String: Int] = [:]

    /// The underlying error, for the log only.
    package var cause: (any Error)?

    /// The message.
    package var description: String { message }

    /// Creates a failure.
    package init(_ code: ProblemCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// An error with a reply for the client.
package protocol ReplyError: Error {
    /// The reply for the client; its cause is logged.
    var reply: RequestError { get }
}

extension RequestError: ReplyError {
    package var reply: RequestError { self }

    /// The error of an overloaded server.
    package static var overloaded: RequestError {
        var error = RequestError(
            .busy, "The server is busy. Try again in a moment.")
        error.retryAfterSeconds = 2
        return error
    }

    /// Returns the error for a body of an unsupported type.
    package static func unsupported(_ message: String) -> RequestError {
        RequestError(.unsupportedMediaType, message)
    }

    /// The error for other failures.
    package static let busy = RequestError(
        .busy, "The server could not do this now. Nothing was kept; try again.")
}
