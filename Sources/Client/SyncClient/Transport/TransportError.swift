public import Foundation

/// A failure of the network under a sync.
///
/// A `Transport` of an app's own throws it:
///
/// ```swift
/// struct Offline: Transport {
///     func send(_ request: TransportRequest) async throws -> TransportResponse {
///         throw TransportError(.offline, "There is no network in this preview.")
///     }
/// }
/// let request = TransportRequest(url: URL(filePath: "/"), bodyBytesMax: 1)
/// _ = try? await Offline().send(request)
/// ```
public struct TransportError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure: an open set, so a `switch` over it needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, stable between versions.
        public let rawValue: String

        /// Names a kind; use the static members where there is one.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No connection, or a broken one.
        public static let offline = Code(rawValue: "offline")
        /// A reply that took too long.
        public static let timedOut = Code(rawValue: "timedOut")
        /// A body that is longer than its bound.
        public static let tooLong = Code(rawValue: "tooLong")
        /// A cancelled task.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A plain HTTP address of another device, which is not allowed.
        public static let insecureAddress = Code(rawValue: "insecureAddress")
        /// A URL that is not the address of a web server, or names a user.
        public static let badAddress = Code(rawValue: "badAddress")
        /// Header fields that cannot be sent, or that the SDK sets itself.
        public static let badHeaderField = Code(rawValue: "badHeaderField")
        /// A metered or constrained network that ``NetworkPolicy`` does not allow for the request.
        public static let networkNotAllowed = Code(rawValue: "networkNotAllowed")
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and its remedy, without user data.
    public var message: String
    /// The error underneath, for the log.
    public var cause: (any Error)?

    /// Describes a failure.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }

    static let cancelled = TransportError(.cancelled, "The request was cancelled. Try again.")

    /// Compares everything but the cause.
    public static func == (one: TransportError, other: TransportError) -> Bool {
        one.code == other.code && one.message == other.message
    }

    /// Hashes everything that is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
