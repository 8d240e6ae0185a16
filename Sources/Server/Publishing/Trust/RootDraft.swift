import ContentModel
import Foundation

/// A root before it is signed.
struct RootDraft: Sendable {
    var version: Int
    /// The public keys by id.
    var keys: [String: JSONValue] = [:]
    var roles: [TrustRole: (keyIDs: [String], threshold: Int)] = [:]

    init(version: Int) { self.version = version }

    /// Begins with what the present root says.
    init(_ trusted: TrustedMetadata) {
        version = trusted.root.version + 1
        for role in TrustRole.allCases {
            roles[role] = (trusted.keyIDs(of: role), trusted.threshold(of: role))
        }
        keys = trusted.publicKeys
    }

    /// Writes the file of the root, without the keys that no role has any more.
    ///
    /// - Parameters:
    ///   - present: The keys at hand.
    ///   - former: The ids of the root keys before, which must sign as well.
    ///   - expires: The day of its expiry.
    /// - Returns: The bytes of the file.
    /// - Throws: An error of the cryptographic library.
    func signed(
        by present: [SigningKey], alsoFor former: [String] = [], expires: Date
    ) throws -> [UInt8] {
        let used = Set(roles.values.flatMap(\.keyIDs))
        let document = MetadataDocument.root(
            version: version, expires: expires, keys: keys.filter { used.contains($0.key) },
            roles: roles)
        let signers = Set((roles[.root]?.keyIDs ?? []) + former)
        return document.file(
            try present.filter { signers.contains($0.id) }.map { try $0.sign(document) })
    }
}
