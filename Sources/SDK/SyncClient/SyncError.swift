public import ContentModel
import OfflineStorage

@_exported public import struct ContentModel.CodedError

/// A failure of a sync of content, or of one of its downloads.
///
/// Nothing installed has changed when it is thrown.
///
/// ```swift
/// func advice(_ error: SyncError) -> String {
///     switch error.code {
///     case .offline, .captivePortal: "Check the connection."
///     case .storage: "Make room on this device."
///     case .unsupportedSchema: "Update the app."
///     default: error.message
///     }
/// }
/// print(advice(SyncError(.offline, "No connection.")))
/// ```
public typealias SyncError = CodedError<SyncErrorCode>

/// The kind of a failure: an open set, so a `switch` over it needs a `default`.
public struct SyncErrorCode: ErrorCode {
    /// The name of the kind, stable between versions.
    public let rawValue: String

    /// Creates a kind with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No reply from the server: no network, a broken connection, or a timeout; retry later.
    public static let offline = Self(rawValue: "offline")
    /// A reply with an error status.
    public static let serverError = Self(rawValue: "serverError")
    /// A file or group that does not exist on the server, or in the installed release.
    public static let notFound = Self(rawValue: "notFound")
    /// Bytes whose checksum is not that of the manifest; they were discarded.
    public static let checksumMismatch = Self(rawValue: "checksumMismatch")
    /// A length that is not that of the manifest.
    public static let wrongLength = Self(rawValue: "wrongLength")
    /// A redirect to another origin, which is not followed.
    public static let redirected = Self(rawValue: "redirected")
    /// A manifest that is not valid.
    public static let badManifest = Self(rawValue: "badManifest")
    /// Content that needs a newer app.
    public static let unsupportedSchema = Self(rawValue: "unsupportedSchema")
    /// A device that cannot store the bytes; the disk may be full.
    public static let storage = Self(rawValue: "storage")
    /// A cancelled task; the next call may follow at once.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A web page in place of the content: the user must sign in to the network first.
    public static let captivePortal = Self(rawValue: "captivePortal")
    /// A plain HTTP address of another device, which the transport does not allow.
    public static let insecureAddress = Self(rawValue: "insecureAddress")
    /// Text that is not the address of a web server.
    public static let badAddress = Self(rawValue: "badAddress")
    /// A metered or constrained network that ``NetworkPolicy`` does not allow for the download.
    public static let networkNotAllowed = Self(rawValue: "networkNotAllowed")
    /// A release that the app's decoder refused; the causes include its `ReleaseVetoError`.
    public static let vetoed = Self(rawValue: "vetoed")
    /// A release that is banned, because it was refused before or crashed the app at launch.
    public static let banned = Self(rawValue: "banned")
    /// Content that is not signed by keys of the pinned root.
    public static let untrusted = Self(rawValue: "untrusted")
    /// Signatures that have expired: the host is frozen, signing has stopped, or the clock is wrong.
    public static let expired = Self(rawValue: "expired")
    /// Signed metadata that is older than metadata that this device has verified.
    public static let rolledBack = Self(rawValue: "rolledBack")
    /// Documents that this version of the app cannot read.
    public static let unreadable = Self(rawValue: "unreadable")
    /// Documents that the host did not deliver yet.
    public static let undelivered = Self(rawValue: "undelivered")
    /// A background launch that the system did not schedule.
    public static let notScheduled = Self(rawValue: "notScheduled")

    /// The additional values of a failure.
    public struct Details: Hashable, Sendable {
        /// The wait that the server requested.
        public var retryAfter: Duration?
        /// True when the server may merely lack the requested file.
        var isAbsence: Bool
    }
}

extension SyncError {
    /// Creates a failure.
    public init(
        _ code: Code, _ message: String, retryAfter: Duration? = nil, cause: (any Error)? = nil
    ) {
        let details = Code.Details(retryAfter: retryAfter, isAbsence: code == .notFound)
        self.init(code, message, details: details, cause: cause)
    }

    static var cancelled: SyncError {
        SyncError(.cancelled, "The sync was cancelled. Sync again; what arrived is kept.")
    }

    /// Creates the refusal of a release by the store.
    init(refusal error: StoreError) {
        self.init(error.code == .vetoed ? .vetoed : .banned, error.message, cause: error)
    }
}

extension SyncOutcome {
    /// Returns the outcome for a release that was banned for a reason.
    static func banned(because reason: String) -> SyncOutcome {
        .banned(SyncError(refusal: .refusal(.banned, because: reason)))
    }
}

extension SyncError {
    /// True when it concerns one document, and others may still arrive.
    var isOfDocument: Bool {
        switch code {
        case .notFound, .checksumMismatch, .wrongLength: true
        case .serverError: details.retryAfter == nil
        case .captivePortal: details.isAbsence
        default: false
        }
    }

    /// Returns true when another address may have the file: this one does not, or did not reply.
    func isOfAddress(hasReplied: Bool) -> Bool {
        switch code {
        case .redirected: true
        case .offline, .insecureAddress, .badAddress: !hasReplied
        default: details.isAbsence
        }
    }

    /// True when a retry at once could help.
    var isTransient: Bool {
        switch code {
        case .offline, .checksumMismatch, .wrongLength: true
        case .serverError: details.retryAfter == nil
        default: false
        }
    }
}
