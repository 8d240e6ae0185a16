/// Why the store could not do what was asked.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; new ones may come.
    public enum Code: String, Sendable {
        /// There is no such content in any generation.
        case notFound
        /// A generation is not complete: a blob is missing.
        case incomplete
        /// The app's decoder, or our own, refused a document.
        case vetoed
        /// The generation was banned before.
        case banned
        /// The bundled generation is damaged or missing.
        case badBundle
        /// The database cannot be read. User data is left as it is; content is read from the next source
        /// and repaired by the next sync.
        case damaged
        /// Something would be lost that the server does not have.
        case unsent
        /// The store does not take this value or change.
        case refused
        /// What was shown is not what is there now; show it again.
        case outdated
        /// The disk is full, the folder cannot be written, or the file system failed; nothing was changed.
        case storage
    }

    /// What kind of failure it is.
    public var code: Code
    /// What went wrong and what to do.
    public var message: String
    /// The error underneath, for the log.
    public var cause: (any Error)?

    /// The message.
    public var description: String { message }

    package init(_ code: Code, _ message: String, _ cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
