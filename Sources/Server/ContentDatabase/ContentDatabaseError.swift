/// A failure to fill or to read the content tables.
package struct ContentDatabaseError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure; later versions may add others.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        package let rawValue: String

        /// Creates a kind.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The release directory has no manifest, or lacks an object that the manifest names.
        package static let unreadableRelease = Code(rawValue: "unreadableRelease")
        /// The tables are missing, or a later version made them; run the migrations.
        package static let outdatedSchema = Code(rawValue: "outdatedSchema")
        /// The database cannot do it now; try again.
        package static let busy = Code(rawValue: "busy")
        /// The database refused a question that the checker accepts: a fault of this program.
        package static let refused = Code(rawValue: "refused")
        /// The login lacks a privilege.
        package static let forbidden = Code(rawValue: "forbidden")
        /// The database cannot be reached or cannot write.
        package static let unavailable = Code(rawValue: "unavailable")
    }

    /// The kind.
    package var code: Code
    /// A description of the failure and the remedy.
    package var message: String
    /// The failure below it, for the log alone.
    package var cause: (any Error)?

    /// Creates a failure.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }
}
