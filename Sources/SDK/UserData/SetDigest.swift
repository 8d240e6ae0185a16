/// A digest of a set of hashed rows, independent of their order.
///
/// Rows are added and removed one by one, and the digests of disjoint sets are added. It guards
/// against mistakes, not against an attacker.
package struct SetDigest: Sendable, Hashable, Codable {
    /// The number of rows.
    package private(set) var count: UInt64
    /// The sum of the rows' hashes.
    package private(set) var sum: UInt64
    /// The exclusive or of the rows' hashes, each times 0x9E3779B97F4A7C15.
    package private(set) var cross: UInt64

    /// Creates a digest from its parts; by default that of an empty set.
    package init(count: UInt64 = 0, sum: UInt64 = 0, cross: UInt64 = 0) {
        (self.count, self.sum, self.cross) = (count, sum, cross)
    }

    /// Creates the digest of rows from their hashes.
    package init(_ hashes: some Sequence<UInt64>) {
        self.init()
        for hash in hashes { add(hash) }
    }

    /// Adds a row by its hash.
    package mutating func add(_ hash: UInt64) {
        count &+= 1
        sum &+= hash
        cross ^= hash &* Self.factor
    }

    /// Removes a row that was added.
    package mutating func remove(_ hash: UInt64) {
        count &-= 1
        sum &-= hash
        cross ^= hash &* Self.factor
    }

    /// Adds all rows of a disjoint set.
    package mutating func add(_ other: SetDigest) {
        count &+= other.count
        sum &+= other.sum
        cross ^= other.cross
    }

    /// Removes all rows of a set that was added.
    package mutating func remove(_ other: SetDigest) {
        count &-= other.count
        sum &-= other.sum
        cross ^= other.cross
    }

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The transmitted form: number, sum and exclusive or in hexadecimal, separated by dots.
    package var text: String {
        [count, sum, cross].map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// Parses the transmitted form; `nil` for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            .map { UInt64($0, radix: 16) }
        guard parts.count == 3, let count = parts[0], let sum = parts[1], let cross = parts[2]
        else { return nil }
        self.init(count: count, sum: sum, cross: cross)
    }
}

extension Sequence<SetDigest> {
    /// The digest of all rows of disjoint sets.
    package var joined: SetDigest { reduce(into: SetDigest()) { $0.add($1) } }
}
