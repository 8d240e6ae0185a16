public import Foundation

/// A failure of a store: a code to branch on, a message with the remedy, and the error underneath.
///
/// All errors of `OfflineStore` and `UserStore` have this type; what an app's own closure throws passes
/// through unchanged.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// do {
///     try await store.put(Favourite(bank: "es"), id: "not an id")
/// } catch let error as StoreError where error.code == .storage {
///     print("Nothing is saved until there is room.")
/// } catch let error as StoreError {
///     print(error.code, error.localizedDescription)
/// }
/// ```
public struct StoreError: LocalizedError, Sendable, CustomStringConvertible {
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
    /// The failure and its remedy in English, without user data.
    public var message: String
    /// The error underneath, for the log.
    public var underlying: (any Error)?

    /// The message.
    public var description: String { message }
    /// The message.
    public var errorDescription: String? { message }

    /// The remedy for all failures of this code; `nil` for codes of later versions.
    ///
    /// | code | remedy |
    /// |---|---|
    /// | `notFound`, `incomplete`, `banned` | sync |
    /// | `vetoed` | update the app |
    /// | `badBundle` | reinstall the app |
    /// | `damaged` | sync; copy user data before it is removed |
    /// | `unsent` | sync first, or accept the loss |
    /// | `refused` | correct the value |
    /// | `outdated` | look again |
    /// | `storage` | make room |
    public var recoverySuggestion: String? { Self.remedies[code] }

    private static let remedies: [Code: String] = [
        .notFound: "Connect to the network and sync.",
        .incomplete: "Connect to the network and sync.",
        .banned: "Wait for the next release, or update the app.",
        .vetoed: "Update the app.",
        .badBundle: "Install the app again, or connect to the network and sync.",
        .damaged:
            "Sync to repair content. Save the files of damaged user data before removing them.",
        .unsent: "Sync first, or accept that the changes are lost.",
        .refused: "Correct the value and try again.",
        .outdated: "Look again and decide by what is there now.",
        .storage: "Make room on the device and try again.",
    ]

    package init(_ code: Code, _ message: String, _ underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}
