/// A set of places with access by rank.
///
/// Cost: O(√n) for an insertion or a rank, by sorted buckets of at most 1,024 places.
package struct RankedSet: Sendable {
    private struct Place: Sendable, Hashable, Comparable {
        var order: Int64
        var member: Int64

        static func < (left: Place, right: Place) -> Bool {
            (left.order, left.member) < (right.order, right.member)
        }
    }

    private static let bucketMax = 1_024

    private var buckets: [[Place]] = []
    private var orders: [Int64: Int64] = [:]

    package init() {}

    /// The number of places.
    package var count: Int { orders.count }

    /// Returns the order of a member; `nil` without a place.
    package func order(of member: Int64) -> Int64? { orders[member] }

    /// Inserts a member, or moves it.
    package mutating func insert(_ member: Int64, order: Int64) {
        remove(member)
        orders[member] = order
        let place = Place(order: order, member: member)
        let index = bucket(of: place)
        guard index < buckets.count else { return buckets.append([place]) }
        buckets[index].insert(place, at: Self.lowerBound(place, in: buckets[index]))
        guard buckets[index].count > Self.bucketMax else { return }
        let upper = Array(buckets[index][(Self.bucketMax / 2)...])
        buckets[index].removeSubrange((Self.bucketMax / 2)...)
        buckets.insert(upper, at: index + 1)
    }

    /// Removes a member's place, if any.
    package mutating func remove(_ member: Int64) {
        guard let order = orders.removeValue(forKey: member) else { return }
        let place = Place(order: order, member: member)
        let index = bucket(of: place)
        buckets[index].remove(at: Self.lowerBound(place, in: buckets[index]))
        if buckets[index].isEmpty { buckets.remove(at: index) }
    }

    /// Returns the rank of a member, from 1; `nil` without a place.
    package func rank(of member: Int64) -> Int? {
        guard let order = orders[member] else { return nil }
        let place = Place(order: order, member: member)
        let index = bucket(of: place)
        let before = buckets[..<index].reduce(0) { $0 + $1.count }
        return before + Self.lowerBound(place, in: buckets[index]) + 1
    }

    /// Returns the best places, in order.
    package func top(_ count: Int) -> [RankedMember] {
        buckets.lazy.joined().prefix(count).map { RankedMember(member: $0.member, order: $0.order) }
    }

    /// Returns the last bucket that begins at or before a place; the first one for a place before all.
    private func bucket(of place: Place) -> Int {
        var (low, high) = (0, buckets.count)
        while low < high {
            let middle = (low + high) / 2
            if buckets[middle][0] <= place { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    private static func lowerBound(_ place: Place, in places: [Place]) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
