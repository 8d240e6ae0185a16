/// A failure of a transfer.
package struct TransferError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable {
        /// No connection, a broken one, or no valid HTTP.
        case offline
        /// A reply that did not arrive in time.
        case timedOut
        /// A reply that exceeds its maximum length.
        case tooLong
        /// A cancelled task.
        case cancelled
        /// An insecure address, if those are not allowed.
        case insecureAddress
        /// A text that is not the address of a web server.
        case badAddress
        /// A header field that cannot be sent.
        case badHeaderField
        /// A network that the request may not use.
        case networkNotAllowed
    }

    /// The kind of failure.
    package var code: Code
    /// The failure and its remedy, without user data.
    package var message: String
    /// The underlying error of the system, for the log.
    package var cause: (any Error)?

    /// Creates a failure.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }

    static let cancelled = TransferError(.cancelled, "The request was cancelled. Try again.")
    static let closed = TransferError(.offline, "The network was closed. Make another transport.")

    static func tooLong(_ bytesMax: Int) -> TransferError {
        TransferError(.tooLong, "The reply is longer than \(bytesMax) bytes. Is the address right?")
    }

    /// Compares everything except the cause.
    package static func == (one: TransferError, other: TransferError) -> Bool {
        one.code == other.code && one.message == other.message
    }

    /// Hashes everything that is compared.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
