public import ContentModel

@_exported public import struct ContentModel.CodedError

/// A failure of a store: a code to branch on, a message with the remedy, and the error underneath.
///
/// All errors of `OfflineStore` and `UserStore` have this type; an error that an app's own closure throws passes
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
    /// The code's name; an app can use it as the key of its own translation.
    public let rawValue: String

    /// Creates a code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The content, conflict or user does not exist on this device.
    public static let notFound = Self(rawValue: "notFound")
    /// A generation lacks a blob; the next sync fetches it.
    public static let incomplete = Self(rawValue: "incomplete")
    /// The app's decoder or the SDK's refused a document; an update of the app may read it.
    public static let vetoed = Self(rawValue: "vetoed")
    /// The generation is banned on this device.
    public static let banned = Self(rawValue: "banned")
    /// The bundled generation is damaged or missing; rebuild the app with `underway bundle`.
    public static let badBundle = Self(rawValue: "badBundle")
    /// The database cannot be read.
    ///
    /// User data is not changed, since it may exist nowhere else. Content is read from the next source, and the next
    /// sync repairs it.
    public static let damaged = Self(rawValue: "damaged")
    /// The call would lose data that the server does not have; sync first, or ask the user to accept the loss.
    public static let unsent = Self(rawValue: "unsent")
    /// The store does not accept this value or change; correct it before a retry.
    public static let refused = Self(rawValue: "refused")
    /// The state on which the caller decided has changed; show the new one and ask again.
    public static let outdated = Self(rawValue: "outdated")
    /// The disk is full, the folder cannot be written, or the file system failed; nothing was changed: retry later.
    public static let storage = Self(rawValue: "storage")
}

extension StoreError {
    /// Returns the error of a release that is not installed, with the remedy.
    package static func refusal(
        _ code: Code, because reason: String, cause: (any Error)? = nil
    ) -> StoreError {
        StoreError(
            code, "\(reason) Wait for a newer release, or update the app.", cause: cause)
    }
}
