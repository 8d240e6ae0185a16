public import Foundation

/// A failure to read, replace or store an asset; the present value remains.
///
/// ```swift
/// let refusesEmptyFiles = Materializer<Data>.data.accepting { data in
///     if data.isEmpty { throw AssetError(.refused, "The file is empty. Publish it again.") }
/// }
/// print(refusesEmptyFiles.bytesMax)
/// ```
public struct AssetError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure: an open set, so a `switch` over it needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, stable between versions.
        public let rawValue: String

        /// Creates a kind with a name; use the static members where one exists.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A missing or unusable file of that name in the app: a mistake of the app.
        public static let badBundle = Code(rawValue: "badBundle")
        /// No complete reply: no network, a broken connection, or a timeout; retry later.
        public static let offline = Code(rawValue: "offline")
        /// An asset that does not exist on the server.
        public static let notFound = Code(rawValue: "notFound")
        /// A reply with an error, or one that does not fit the request.
        public static let serverError = Code(rawValue: "serverError")
        /// More bytes than the maximum of the asset.
        public static let tooLong = Code(rawValue: "tooLong")
        /// Bytes whose checksum is not that of the release.
        public static let checksumMismatch = Code(rawValue: "checksumMismatch")
        /// Bytes that the materializer or the app's check rejected.
        public static let refused = Code(rawValue: "refused")
        /// A part of a value that was ignored; its default is used.
        public static let ignored = Code(rawValue: "ignored")
        /// A device that cannot store the bytes; the disk may be full.
        public static let storage = Code(rawValue: "storage")
        /// A cancelled task.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A plain HTTP address of another device, which the transport does not allow.
        public static let insecureAddress = Code(rawValue: "insecureAddress")
        /// A URL that is not the address of a web server.
        public static let badAddress = Code(rawValue: "badAddress")
        /// A metered or constrained network that is not allowed for the asset.
        public static let networkNotAllowed = Code(rawValue: "networkNotAllowed")
    }

    /// The kind of failure.
    public var code: Code
    /// The name of the asset; empty if unknown.
    public var asset: String
    /// The failure and its remedy, without user data.
    public var message: String
    /// The wait that the server requested.
    public var retryAfter: Duration?
    /// The error underneath, for the log.
    public var cause: (any Error)?

    /// Creates a failure.
    public init(
        _ code: Code, asset: String = "", _ message: String, retryAfter: Duration? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.asset = asset
        self.message = message
        self.retryAfter = retryAfter
        self.cause = cause
    }

    /// The asset and the message.
    public var description: String { asset.isEmpty ? message : "\(asset): \(message)" }

    /// The asset and the message, for an alert; translate by ``code``.
    public var errorDescription: String? { description }

    /// Compares everything except the cause.
    public static func == (one: AssetError, other: AssetError) -> Bool {
        one.code == other.code && one.asset == other.asset && one.message == other.message
            && one.retryAfter == other.retryAfter
    }

    /// Hashes everything that is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(asset)
        hasher.combine(message)
        hasher.combine(retryAfter)
    }
}

extension AssetError {
    /// True when a retry soon could help.
    var isTransient: Bool { code == .offline || code == .serverError || code == .checksumMismatch }

    /// Converts any error; `code` is used for one that is neither of an asset nor a cancellation.
    init(_ error: any Error, asset: String, otherwise code: Code) {
        if var known = error as? AssetError {
            known.asset = asset
            self = known
        } else if error is CancellationError {
            self.init(.cancelled, asset: asset, "It was cancelled. Try again.", cause: error)
        } else {
            self.init(code, asset: asset, "\(error)", cause: error)
        }
    }
}
