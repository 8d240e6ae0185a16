/// The signature schemes that a device can verify, by their names in metadata (TUF 4.2.2).
///
/// The trust code has no cryptography of its own: a signature of another scheme counts as missing. On Apple's platforms
/// `SignatureVerifiers.standard` has Ed25519 and P-256.
///
/// ```swift
/// let none = SignatureVerifiers([:])
/// let one = none.adding("example") { key, signature, message in key + message == signature }
/// print(none.schemes, one.schemes)
/// // [] ["example"]
/// ```
public struct SignatureVerifiers: Sendable {
    /// A function that verifies a signature.
    ///
    /// - Parameters:
    ///   - key: The bytes of the public key: those of its hexadecimal digits, or the DER inside its PEM (a
    ///     SubjectPublicKeyInfo, RFC 5280).
    ///   - signature: The bytes of the signature.
    ///   - message: The bytes that were signed.
    /// - Returns: True only for a valid signature; false also for a key or a signature in another format.
    public typealias Verify =
        @Sendable (
            _ key: [UInt8], _ signature: [UInt8], _ message: [UInt8]
        ) -> Bool

    private var verifiers: [String: Verify]

    /// Creates the verifiers of schemes by their names, such as `ed25519`.
    public init(_ verifiers: [String: Verify]) { self.verifiers = verifiers }

    /// The names of the schemes, sorted.
    public var schemes: [String] { verifiers.keys.sorted() }

    /// Returns these verifiers and one more.
    public func adding(_ scheme: String, _ verify: @escaping Verify) -> SignatureVerifiers {
        var copy = self
        copy.verifiers[scheme] = verify
        return copy
    }

    /// Returns true for a valid signature by a key; false for an unknown scheme.
    func verify(_ key: TrustKey, _ signature: [UInt8], _ message: [UInt8]) -> Bool {
        guard !signature.isEmpty, let verify = verifiers[key.scheme] else { return false }
        return verify(key.bytes, signature, message)
    }
}
