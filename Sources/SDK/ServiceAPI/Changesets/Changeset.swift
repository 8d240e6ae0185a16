package import ContentModel
package import Foundation

/// The limits of a changeset.
package enum ChangesetLimits {
    /// The maximum size, in bytes.
    package static let bytesMax = 1 << 20
    /// The maximum size of the body once inflated, in bytes.
    package static let inflatedBytesMax = 16 << 20
    /// The size of the body at which a publisher omits further documents, in bytes.
    package static let bodyBytesMax = 256 << 10
    /// The maximum number of objects.
    package static let objectsMax = 20_000
    /// The maximum number of keys of a role.
    package static let signersMax = 8
    /// The number of releases from which a publisher creates changesets to the newest.
    package static let releasesMax = 32
    /// The maximum value of a number that is no version of a timestamp.
    package static let numberMax = 1 << 31 - 1
}

/// One role's part of signed metadata that the device cannot derive: version, expiry, signatures.
package struct MetadataDelta: Hashable, Sendable {
    /// The version; that of targets and snapshot is written as its distance from the release.
    package var version: Int
    /// The days from 1 January 2020 to the expiry at 00:00 UTC.
    package var expiryDay: Int
    /// The places of the signers among the role's keys, ascending.
    package var signers: [Int]
    /// Their signatures of Ed25519.
    package var signatures: [[UInt8]]

    package init(version: Int, expiryDay: Int, signers: [Int], signatures: [[UInt8]]) {
        self.version = version
        self.expiryDay = expiryDay
        self.signers = signers
        self.signatures = signatures
    }

    /// The time of the expiry.
    package var expires: Date {
        Date(timeIntervalSince1970: Double(expiryDay + Self.firstDay) * 86_400)
    }

    /// The day from which expiries count, in days since 1970.
    package static let firstDay = 18_262
    /// The length of a signature of Ed25519.
    package static let signatureBytes = 64
}

/// The head of a changeset: its two releases, and the facts by which the result is trusted.
///
/// ``ChangesetBody`` reads the body after the facts were verified.
package struct Changeset: Hashable, Sendable {
    /// The bytes with which every changeset begins.
    package static let mark = Array("UWC1".utf8)

    /// The release from which it starts.
    package var from: Int
    /// The resulting release.
    package var to: Int
    /// The version of the root under which the facts are signed.
    package var rootVersion: Int
    /// The facts of timestamp, snapshot and targets, without unchanged ones.
    package var facts: [TrustRole: MetadataDelta]
    /// True when the body is deflated.
    package var isDeflated: Bool
    /// The body as transmitted.
    package var body: [UInt8]

    /// The roles that can have facts, in their order.
    package static let roles: [TrustRole] = [.timestamp, .snapshot, .targets]
    private static let deflatedFlag = 1 << 4

    package init(
        from: Int, to: Int, rootVersion: Int, facts: [TrustRole: MetadataDelta], isDeflated: Bool,
        body: [UInt8]
    ) {
        self.from = from
        self.to = to
        self.rootVersion = rootVersion
        self.facts = facts
        self.isDeflated = isDeflated
        self.body = body
    }

    /// Parses a changeset.
    ///
    /// - Throws: `ChangesetError` `isNone` or `damaged`.
    package init(_ bytes: [UInt8]) throws(ChangesetError) {
        guard bytes.starts(with: Self.mark) else { throw .isNone }
        guard bytes.count <= ChangesetLimits.bytesMax else { throw .damaged("it is too large") }
        var reader = ChangesetReader(bytes, from: Self.mark.count)
        from = try reader.integer(max: ChangesetLimits.numberMax)
        to = try reader.integer(max: ChangesetLimits.numberMax)
        guard to >= from else { throw .damaged("it leads back") }
        let flags = Int(try reader.byte())
        guard flags & ~0b1_0111 == 0, flags & 1 != 0 else {
            throw .damaged("it is of a form that this version does not read")
        }
        rootVersion = try reader.integer(max: ChangesetLimits.numberMax)
        var facts: [TrustRole: MetadataDelta] = [:]
        for (bit, role) in Self.roles.enumerated() where flags & 1 << bit != 0 {
            facts[role] = try Self.fact(role, to, &reader)
        }
        self.facts = facts
        isDeflated = flags & Self.deflatedFlag != 0
        body = reader.rest()
    }

    private static func fact(
        _ role: TrustRole, _ to: Int, _ reader: inout ChangesetReader
    ) throws(ChangesetError) -> MetadataDelta {
        let version: Int
        if role == .timestamp {
            version = try reader.integer(max: TrustLimits.versionMax)
        } else {
            let distance = try reader.integer(max: ChangesetLimits.numberMax)
            version = to + (distance & 1 == 0 ? distance / 2 : -(distance + 1) / 2)
        }
        guard version > 0 else { throw .damaged("a version is not positive") }
        let day = try reader.integer(max: 1 << 20)
        let bits = try reader.integer(max: 1 << ChangesetLimits.signersMax - 1)
        let signers = (0..<ChangesetLimits.signersMax).filter { bits & 1 << $0 != 0 }
        var signatures: [[UInt8]] = []
        for _ in signers {
            signatures.append(Array(try reader.bytes(MetadataDelta.signatureBytes)))
        }
        return MetadataDelta(
            version: version, expiryDay: day, signers: signers, signatures: signatures)
    }

    /// The bytes of the changeset.
    package var bytes: [UInt8] {
        var bytes = Self.mark
        bytes.append(integer: from)
        bytes.append(integer: to)
        var flags = isDeflated ? Self.deflatedFlag : 0
        for (bit, role) in Self.roles.enumerated() where facts[role] != nil { flags |= 1 << bit }
        bytes.append(UInt8(flags))
        bytes.append(integer: rootVersion)
        for role in Self.roles {
            guard let fact = facts[role] else { continue }
            if role == .timestamp {
                bytes.append(integer: fact.version)
            } else {
                let distance = fact.version - to
                bytes.append(integer: distance >= 0 ? distance * 2 : -distance * 2 - 1)
            }
            bytes.append(integer: fact.expiryDay)
            bytes.append(integer: fact.signers.reduce(0) { $0 | 1 << $1 })
            for signature in fact.signatures { bytes += signature }
        }
        return bytes + body
    }
}
