import ContentModel
import Crypto
import Foundation
import SignatureVerification
import Testing

@Suite struct SignatureVerificationTests {
    private static let publicKey =
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    private static let keyID = "74c181c7ad8a0855d4b55e44d2ba87aabdddb196832571f15f92fece332e4916"
    /// A timestamp that RFC 8032's first test key has signed: the vector of the changeset format.
    private static let timestamp: JSONValue = [
        "signed": [
            "_type": "timestamp", "expires": "2026-12-06T00:00:00Z",
            "meta": ["snapshot.json": ["version": 318]], "spec_version": "1.0.31", "version": 1203,
        ],
        "signatures": [
            [
                "keyid": .string(keyID),
                "sig": .string(
                    "c7bf47fc86547ea7d901b0de7766c6e71874fd50bbbe33415a0fdbd0623aa197"
                        + "e7a4a1c1aa21259e2bca102e7da03e8f472905f3865103efa59a726dd9496f0c"),
            ]
        ],
    ]

    /// A root whose timestamp key is the vector's, and whose other keys are made here.
    private func root(
        _ scheme: String, _ text: String, sign: (Data) throws -> Data
    ) throws -> [UInt8] {
        let vector: JSONValue = [
            "keytype": "ed25519", "scheme": "ed25519",
            "keyval": ["public": .string(Self.publicKey)],
        ]
        let key: JSONValue = [
            "keytype": "x", "scheme": .string(scheme), "keyval": ["public": .string(text)],
        ]
        let id = Checksum(of: key.olpcCanonicalBytes() ?? []).hex
        let role: JSONValue = ["keyids": [.string(id)], "threshold": 1]
        let body: JSONValue = [
            "_type": "root", "spec_version": "1.0.31", "version": 1, "consistent_snapshot": true,
            "expires": "2030-01-01T00:00:00Z", "keys": [id: key, Self.keyID: vector],
            "roles": [
                "root": role, "snapshot": role, "targets": role,
                "timestamp": ["keyids": [.string(Self.keyID)], "threshold": 1],
            ],
        ]
        let signature = try sign(Data(body.olpcCanonicalBytes() ?? []))
        let digits = signature.map { String(format: "%02x", $0) }.joined()
        let file: JSONValue = [
            "signed": body, "signatures": [["keyid": .string(id), "sig": .string(digits)]],
        ]
        return file.canonicalBytes
    }

    @Test func theVectorOfARefreshedTimestampIsAccepted() throws {
        let bytes = Self.timestamp.olpcCanonicalBytes() ?? []
        #expect(bytes.count == 374)
        #expect(
            Checksum(of: bytes).hex
                == "9de907a9c333487fb1995e977ac1b4e3ea350d04407bfd89bd78009ef05ed12f")
        let key = Curve25519.Signing.PrivateKey()
        let digits = key.publicKey.rawRepresentation.map { String(format: "%02x", $0) }.joined()
        let root = try root("ed25519", digits) { try key.signature(for: $0) }
        var trusted = try TrustedMetadata(root: root, verifiers: .swiftCrypto)
        let start = Date(timeIntervalSince1970: 1_796_515_199)
        #expect(try trusted.update(timestamp: bytes, startedAt: start))
        #expect(trusted.file(.timestamp)?.version == 1203)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "3") {
            var changed = bytes
            changed[index] = UInt8(ascii: "4")
            var device = try TrustedMetadata(root: root, verifiers: .swiftCrypto)
            #expect(throws: TrustError.self) {
                try device.update(timestamp: changed, startedAt: start)
            }
        }
    }

    @Test func keysOnP256InPEMAreVerified() throws {
        let key = P256.Signing.PrivateKey()
        let other = P256.Signing.PrivateKey()
        let pem = key.publicKey.pemRepresentation
        let good = try root("ecdsa-sha2-nistp256", pem) {
            try key.signature(for: $0).derRepresentation
        }
        _ = try TrustedMetadata(root: good, verifiers: .swiftCrypto)
        for sign: (Data) throws -> Data in [
            { try other.signature(for: $0).derRepresentation },
            { try key.signature(for: $0).rawRepresentation },
            { try key.signature(for: $0 + [0]).derRepresentation }, { _ in Data() },
            { _ in Data([0x30]) },
        ] {
            let bad = try root("ecdsa-sha2-nistp256", pem, sign: sign)
            let error = #expect(throws: TrustError.self) {
                try TrustedMetadata(root: bad, verifiers: .swiftCrypto)
            }
            #expect(error?.code == .untrusted)
        }
    }

    @Test(arguments: [
        "", "zz", "00", "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----",
        "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----",
    ])
    func whatIsNoKeyHasSignedNothing(text: String) throws {
        for scheme in ["ed25519", "ecdsa-sha2-nistp256", "rsassa-pss-sha256"] {
            let bytes = try root(scheme, text) { _ in Data(repeating: 1, count: 64) }
            let error = #expect(throws: TrustError.self) {
                try TrustedMetadata(root: bytes, verifiers: .swiftCrypto)
            }
            #expect(error?.code == .untrusted)
        }
    }

    @Test func theProgramKnowsTwoSchemes() {
        #expect(SignatureVerifiers.swiftCrypto.schemes == ["ecdsa-sha2-nistp256", "ed25519"])
    }
}
