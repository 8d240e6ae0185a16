public import ContentModel

/// A failure to publish: of the file system, of the content, or of the request.
public struct PublishingError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for exit codes; more may be added.
    public enum Code: String, Sendable {
        /// A file could not be read.
        case unreadable
        /// A file could not be written; the disk may be full.
        case unwritable
        /// The content has errors.
        case contentErrors
        /// Served files were edited by hand.
        case drift
        /// Another publish is running on the same release directory.
        case busy
        /// The release asked for does not exist, or its objects are gone.
        case noSuchRelease
        /// There is no content folder where one was named.
        case noSuchContent
        /// A signed release, for which the keys at hand are not enough.
        case needsSignatures
        /// A release that waits for signatures; nothing was published yet.
        case isPending
        /// A release waits for signatures, and the content or the current release has changed since.
        case pendingIsStale
        /// Keys that others than their owner may read.
        case keyPermissions
        /// A root whose signatures have expired.
        case rootExpired
        /// The requested operation is not possible.
        case invalidRequest
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure with its place and remedy.
    public var message: String
    /// The errors of the content, if they are the reason.
    public var problems: [Problem] = []

    /// The message.
    public var description: String { message }

    /// Returns the error for a file that cannot be read, for readers outside of publishing.
    public static func unreadable(_ message: String) -> PublishingError {
        PublishingError(.unreadable, message)
    }

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The place and the remedy, as one or two sentences.
    ///   - problems: The errors of the content, if they are the reason.
    package init(_ code: Code, _ message: String, problems: [Problem] = []) {
        self.code = code
        self.message = message
        self.problems = problems
    }

    /// Runs `body`, and lets what it throws be a failure to publish.
    static func catching<Value>(_ body: () throws -> Value) throws(PublishingError) -> Value {
        do { return try body() } catch { throw PublishingError(error) }
    }

    /// Returns an error as it is, or one of a library as a failure to read.
    init(_ error: any Error) {
        self = error as? PublishingError ?? PublishingError(.unreadable, "\(error)")
    }
}
