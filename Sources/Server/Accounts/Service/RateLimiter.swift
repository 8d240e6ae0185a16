import ServiceAPI
import Synchronization

/// A token bucket per name: a burst, and then a rate per minute.
///
/// Each call costs O(1), also in dropped names: buckets are linked in the order of their last use, and above the limit
/// of names the least recently used one is replaced.
final class RateLimiter: Sendable {
    private let state: Mutex<RateBuckets>

    /// Creates a limiter whose buckets are full.
    ///
    /// - Parameters:
    ///   - perMinute: The capacity of a bucket, and its refill per minute.
    ///   - namesMax: The most names that are remembered.
    init(perMinute: Int, namesMax: Int = ServiceLimits.limitedNamesMax) {
        state = Mutex(RateBuckets(perMinute: perMinute, namesMax: namesMax))
    }

    /// Consumes tokens if one is left; the debt is never more than an hour's tokens.
    ///
    /// - Parameters:
    ///   - name: The name of the bucket.
    ///   - cost: The number of tokens.
    ///   - now: In milliseconds; it may jump.
    /// - Returns: `nil` when the tokens were consumed; else the seconds to wait.
    func wait(_ name: String, cost: Int = 1, now: Int64) -> Int? {
        state.withLock { $0.consume(name, cost, now) }
    }

    /// The number of names that are remembered.
    var names: Int { state.withLock { $0.count } }
}

/// The buckets of a limiter: a table by name, and a ring in the order of last use.
private struct RateBuckets {
    private struct Bucket {
        var name: String
        var tokens: Double
        var filledAt: Int64
        var newer: Int
        var older: Int
    }

    private let perMinute: Double
    private let namesMax: Int
    private var places: [String: Int] = [:]
    /// The sentinel at index 0, where the ring begins: its `older` is the newest bucket.
    private var ring = [Bucket(name: "", tokens: 0, filledAt: 0, newer: 0, older: 0)]
    private var free: [Int] = []

    init(perMinute: Int, namesMax: Int) {
        self.perMinute = Double(perMinute)
        self.namesMax = max(1, namesMax)
    }

    var count: Int { places.count }

    mutating func consume(_ name: String, _ cost: Int, _ now: Int64) -> Int? {
        let place = places[name] ?? add(name, now)
        unlink(place)
        link(place)
        let tokens = tokens(place, now)
        ring[place].filledAt = now
        guard tokens >= 1 else {
            ring[place].tokens = tokens
            return max(1, Int(((1 - tokens) * 60 / perMinute).rounded(.up)))
        }
        ring[place].tokens = max(tokens - Double(cost), -60 * perMinute)
        return nil
    }

    private func tokens(_ place: Int, _ now: Int64) -> Double {
        let minutes = Double(max(0, now - ring[place].filledAt)) / 60_000
        return min(perMinute, ring[place].tokens + minutes * perMinute)
    }

    /// Adds a full bucket for a new name and returns its index; drops two of the oldest if they are
    /// full again, and one in any case at the limit.
    private mutating func add(_ name: String, _ now: Int64) -> Int {
        for _ in 0..<2 where count > 0 && tokens(ring[0].newer, now) >= perMinute {
            removeOldest()
        }
        if count >= namesMax { removeOldest() }
        let bucket = Bucket(name: name, tokens: perMinute, filledAt: now, newer: 0, older: 0)
        let place = free.popLast() ?? ring.endIndex
        if place == ring.endIndex { ring.append(bucket) } else { ring[place] = bucket }
        places[name] = place
        link(place)
        return place
    }

    private mutating func removeOldest() {
        let oldest = ring[0].newer
        unlink(oldest)
        places[ring[oldest].name] = nil
        ring[oldest].name = ""
        free.append(oldest)
    }

    /// Links a bucket as the newest.
    private mutating func link(_ place: Int) {
        let second = ring[0].older
        ring[place].newer = 0
        ring[place].older = second
        ring[second].newer = place
        ring[0].older = place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (ring[place].newer, ring[place].older)
        ring[newer].older = older
        ring[older].newer = newer
    }
}
