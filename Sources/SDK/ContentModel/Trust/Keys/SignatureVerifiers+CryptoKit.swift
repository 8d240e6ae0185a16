#if canImport(CryptoKit)
import CryptoKit
import Foundation

extension SignatureVerifiers {
    /// Ed25519 (`ed25519`) and ECDSA on P-256 (`ecdsa-sha2-nistp256`), by CryptoKit.
    public static let standard = SignatureVerifiers([
        "ed25519": { key, signature, message in
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else {
                // Bytes that are no key have signed nothing.
                return false
            }
            return key.isValidSignature(signature, for: message)
        },
        "ecdsa-sha2-nistp256": { key, signature, message in
            guard let key = try? P256.Signing.PublicKey(derRepresentation: key),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else {
                // Bytes that are no key or no signature prove nothing.
                return false
            }
            return key.isValidSignature(signature, for: message)
        },
    ])
}
#endif
