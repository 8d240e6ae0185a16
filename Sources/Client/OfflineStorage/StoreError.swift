public import Foundation

/// A failure of a store: a code to branch on, a message with the remedy, and the error underneath.
///
/// All errors of `OfflineStore` and `UserStore` have this type; what an app's own closure throws passes
/// through unchanged.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// do {
///     try store.put(Favourite(bank: "es"), id: "not an id")
/// } catch let error as StoreError where error.code == .storage {
///     print("Nothing is saved until there is room.")
/// } catch let error as StoreError {
///     print(error.code, error.localizedDescription)
/// }
/// ```
public struct StoreError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure; later versions may add codes, so a `switch` has a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code's name, a key for an app's own translation.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's name.
        public var description: String { rawValue }

        /// No generation has such content, or there is no such conflict or user.
        public static let notFound = Code(rawValue: "notFound")
        /// A generation lacks a blob.
        public static let incomplete = Code(rawValue: "incomplete")
        /// A document was refused by the app's decoder or by the SDK's.
        public static let vetoed = Code(rawValue: "vetoed")
        /// The generation was banned before.
        public static let banned = Code(rawValue: "banned")
        /// The bundled generation is damaged or missing.
        public static let badBundle = Code(rawValue: "badBundle")
        /// The database cannot be read.
        ///
        /// User data is left as it is; content is read from the next source
        /// and repaired by the next sync.
        public static let damaged = Code(rawValue: "damaged")
        /// Something would be lost that the server does not have.
        public static let unsent = Code(rawValue: "unsent")
        /// The store does not accept this value or change.
        public static let refused = Code(rawValue: "refused")
        /// The caller decided by a state that has changed since; show the new one.
        public static let outdated = Code(rawValue: "outdated")
        /// The disk is full, the folder cannot be written, or the file system failed; nothing was changed.
        public static let storage = Code(rawValue: "storage")
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and its remedy in English, without what the user wrote.
    public var message: String
    /// The error underneath, for the log.
    public var cause: (any Error)?

    /// The message.
    public var description: String { message }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }

    /// Describes a failure.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// Describes why a release is not installed, with the remedy.
    package static func refusal(
        _ code: Code, because reason: String, cause: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            code, "\(reason) Wait for a newer release, or update the app.", cause: cause)
    }

    /// Compares everything but the cause.
    public static func == (one: StoreError, other: StoreError) -> Bool {
        one.code == other.code && one.message == other.message
    }

    /// Hashes everything that is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
