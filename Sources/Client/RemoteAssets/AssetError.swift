/// Why an asset could not be read, replaced or kept.
public struct AssetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is; new ones may come.
    public enum Code: String, Sendable {
        /// The app brings no usable file of that name: a mistake of the app.
        case badBundle
        /// There was no complete answer: no network, a broken connection, or too slow.
        case offline
        /// The server does not have it.
        case notFound
        /// The server answered with an error, or with something that was not asked for.
        case serverError
        /// More bytes than the asset may have.
        case tooLong
        /// The bytes are not those that the release promises.
        case checksumMismatch
        /// The materializer or the app's judgement did not accept the bytes.
        case refused
        /// Part of a value was left out, and its default used.
        case ignored
        /// The device could not keep the bytes; the disk may be full.
        case storage
        /// The task that asked was cancelled.
        case cancelled
        /// The address is plain HTTP to another device, which the transport does not allow.
        case insecureAddress
    }

    /// What kind of failure it is.
    public var code: Code
    /// Which asset.
    public var asset: String
    /// What happened, without user data.
    public var message: String
    /// How long the server asked to wait.
    public var retryAfter: Duration?

    /// Describes a failure.
    public init(
        _ code: Code, asset: String = "", _ message: String, retryAfter: Duration? = nil
    ) {
        self.code = code
        self.asset = asset
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The asset and the message.
    public var description: String { asset.isEmpty ? message : "\(asset): \(message)" }

    /// True when trying again soon could help.
    var isTransient: Bool { code == .offline || code == .serverError || code == .checksumMismatch }

    /// Any error as one of an asset; what it is not yet, it becomes by `code`.
    init(_ error: any Error, asset: String, otherwise code: Code) {
        if var known = error as? AssetError {
            known.asset = asset
            self = known
        } else if error is CancellationError {
            self.init(.cancelled, asset: asset, "It was cancelled.")
        } else {
            self.init(code, asset: asset, "\(error)")
        }
    }
}
