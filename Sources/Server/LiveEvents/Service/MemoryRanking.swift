import Synchronization

/// The places of events in the memory of one process.
package final class MemoryRanking: LiveRanking {
    private struct Event {
        var epoch: Int64
        var through: Int64 = 0
        var places = RankedSet()
        var standings: [Int64: EventStanding] = [:]

        mutating func apply(_ standing: EventStanding) {
            if let known = standings[standing.member], !standing.isNewer(than: known) { return }
            standings[standing.member] = standing
            places.insert(standing.member, order: standing.order)
        }

        func place(of member: Int64?) -> RankedPlace {
            RankedPlace(
                rank: member.flatMap { places.rank(of: $0) },
                order: member.flatMap { places.order(of: $0) }, count: places.count)
        }
    }

    private let events = Mutex<[String: Event]>([:])

    package init() {}

    package func apply(
        _ standings: [EventStanding], to event: RankingKey
    ) async throws -> RankedPlace? {
        events.withLock { events in
            guard events[event.id]?.epoch == event.epoch else { return nil }
            for standing in standings { events[event.id]?.apply(standing) }
            return events[event.id]?.place(of: standings.last?.member)
        }
    }

    package func read(
        _ event: RankingKey, top: Int, member: Int64?
    ) async throws -> RankingReading? {
        events.withLock { events in
            guard let known = events[event.id], known.epoch == event.epoch else { return nil }
            return RankingReading(
                top: known.places.top(top), own: known.place(of: member), through: known.through)
        }
    }

    package func remove(_ members: [Int64], from event: RankingKey) async throws {
        events.withLock { events in
            for member in members {
                events[event.id]?.places.remove(member)
                events[event.id]?.standings[member] = nil
            }
        }
    }

    package func build(
        _ event: RankingKey, through change: Int64,
        from page: (_ after: Int64) async throws -> [EventStanding]
    ) async throws -> Bool {
        var built = Event(epoch: event.epoch, through: change)
        var last: Int64 = 0
        while true {
            let standings = try await page(last)
            guard let end = standings.last else { break }
            for standing in standings { built.apply(standing) }
            last = end.member
        }
        events.withLock { [built] in $0[event.id] = built }
        return true
    }

    package func note(through change: Int64, of event: RankingKey) async throws {
        events.withLock { events in
            guard let known = events[event.id], known.epoch == event.epoch else { return }
            events[event.id]?.through = max(known.through, change)
        }
    }

    package func drop(_ event: RankingKey) async throws {
        events.withLock { _ = $0.removeValue(forKey: event.id) }
    }
}
