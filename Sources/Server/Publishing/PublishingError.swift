public import ContentModel

/// Why publishing could not go on: the world failed, or the request makes no sense.
public struct PublishingError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for exit codes; new ones may come.
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
        /// The command asks for something that is not possible.
        case invalidRequest
    }

    /// What kind of failure it is.
    public var code: Code
    /// What went wrong, where, and what to do.
    public var message: String
    /// The errors of the content, when that is the reason.
    public var problems: [Problem] = []

    /// The message.
    public var description: String { message }

    /// A file that cannot be read, for what reads files beside publishing.
    public static func unreadable(_ message: String) -> PublishingError {
        PublishingError(.unreadable, message)
    }

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The place and the remedy, as one or two sentences.
    ///   - problems: The errors of the content, where they are the reason.
    package init(_ code: Code, _ message: String, problems: [Problem] = []) {
        self.code = code
        self.message = message
        self.problems = problems
    }
}
