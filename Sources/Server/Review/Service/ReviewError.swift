/// An error of the review of keys.
package struct ReviewError: Error, Hashable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: String, Sendable, Hashable {
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

    /// The kind of error.
    package var code: Code
    /// The reason and the remedy, in English.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
