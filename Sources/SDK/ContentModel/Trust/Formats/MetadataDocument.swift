package import Foundation

/// A file of metadata in one canonical spelling: what a publisher signs.
///
/// Names are sorted, there is no white space, and no field but those that the workflow needs, so that the same
/// facts have the same bytes wherever they are written.
package struct MetadataDocument: Sendable {
    /// The version of the specification that files name.
    package static let specification = "1.0.31"
    /// The path of the one target of a release.
    package static let manifestPath = "manifest.json"

    /// A signature and the id of the key that made it.
    package struct Signature: Sendable, Hashable {
        package var keyID: String
        package var bytes: [UInt8]

        package init(keyID: String, bytes: [UInt8]) {
            self.keyID = keyID
            self.bytes = bytes
        }
    }

    /// The role.
    package let role: TrustRole
    /// The version, from 1.
    package let version: Int
    /// The object that is signed.
    package let signed: JSONValue

    /// The bytes that are signed.
    package var message: [UInt8] { Self.bytes(of: signed) }

    private init(
        _ role: TrustRole, version: Int, expires: Date, _ members: [String: JSONValue]
    ) {
        self.role = role
        self.version = version
        signed = .object(
            members.merging([
                "_type": .string(role.rawValue), "expires": .string(UTCTime.text(expires)),
                "spec_version": .string(Self.specification), "version": .integer(version),
            ]) { member, _ in member })
    }

    /// Writes a root: the keys of all roles.
    ///
    /// - Parameters:
    ///   - version: The version, one more than that of the root before.
    ///   - expires: The day of its expiry.
    ///   - keys: The public keys by id, each as the object that metadata have.
    ///   - roles: For each role the ids of its keys and the number that must sign.
    /// - Returns: The document, not signed yet.
    package static func root(
        version: Int, expires: Date, keys: [String: JSONValue],
        roles: [TrustRole: (keyIDs: [String], threshold: Int)]
    ) -> MetadataDocument {
        let roles = roles.map { role, part in
            (
                role.rawValue,
                JSONValue.object([
                    "keyids": .array(part.keyIDs.map { .string($0) }),
                    "threshold": .integer(part.threshold),
                ])
            )
        }
        return MetadataDocument(
            .root, version: version, expires: expires,
            [
                "consistent_snapshot": true, "keys": .object(keys),
                "roles": .object(Dictionary(uniqueKeysWithValues: roles)),
            ])
    }

    /// Writes the targets of a release: its manifest.
    package static func targets(
        version: Int, expires: Date, manifest: Checksum, length: Int
    ) -> MetadataDocument {
        MetadataDocument(
            .targets, version: version, expires: expires,
            [
                "targets": [
                    manifestPath: [
                        "hashes": ["sha256": .string(manifest.hex)], "length": .integer(length),
                    ]
                ]
            ])
    }

    /// Writes a snapshot: the version of the targets.
    package static func snapshot(
        version: Int, expires: Date, targetsVersion: Int
    ) -> MetadataDocument {
        MetadataDocument(
            .snapshot, version: version, expires: expires,
            ["meta": ["targets.json": ["version": .integer(targetsVersion)]]])
    }

    /// Writes a timestamp: the version of the snapshot.
    package static func timestamp(
        version: Int, expires: Date, snapshotVersion: Int
    ) -> MetadataDocument {
        MetadataDocument(
            .timestamp, version: version, expires: expires,
            ["meta": ["snapshot.json": ["version": .integer(snapshotVersion)]]])
    }

    /// Returns the whole file with signatures, in their order.
    package func file(_ signatures: [Signature]) -> [UInt8] {
        Self.bytes(of: [
            "signatures": .array(
                signatures.map {
                    ["keyid": .string($0.keyID), "sig": .string(HexDigits.encode($0.bytes))]
                }),
            "signed": signed,
        ])
    }

    private static func bytes(of value: JSONValue) -> [UInt8] {
        guard let bytes = value.olpcCanonicalBytes() else {
            preconditionFailure("Metadata have whole numbers only.")
        }
        return bytes
    }
}
