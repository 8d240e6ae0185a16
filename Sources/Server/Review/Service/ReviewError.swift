package import ContentModel

/// An error of the review of keys.
package typealias ReviewError = CodedError<ReviewErrorCode>

/// The kind of a ``ReviewError``.
package enum ReviewErrorCode: String, ErrorCode {
    /// The release is unreadable.
    case unreadableRelease
    /// The proposal does not exist.
    case notFound
    /// The proposal was decided before.
    case isDecided
    /// The right key is missing, or is the current key.
    case key
    /// A reason is missing or too long.
    case reason
}
