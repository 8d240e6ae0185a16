package import ContentModel

/// An error of the review of keys.
package typealias ReviewError = CodedError<ReviewErrorCode>

/// The kind of a ``ReviewError``.
package enum ReviewErrorCode: String, ErrorCode {
    /// The release cannot be read.
    case unreadableRelease
    /// There is no proposal of this number.
    case notFound
    /// Somebody decided about the proposal before.
    case isDecided
    /// The right key is not named, or is the present one.
    case key
    /// A reason is missing or too long.
    case reason
}
