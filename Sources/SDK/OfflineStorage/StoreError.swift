public import ContentModel

@_exported public import struct ContentModel.CodedError

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
public typealias StoreError = CodedError<StoreErrorCode>

/// A kind of failure; later versions may add codes, so a `switch` has a `default`.
public struct StoreErrorCode: ErrorCode {
    /// The code's name, a key for an app's own translation.
    public let rawValue: String

    /// Names a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No generation has such content, or there is no such conflict or user.
    public static let notFound = Self(rawValue: "notFound")
    /// A generation lacks a blob.
    public static let incomplete = Self(rawValue: "incomplete")
    /// A document was refused by the app's decoder or by the SDK's.
    public static let vetoed = Self(rawValue: "vetoed")
    /// The generation was banned before.
    public static let banned = Self(rawValue: "banned")
    /// The bundled generation is damaged or missing.
    public static let badBundle = Self(rawValue: "badBundle")
    /// The database cannot be read.
    ///
    /// User data is left as it is; content is read from the next source
    /// and repaired by the next sync.
    public static let damaged = Self(rawValue: "damaged")
    /// Something would be lost that the server does not have.
    public static let unsent = Self(rawValue: "unsent")
    /// The store does not accept this value or change.
    public static let refused = Self(rawValue: "refused")
    /// The caller decided by a state that has changed since; show the new one.
    public static let outdated = Self(rawValue: "outdated")
    /// The disk is full, the folder cannot be written, or the file system failed; nothing was changed.
    public static let storage = Self(rawValue: "storage")
}

extension StoreError {
    /// Describes why a release is not installed, with the remedy.
    package static func refusal(
        _ code: Code, because reason: String, cause: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            code, "\(reason) Wait for a newer release, or update the app.", cause: cause)
    }
}
