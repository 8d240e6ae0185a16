/// A digest of a set of records, independent of their order.
///
/// Tombstones do not count, so that each side may delete them at any time. Device and server
/// compare their digests: equal ones are the definition of "synced". A digest guards against
/// mistakes, not against an attacker.
package struct RecordDigest: Sendable, Hashable, Codable {
    private var count: UInt64 = 0
    private var sum: UInt64 = 0
    private var cross: UInt64 = 0

    /// Creates the digest of an empty set.
    package init() {}

    /// Creates the digest of records.
    package init(_ records: some Sequence<UserRecord>) {
        for record in records { add(record) }
    }

    /// Adds a record.
    package mutating func add(_ record: UserRecord) {
        guard !record.isDeleted else { return }
        let hash = Self.hash(record)
        count &+= 1
        sum &+= hash
        cross ^= hash &* Self.factor
    }

    /// Removes a record that was added.
    package mutating func remove(_ record: UserRecord) {
        guard !record.isDeleted else { return }
        let hash = Self.hash(record)
        count &-= 1
        sum &-= hash
        cross ^= hash &* Self.factor
    }

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The transmitted form: the number of records, the sum of their hashes and the exclusive or of
    /// their hashes times 0x9E3779B97F4A7C15, each in hexadecimal, separated by dots.
    package var text: String {
        [count, sum, cross].map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// Parses the transmitted form; `nil` for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            .map { UInt64($0, radix: 16) }
        guard parts.count == 3, let count = parts[0], let sum = parts[1], let cross = parts[2]
        else { return nil }
        (self.count, self.sum, self.cross) = (count, sum, cross)
    }

    /// Returns FNV-1a with 64 bits (Fowler, Noll and Vo) over everything that a device shows.
    ///
    /// Each text is terminated by the byte FF: collection, id, revision in decimal, then name and
    /// value of each field in the order of the names' UTF-8 bytes.
    private static func hash(_ record: UserRecord) -> UInt64 {
        var hash = FNVHash()
        hash.mix(record.key.collection)
        hash.mix(record.key.id)
        hash.mix("\(record.revision)")
        let values = record.values.sorted {
            $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }
        for (name, value) in values {
            hash.mix(name)
            hash.mix(value.digestText)
        }
        return hash.value
    }
}
