/// An error of verifying trust metadata: the role that it concerns, and the attack that it may indicate.
///
/// The state of the device is unchanged since before the step that failed.
///
/// ```swift
/// do throws(TrustError) {
///     print(try TrustedMetadata(root: bytes, verifiers: SignatureVerifiers([:])).root.version)
/// } catch {
///     switch error.code {
///     case .untrusted: print("Nobody with the keys of \(error.role) signed this.")
///     default: print(error.message)
///     }
/// }
/// ```
public typealias TrustError = CodedError<TrustErrorCode>

/// The kind of an error: an open set, so a `switch` over it needs a `default`.
public struct TrustErrorCode: ErrorCode {
    /// The name of the kind, stable between versions.
    public let rawValue: String

    /// Creates a kind with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Fewer signatures than the role's threshold: a possible arbitrary software attack.
    public static let untrusted = Self(rawValue: "untrusted")
    /// A lower version than a trusted one, or a file that is no longer listed: a possible rollback.
    public static let rolledBack = Self(rawValue: "rolledBack")
    /// Metadata that expired before the update began: a possible freeze.
    public static let expired = Self(rawValue: "expired")
    /// Bytes whose version, length or hash differs from trusted metadata: a possible mix-and-match attack.
    public static let mismatched = Self(rawValue: "mismatched")
    /// More bytes than the limit, or than in trusted metadata: a possible endless data attack.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// Bytes that are not metadata of this role.
    public static let invalid = Self(rawValue: "invalid")
    /// Metadata that does not exist on the host, or that the snapshot does not list.
    public static let notFound = Self(rawValue: "notFound")
    /// A step that was called before the steps that it requires.
    public static let outOfOrder = Self(rawValue: "outOfOrder")

    /// The additional values of an error.
    public struct Details: Hashable, Sendable {
        /// The name of the role, such as `root` or `timestamp`; for a target, its path.
        public var role: String
    }
}

private let oneRelease = " Publish the files of one release, or ask another host."

extension TrustError {
    /// Creates an error.
    public init(_ code: Code, role: String, _ message: String) {
        self.init(code, message, details: Code.Details(role: role))
    }

    static func untrusted(_ role: String, valid: Int, threshold: Int) -> Self {
        Self(
            .untrusted, role: role,
            "\(role) has \(valid) valid signatures of the \(threshold) that it needs. Sign it with the"
                + " keys that its delegator names, or ask another host.")
    }

    static func rolledBack(_ role: String, _ name: String, version: Int, trusted: Int) -> Self {
        Self(
            .rolledBack, role: role,
            "\(role) has version \(version) of \(name), and \(trusted) is trusted already. Publish a"
                + " higher version, or ask another host.")
    }

    static func rootVersion(_ version: Int, expected: Int) -> Self {
        Self(
            .rolledBack, role: TrustRole.root.rawValue,
            "root has version \(version) in place of \(expected). Publish each under its own number."
        )
    }

    static func unlisted(_ name: String) -> Self {
        Self(
            .rolledBack, role: TrustRole.snapshot.rawValue,
            "The snapshot no longer lists \(name). List it, or rotate the snapshot's key.")
    }

    static func expired(_ role: String) -> Self {
        Self(
            .expired, role: role,
            "\(role) has expired. Sign a new one; if its time is right, check the device's clock.")
    }

    static func version(_ role: String, _ version: Int, expected: Int) -> Self {
        Self(
            .mismatched, role: role,
            "\(role) has version \(version) in place of \(expected)." + oneRelease)
    }

    static func length(_ role: String, _ length: Int, expected: Int) -> Self {
        Self(
            .mismatched, role: role,
            "\(role) has \(length) bytes in place of \(expected)." + oneRelease)
    }

    static func hash(_ role: String, _ algorithm: String) -> Self {
        Self(
            .mismatched, role: role,
            "\(role) does not have the \(algorithm) that was promised." + oneRelease)
    }

    static func unknownHashes(_ role: String) -> Self {
        Self(
            .mismatched, role: role,
            "\(role) is promised by hashes that this device cannot compute. Add its sha256.")
    }

    static func tooLarge(_ role: String, bytesMax: Int) -> Self {
        Self(
            .tooLarge, role: role,
            "\(role) is larger than \(bytesMax) bytes. Publish less, or ask another host.")
    }

    static func invalid(_ role: String, _ reason: String) -> Self {
        Self(.invalid, role: role, "\(role) is not valid: \(reason). Publish it again.")
    }

    static func notFound(_ role: String) -> Self {
        Self(.notFound, role: role, "There is no file of \(role). Publish it, or ask another host.")
    }

    static func outOfOrder(_ role: String, needs other: String) -> Self {
        Self(
            .outOfOrder, role: role,
            "\(role) needs a current \(other) first. Begin the update again from the root.")
    }
}
