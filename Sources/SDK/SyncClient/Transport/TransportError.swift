public import ContentModel

/// A failure of the network under a sync.
///
/// An app's own `Transport` throws it:
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
public typealias TransportError = CodedError<TransportErrorCode>

/// The kind of a failure: an open set, so a `switch` over it needs a `default`.
public struct TransportErrorCode: ErrorCode {
    /// The name of the kind, stable between versions.
    public let rawValue: String

    /// Creates a kind with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No connection, or a broken one.
    public static let offline = Self(rawValue: "offline")
    /// A reply that did not arrive in time.
    public static let timedOut = Self(rawValue: "timedOut")
    /// A body that exceeds its maximum length.
    public static let tooLong = Self(rawValue: "tooLong")
    /// A cancelled task.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A plain HTTP address of another device, which is not allowed.
    public static let insecureAddress = Self(rawValue: "insecureAddress")
    /// A URL that is not the address of a web server, or names a user.
    public static let badAddress = Self(rawValue: "badAddress")
    /// Header fields that cannot be sent, or that the SDK sets itself.
    public static let badHeaderField = Self(rawValue: "badHeaderField")
    /// A metered or constrained network that ``NetworkPolicy`` does not allow for the request.
    public static let networkNotAllowed = Self(rawValue: "networkNotAllowed")
}

extension TransportError {
    static var cancelled: TransportError {
        TransportError(.cancelled, "The request was cancelled. Try again.")
    }
}
