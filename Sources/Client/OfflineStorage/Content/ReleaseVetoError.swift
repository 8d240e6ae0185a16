public import Foundation

/// An error by which an app's decoder refuses a whole release because of one document.
///
/// The release is banned on this device until the version of the app changes. The sync that refuses it ends
/// with `SyncOutcome.refused`, whose error leads back to the veto by its `cause`s.
///
/// ```swift
/// extension ReleaseVetoError.Code {
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
public struct ReleaseVetoError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a veto: an open set, to which an app adds kinds of its own.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Names a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A release that needs a newer version of the app.
        public static let needsNewerApp = Code(rawValue: "needsNewerApp")
        /// Another reason.
        public static let unspecified = Code(rawValue: "unspecified")
    }

    /// The kind of veto.
    public var code: Code
    /// The reason and the remedy, for the report.
    public var message: String
    /// The error underneath, for the log.
    public var cause: (any Error)?

    /// Refuses a release.
    public init(_ message: String, code: Code = .unspecified, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }

    /// Compares everything but the cause.
    public static func == (one: ReleaseVetoError, other: ReleaseVetoError) -> Bool {
        one.code == other.code && one.message == other.message
    }

    /// Hashes everything that is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
