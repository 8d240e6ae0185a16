import ContentModel
import Crypto
import CryptoExtras
import Foundation
import SignatureVerification

extension SignatureVerifiers {
    /// The schemes of the specification: the program's, and RSA-PSS, which only this client knows.
    static let conformance = swiftCrypto.adding("rsassa-pss-sha256") { key, signature, message in
        guard let key = try? _RSA.Signing.PublicKey(derRepresentation: key) else {
            // Bytes that are no key have signed nothing.
            return false
        }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: message), padding: .PSS)
    }
}

extension HashFunctions {
    /// SHA-256, and SHA-512, which only this client knows.
    static let conformance = sha256.adding("sha512") { Array(SHA512.hash(data: $0)) }
}
