/// Why a sync or one of its downloads did not succeed.
public struct SyncFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is; new ones may come.
    public enum Code: String, Sendable {
        /// No answer from the server: no network, a broken connection, or too slow.
        case offline
        /// The server answered with an error status.
        case serverError
        /// The server does not have what was asked for.
        case notFound
        /// The bytes are not those that the manifest promises; they were discarded.
        case checksumMismatch
        /// More or fewer bytes than the manifest promises.
        case wrongLength
        /// The server sent the client elsewhere.
        case redirected
        /// The manifest is not valid.
        case badManifest
        /// The content needs a newer app.
        case unsupportedSchema
        /// The device could not keep the bytes; the disk may be full.
        case storage
        /// The task that asked was cancelled; the next call may ask at once.
        case cancelled
        /// A web page came in place of the content: the network wants its user to sign in first.
        case captivePortal
        /// The address is plain HTTP to another device, which the transport does not allow.
        case insecureAddress
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened and where, without user data.
    public var message: String
    /// How long the server asked to wait.
    public var retryAfter: Duration?
    /// True when the server may just not have what was asked for.
    var isAbsence: Bool

    /// Describes a failure.
    public init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        isAbsence = code == .notFound
    }

    /// The message.
    public var description: String { message }

    static let cancelled = SyncFailure(.cancelled, "It was cancelled.")

    /// True when it is about one document, and others may well arrive.
    var isOfDocument: Bool {
        switch code {
        case .notFound, .checksumMismatch, .wrongLength: true
        case .serverError: retryAfter == nil
        case .captivePortal: isAbsence
        default: false
        }
    }

    /// True when another address may well have a file: this one does not, or nobody replied there.
    func isOfAddress(hasReplied: Bool) -> Bool {
        switch code {
        case .redirected: true
        case .offline, .insecureAddress: !hasReplied
        default: isAbsence
        }
    }

    /// True when trying again at once could help.
    var isTransient: Bool {
        switch code {
        case .offline, .checksumMismatch, .wrongLength: true
        case .serverError: retryAfter == nil
        default: false
        }
    }
}
