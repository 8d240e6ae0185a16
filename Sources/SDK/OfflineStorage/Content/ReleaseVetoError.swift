public import ContentModel

/// An error by which an app's decoder refuses a whole release because of one document.
///
/// The release is banned on this device until the version of the app changes. The sync that refuses it ends
/// with `SyncOutcome.refused`, whose error leads back to the veto by its `cause`s.
///
/// ```swift
/// extension ReleaseVetoErrorCode {
///     static let needsMigration = Self(rawValue: "needsMigration")
/// }
/// ```
///
/// ```swift
/// let decoder: ContentDecoder = { document, _ in
///     if document.key == "rules.json" {
///         throw ReleaseVetoError("The rules need version 4 of the app. Update it.", code: .needsMigration)
///     }
/// }
/// print(decoder)
/// ```
public typealias ReleaseVetoError = CodedError<ReleaseVetoErrorCode>

/// The kind of a veto: an open set, to which an app adds kinds of its own.
public struct ReleaseVetoErrorCode: ErrorCode {
    /// The name of the kind.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A release that needs a newer version of the app.
    public static let needsNewerApp = Self(rawValue: "needsNewerApp")
    /// Another reason.
    public static let unspecified = Self(rawValue: "unspecified")
}

extension ReleaseVetoError {
    /// Refuses a release.
    public init(_ message: String, code: Code = .unspecified, cause: (any Error)? = nil) {
        self.init(code, message, cause: cause)
    }
}
