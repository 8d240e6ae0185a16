/// The numbers of a board's places by ranges of keys, for computing a rank without counting the board.
///
/// A bucket begins at `low` and ends before the next one. It has about 1,000 places: a bucket above `placesMax` is
/// split, and neighbours with fewer than `placesMin` together are merged.
package struct BucketTable: Sendable, Hashable {
    /// A range of keys.
    package struct Bucket: Sendable, Hashable {
        /// The least key of the range.
        package var low: Int64
        /// The number of places in it.
        package var count: Int

        package init(low: Int64, count: Int) {
            self.low = low
            self.count = count
        }
    }

    /// The bounds and the middle of a bucket that must be split.
    package struct Overfull: Sendable, Hashable {
        /// The index of the bucket.
        package var index: Int
        /// The least key of the range.
        package var low: Int64
        /// The exclusive end of the range.
        package var end: Int64
        /// The number of places before the middle.
        package var half: Int
    }

    /// The maximum number of places in a bucket, unless all of them have the same key.
    package static let placesMax = 2_000
    /// The number of places below which two neighbours are merged.
    package static let placesMin = 500

    /// The buckets in the order of keys; the first begins at 0.
    package private(set) var buckets: [Bucket]
    /// The lows of buckets whose places all have one key.
    private var indivisible: Set<Int64> = []

    /// Creates a table from the buckets of a board, in any order.
    package init(_ buckets: [Bucket] = []) {
        let sorted = buckets.sorted { $0.low < $1.low }
        self.buckets = sorted.first?.low == 0 ? sorted : [Bucket(low: 0, count: 0)] + sorted
    }

    /// The number of all places.
    package var count: Int { buckets.reduce(0) { $0 + $1.count } }

    /// Returns the index of the bucket of a key; O(log n).
    private func index(of key: Int64) -> Int {
        var (low, high) = (0, buckets.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if buckets[middle].low <= key { low = middle } else { high = middle }
        }
        return low
    }

    /// Moves a place from one key to another; `nil` for no place.
    package mutating func move(from old: Int64?, to new: Int64?) {
        if let old { buckets[index(of: old)].count -= 1 }
        if let new { buckets[index(of: new)].count += 1 }
    }

    /// The first bucket that must be split; `nil` for none.
    package var overfull: Overfull? {
        let index = buckets.firstIndex {
            $0.count > Self.placesMax && !indivisible.contains($0.low)
        }
        return index.map { index in
            Overfull(
                index: index, low: buckets[index].low,
                end: index + 1 < buckets.count ? buckets[index + 1].low : .max,
                half: buckets[index].count / 2)
        }
    }

    /// Splits a bucket.
    ///
    /// - Parameters:
    ///   - part: The bucket, from `overfull`.
    ///   - cut: A key of the bucket above its lowest one, and the number of places before it; `nil` if all its places
    ///     have one key.
    package mutating func split(_ part: Overfull, at cut: (key: Int64, before: Int)?) {
        guard let cut else {
            indivisible.insert(part.low)
            return
        }
        let rest = buckets[part.index].count - cut.before
        buckets[part.index].count = cut.before
        buckets.insert(Bucket(low: cut.key, count: rest), at: part.index + 1)
    }

    /// Merges small neighbours.
    package mutating func mergeSmall() {
        var merged: [Bucket] = []
        for bucket in buckets {
            if let last = merged.indices.last,
                merged[last].count + bucket.count < Self.placesMin || bucket.count == 0
            {
                merged[last].count += bucket.count
            } else {
                merged.append(bucket)
            }
        }
        buckets = merged
    }

    /// Returns the buckets that are new or changed since another table, and the lower bounds that were removed.
    package func changes(since other: BucketTable) -> (written: [Bucket], removed: [Int64]) {
        let known = Dictionary(
            other.buckets.map { ($0.low, $0.count) }, uniquingKeysWith: { $1 })
        let lows = Set(buckets.map(\.low))
        return (
            buckets.filter { known[$0.low] != $0.count },
            other.buckets.map(\.low).filter { !lows.contains($0) }
        )
    }
}
