package import ContentModel
import Crypto
import Foundation

/// A private key that signs trust metadata: Ed25519 (RFC 8032), in a PKCS#8 file (RFC 8410, section 7), which OpenSSL
/// and other tools can read.
package struct SigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey
    /// The id: the SHA-256 of the public key's canonical form, in hexadecimal digits (TUF 4.3).
    package let id: String

    /// Generates a key.
    package init() { self.init(Curve25519.Signing.PrivateKey()) }

    private init(_ key: Curve25519.Signing.PrivateKey) {
        self.key = key
        id = Self.id(of: Self.publicKey(of: key))
    }

    /// The private bytes, from which other secrets are made.
    var seed: Data { key.rawRepresentation }

    /// The public key in its form in metadata (TUF 4.3).
    package var publicKey: JSONValue { Self.publicKey(of: key) }

    private static func publicKey(of key: Curve25519.Signing.PrivateKey) -> JSONValue {
        [
            "keytype": "ed25519",
            "keyval": ["public": .string(HexDigits.encode(key.publicKey.rawRepresentation))],
            "scheme": "ed25519",
        ]
    }

    private static func id(of publicKey: JSONValue) -> String {
        // A value of texts alone always has a canonical form.
        Checksum(of: publicKey.olpcCanonicalBytes() ?? []).hex
    }

    /// Signs a document.
    ///
    /// - Throws: An error of the cryptographic library.
    package func sign(_ document: MetadataDocument) throws -> MetadataDocument.Signature {
        .init(keyID: id, bytes: Array(try key.signature(for: document.message)))
    }
}

extension SigningKey {
    private static let head = "-----BEGIN PRIVATE KEY-----"
    private static let foot = "-----END PRIVATE KEY-----"
    /// The prefix before the 32 bytes of the seed in PKCS#8 (RFC 8410, section 10.3).
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04,
        0x20,
    ]

    /// The content of the key's file.
    package var pem: String {
        let der = Data(Self.prefix) + key.rawRepresentation
        return "\(Self.head)\n\(der.base64EncodedString())\n\(Self.foot)\n"
    }

    /// Parses the file of a key; `nil` for anything but an Ed25519 key without a password.
    package init?(pem: String) {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
        guard let first = lines.first, let last = lines.last, lines.count >= 3,
            first == Self.head.filter({ !$0.isWhitespace }),
            last == Self.foot.filter({ !$0.isWhitespace }),
            let der = Data(base64Encoded: lines.dropFirst().dropLast().joined()),
            der.count == Self.prefix.count + 32, der.starts(with: Self.prefix),
            let key = try? Curve25519.Signing.PrivateKey(
                rawRepresentation: der.dropFirst(Self.prefix.count))
        else { return nil }
        self.init(key)
    }
}
