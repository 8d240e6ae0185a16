public import ContentModel
public import Foundation
import OfflineStorage

/// What a device demands before it takes a release.
///
/// Without signatures whoever controls the host, or the way to it, controls the content. With a pinned root a
/// device takes only what the keys in that root have signed, whatever the host sends
/// (The Update Framework, specification 1.0.34).
///
/// ```swift
/// func policy(rootInBundle root: Data, _ verifiers: SignatureVerifiers) throws -> TrustPolicy {
///     try .pinned(root: root, verifiers: verifiers)
/// }
/// print(TrustPolicy.unsigned.isPinned)  // false
/// ```
public struct TrustPolicy: Sendable {
    /// The pinned root, verified.
    private let pin: TrustedMetadata?

    /// The host is believed; its files are compared with the checksums of its own manifest.
    public static let unsigned = TrustPolicy(pin: nil)

    /// Only what the keys of a root have signed is taken.
    ///
    /// The root ships with the app: the file that `underway trust init` names, or `trust/root.json` of the
    /// bundle. Devices follow newer roots from it by themselves, so an old app needs no update.
    /// - Parameters:
    ///   - root: The bytes of the file.
    ///   - verifiers: The known signature schemes.
    /// - Returns: The policy.
    /// - Throws: `TrustError` for bytes that are no root, or one that its own keys have not signed.
    public static func pinned(
        root: Data, verifiers: SignatureVerifiers
    ) throws(TrustError) -> TrustPolicy {
        TrustPolicy(pin: try TrustedMetadata(root: [UInt8](root), verifiers: verifiers))
    }

    #if canImport(CryptoKit)
    /// Only what the keys of a root have signed is taken, by Ed25519 or P-256.
    ///
    /// - Parameter root: The bytes of the file that ships with the app.
    /// - Returns: The policy.
    /// - Throws: `TrustError` for bytes that are no root, or one that its own keys have not signed.
    public static func pinned(root: Data) throws(TrustError) -> TrustPolicy {
        try pinned(root: root, verifiers: .standard)
    }
    #endif

    /// True when signatures are demanded.
    public var isPinned: Bool { pin != nil }

    /// Returns what is trusted at the begin of an update; `nil` without a pinned root.
    ///
    /// That is the last stored root to which the pinned one leads, and what its keys have signed of the stored and
    /// the bundled files. Roots of another lineage lead nowhere: an app that pins a new one is free of them.
    func trusted(stored: StoredTrust, bundled: [TrustRole: [UInt8]]) -> TrustedMetadata? {
        guard var trusted = pin else { return nil }
        for root in stored.roots {
            // One of a version before, or of another lineage.
            try? trusted.update(root: root)
        }
        for files in [stored.files, bundled] {
            trusted.restore(
                timestamp: files[.timestamp], snapshot: files[.snapshot], targets: files[.targets])
        }
        return trusted
    }
}
