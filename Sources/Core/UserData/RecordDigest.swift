/// A fingerprint of a set of records that does not depend on their order.
///
/// Device and server compare theirs: equal digests are what "synced" means. It guards against
/// mistakes, not against an enemy.
public struct RecordDigest: Sendable, Hashable, Codable {
    private var count: UInt64 = 0
    private var sum: UInt64 = 0
    private var crossSum: UInt64 = 0

    /// The digest of records.
    public init(_ records: some Sequence<Record>) {
        for record in records { add(record) }
    }

    /// Adds a record.
    public mutating func add(_ record: Record) {
        let hash = Self.hash(record)
        count &+= 1
        sum &+= hash
        crossSum ^= hash &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    /// FNV-1a (Fowler, Noll and Vo) over everything that a device shows.
    private static func hash(_ record: Record) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        mix(record.key.collection)
        mix(record.key.id)
        mix("\(record.revision)")
        mix(record.isDeleted ? "deleted" : "")
        for (name, value) in record.values.sorted(by: { $0.key < $1.key }) {
            mix(name)
            mix("\(value)")
        }
        return hash
    }
}
