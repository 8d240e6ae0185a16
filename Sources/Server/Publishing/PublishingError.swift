public import ContentModel

/// A failure to publish: of the file system, of the content, or of the request.
public struct PublishingError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for exit codes; later versions may add more.
    public enum Code: String, Sendable {
        /// A file is unreadable.
        case unreadable
        /// A file is unwritable; the disk may be full.
        case unwritable
        /// The content has errors.
        case contentErrors
        /// Served files were edited by hand.
        case drift
        /// Another publish is running on the same release directory.
        case busy
        /// The requested release does not exist, or its objects are missing.
        case noSuchRelease
        /// The named folder is not a content folder.
        case noSuchContent
        /// The release is signed, and the keys at hand are not enough.
        case needsSignatures
        /// The release waits for signatures; nothing is published yet.
        case isPending
        /// A release waits for signatures, and the content or the current release has changed since.
        case pendingIsStale
        /// Users other than the owner can read the keys.
        case keyPermissions
        /// The signatures of the root have expired.
        case rootExpired
        /// The requested operation is not possible.
        case invalidRequest
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure, with its place and remedy.
    public var message: String
    /// The errors of the content, if they are the reason.
    public var problems: [Problem] = []

    /// The message.
    public var description: String { message }

    /// Returns the error for an unreadable file, for readers outside of publishing.
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
