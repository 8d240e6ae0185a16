package import ContentModel

/// A failure to fill or to read the content tables.
package typealias ContentDatabaseError = CodedError<ContentDatabaseErrorCode>

/// The kind of a ``ContentDatabaseError``; later versions may add others.
package enum ContentDatabaseErrorCode: String, ErrorCode {
    /// The release directory has no manifest, or lacks an object that the manifest names.
    case unreadableRelease
    /// The tables are missing or of a later version; run the migrations.
    case outdatedSchema
    /// The database is busy; retry.
    case busy
    /// The database rejected a question that the checker accepts: a bug of this program.
    case refused
    /// The login lacks a privilege.
    case forbidden
    /// The database is unreachable or read-only.
    case unavailable
}
