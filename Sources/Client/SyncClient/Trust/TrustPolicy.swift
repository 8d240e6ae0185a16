public import ContentModel
public import Foundation

/// What a device demands before it takes a release.
///
/// Without signatures whoever controls the host, or the way to it, controls the content. With a pinned root a
/// device takes only what the keys in that root have signed, whatever the host sends
/// (The Update Framework, specification 1.0.34).
///
/// ```swift
/// func policy(rootInBundle root: Data, _ verifiers: SignatureVerifiers) -> TrustPolicy {
///     .pinned(root: root, verifiers: verifiers)
/// }
/// print(TrustPolicy.unsigned.isPinned)  // false
/// ```
public struct TrustPolicy: Sendable {
    private struct Pin: Sendable {
        var root: [UInt8]
        var verifiers: SignatureVerifiers
    }

    private let pin: Pin?

    /// The host is believed; its files are compared with the checksums of its own manifest.
    public static let unsigned = TrustPolicy(pin: nil)

    /// Only what the keys of a root have signed is taken.
    ///
    /// The root ships with the app: the file that `underway trust init` names, or `trust/root.json` of the
    /// bundle. Devices follow newer roots from it by themselves, so an old app needs no update. A newer root in
    /// an update of the app takes the place of an older one on the device.
    /// - Parameters:
    ///   - root: The bytes of the file.
    ///   - verifiers: The known signature schemes.
    /// - Returns: The policy.
    public static func pinned(root: Data, verifiers: SignatureVerifiers) -> TrustPolicy {
        TrustPolicy(pin: Pin(root: [UInt8](root), verifiers: verifiers))
    }

    #if canImport(CryptoKit)
    /// Only what the keys of a root have signed is taken, by Ed25519 or P-256.
    ///
    /// - Parameter root: The bytes of the file that ships with the app.
    /// - Returns: The policy.
    public static func pinned(root: Data) -> TrustPolicy {
        pinned(root: root, verifiers: .standard)
    }
    #endif

    /// True when signatures are demanded.
    public var isPinned: Bool { pin != nil }

    /// Returns what is trusted at the begin of an update: the newer of the pinned and the stored root, and what its
    /// keys have signed of the stored and the bundled files; `nil` without a pinned root.
    ///
    /// - Throws: `TrustError` when the pinned root is none.
    func trusted(
        stored: [TrustRole: [UInt8]], bundled: [TrustRole: [UInt8]]
    ) throws(TrustError) -> TrustedMetadata? {
        guard let pin else { return nil }
        var trusted = try TrustedMetadata(root: pin.root, verifiers: pin.verifiers)
        // A stored root that cannot be read any more is found again from the pinned one.
        if let root = stored[.root],
            let later = try? TrustedMetadata(root: root, verifiers: pin.verifiers),
            later.root.version > trusted.root.version
        {
            trusted = later
        }
        for files in [stored, bundled] {
            trusted.restore(
                timestamp: files[.timestamp], snapshot: files[.snapshot], targets: files[.targets])
        }
        return trusted
    }
}
