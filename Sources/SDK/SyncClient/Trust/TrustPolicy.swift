public import ContentModel
public import Foundation
import OfflineStorage

/// The signatures that a device requires before it installs a release.
///
/// Without signatures, anyone who controls the host, or the network to it, controls the content. With a pinned root, a
/// device installs only content that keys of that root have signed, whatever the host sends (The Update Framework,
/// specification 1.0.34).
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

    /// The policy without signatures: files are verified only by the checksums of the host's own manifest.
    public static let unsigned = TrustPolicy(pin: nil)

    /// Returns the policy that accepts only content signed by the keys of a root.
    ///
    /// The root ships with the app: the file that `underway trust init` names, or `trust/root.json` of the bundle.
    /// Devices follow newer roots from it automatically, so an old app needs no update.
    /// - Parameters:
    ///   - root: The bytes of the file.
    ///   - verifiers: The supported signature schemes.
    /// - Returns: The policy.
    /// - Throws: `TrustError` for bytes that are no root, or a root that its own keys have not signed.
    public static func pinned(
        root: Data, verifiers: SignatureVerifiers
    ) throws(TrustError) -> TrustPolicy {
        TrustPolicy(pin: try TrustedMetadata(root: [UInt8](root), verifiers: verifiers))
    }

    #if canImport(CryptoKit)
    /// Returns the policy that accepts only content signed by the keys of a root, by Ed25519 or P-256.
    ///
    /// - Parameter root: The bytes of the file that ships with the app.
    /// - Returns: The policy.
    /// - Throws: `TrustError` for bytes that are no root, or a root that its own keys have not signed.
    public static func pinned(root: Data) throws(TrustError) -> TrustPolicy {
        try pinned(root: root, verifiers: .standard)
    }
    #endif

    /// True if signatures are required.
    public var isPinned: Bool { pin != nil }

    /// Returns the metadata trusted at the start of an update; `nil` without a pinned root.
    ///
    /// It consists of the last stored root to which the pinned one leads, and of the stored and bundled files that its
    /// keys have signed. Roots of another lineage are ignored, so an app can pin a new one.
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
