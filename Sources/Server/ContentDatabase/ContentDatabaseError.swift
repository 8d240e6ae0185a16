package import ContentModel

/// A failure to fill or to read the content tables.
package typealias ContentDatabaseError = CodedError<ContentDatabaseErrorCode>

/// The kind of a ``ContentDatabaseError``; later versions may add others.
package enum ContentDatabaseErrorCode: String, ErrorCode {
    /// The release directory has no manifest, or lacks an object that the manifest names.
    case unreadableRelease
    /// The tables are missing, or a later version made them; run the migrations.
    case outdatedSchema
    /// The database cannot do it now; try again.
    case busy
    /// The database refused a question that the checker accepts: a fault of this program.
    case refused
    /// The login lacks a privilege.
    case forbidden
    /// The database cannot be reached or cannot write.
    case unavailable
}
