/// A digest of a set of records, independent of their order.
///
/// Tombstones do not count, so that each side may delete them at any time. Device and server
/// compare their digests: equal ones are the definition of "synced". A digest guards against
/// mistakes, not against an attacker.
package struct RecordDigest: Sendable, Hashable, Codable {
    private var rows = SetDigest()

    /// Creates the digest of an empty set.
    package init() {}

    /// Creates the digest of records.
    package init(_ records: some Sequence<UserRecord>) {
        for record in records { add(record) }
    }

    /// Adds a record.
    package mutating func add(_ record: UserRecord) {
        if !record.isDeleted { rows.add(Self.hash(record)) }
    }

    /// Removes a record that was added.
    package mutating func remove(_ record: UserRecord) {
        if !record.isDeleted { rows.remove(Self.hash(record)) }
    }

    /// The transmitted form, see `SetDigest.text`.
    package var text: String { rows.text }

    /// Parses the transmitted form; `nil` for any other text.
    package init?(text: String) {
        guard let rows = SetDigest(text: text) else { return nil }
        self.rows = rows
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
