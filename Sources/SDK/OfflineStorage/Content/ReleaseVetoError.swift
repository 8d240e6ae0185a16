public import ContentModel

/// An error with which an app's decoder refuses a whole release because of one document.
///
/// The release is banned on this device until the version of the app changes. The sync ends with `SyncOutcome.refused`;
/// the `cause`s of its error include the veto.
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

/// The kind of a veto: an open set, to which an app can add its own kinds.
public struct ReleaseVetoErrorCode: ErrorCode {
    /// The name of the kind.
    public let rawValue: String

    /// Creates a kind with a name.
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
