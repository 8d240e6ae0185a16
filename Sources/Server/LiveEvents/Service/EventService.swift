import Accounts
package import Foundation
package import ServiceAPI
import Synchronization
package import UserData

/// The service of live events for routes and commands.
package struct EventService: Sendable {
    /// The storage.
    package let storage: EventStorage
    /// The places of running events.
    package let ranking: any LiveRanking
    private let clock: @Sendable () -> Date
    private let readings = LastReadings()

    package init(
        _ storage: EventStorage, ranking: any LiveRanking,
        clock: @escaping @Sendable () -> Date
    ) {
        self.storage = storage
        self.ranking = ranking
        self.clock = clock
    }

    /// The wall clock, in milliseconds since 1970.
    private var now: Int64 { Int64((clock().timeIntervalSince1970 * 1000).rounded(.down)) }

    /// Returns all events, in the order of names.
    ///
    /// - Throws: `StorageError`.
    package func summaries() async throws -> [LiveEvent] {
        try await storage.events().map(\.definition.summary)
    }

    /// Declares an event, or changes one without submissions.
    ///
    /// - Throws: `StorageError`, or `EventDefinition.ValidationError`, whose description names the remedy.
    package func set(_ definition: EventDefinition) async throws {
        try await storage.set(definition, id: RandomText.make(bytes: 9))
    }

    /// Decides about a submission, stores it if it counts, and places the learner.
    ///
    /// - Returns: The receipt, without a rank while the ranking is unreachable; `nil` for an unknown event.
    /// - Throws: `StorageError`, or `WireError` for more points than the event allows.
    package func submit(
        _ submission: EventSubmission, to name: String, of user: String
    ) async throws -> EventReceipt? {
        let verdict = try await storage.submit(submission, to: name, of: user, now: now)
        guard let verdict else { return nil }
        let standing = verdict.decision.standing
        var place: RankedPlace?
        if verdict.isListed, standing.submissions > 0, !verdict.event.isFrozen {
            do {
                place = try await ranking.apply([standing], to: verdict.event.key)
            } catch is RankingUnavailable {
                // Stored, and applied as soon as the ranking can be reached again.
            }
        }
        let rank = place?.rank
        return EventReceipt(
            result: verdict.decision.result, score: standing.score, rank: rank,
            placeCount: rank.flatMap { _ in place?.count })
    }

    /// Builds the places of an event in this process's own ranking, for a single read.
    ///
    /// - Throws: `StorageError`, or `RankingUnavailable`.
    package func buildPlaces(of name: String) async throws {
        let event = try await storage.events().first { $0.definition.name == name }
        if let event, !event.isFrozen { _ = try await build(event, through: 0) }
    }

    /// Builds the places of an event from the database.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - change: The change of the database up to which it was read before.
    /// - Returns: False when another process builds them.
    /// - Throws: `StorageError`, or `RankingUnavailable`.
    func build(_ event: StoredEvent, through change: Int64) async throws -> Bool {
        try await ranking.build(event.key, through: change) { last in
            try await storage.standings(
                of: event.number, since: 0, after: last, limit: EventFollower.pageMax)
        }
    }

    // MARK: Pages

    /// Returns the places of an event for a learner or for anyone.
    ///
    /// - Parameters:
    ///   - name: The event.
    ///   - top: The number of best places to return.
    ///   - user: The requesting account; `nil` for none.
    /// - Returns: The page; `nil` for an unknown event.
    /// - Throws: `StorageError`.
    package func page(_ name: String, top: Int, for user: String?) async throws -> LiveEventPage? {
        let event = try await storage.events().first { $0.definition.name == name }
        guard let event else { return nil }
        if event.isFrozen { return try await finalPage(event, top: top, for: user) }
        var page = LiveEventPage(
            event: name, state: event.definition.summary.state(at: clock()), asOf: clock())
        guard page.state != .upcoming else { return page }
        let member: Int64? =
            if let user { try await storage.member(of: user) } else { nil }
        var reading = try await reading(event, member)
        var members = try await storage.members(reading.members)
        let hidden = reading.members.filter { !(members[$0]?.isListed ?? false) }
        if !hidden.isEmpty, try await remove(hidden, from: event) {
            reading = try await self.reading(event, member)
            members = try await storage.members(reading.members)
        }
        page.isStale = reading.isStale
        page.asOf = reading.readAt
        page.placeCount = reading.value.own.count
        page.top = reading.value.top.prefix(top).enumerated().compactMap { index, place in
            guard let shown = members[place.member], shown.isListed else { return nil }
            return event.definition.entry(
                place.order, rank: index + 1, name: shown.name, isOwn: place.member == member)
        }
        if let member, let shown = members[member], shown.isListed,
            let rank = reading.value.own.rank, let order = reading.value.own.order
        {
            page.own = event.definition.entry(order, rank: rank, name: shown.name, isOwn: true)
        }
        return page
    }

    /// Returns the newest reading that there is.
    private func reading(_ event: StoredEvent, _ member: Int64?) async throws -> Reading {
        do {
            let value = try await ranking.read(
                event.key, top: ServiceLimits.boardTopMax, member: member)
            if let value {
                let reading = Reading(value: value, readAt: clock(), member: member)
                readings.note(reading, of: event.key)
                return reading
            }
        } catch is RankingUnavailable {
            // The last reading is shown, with its age.
        }
        return readings.last(of: event.key, for: member, at: clock())
    }

    /// Removes those who are deleted or do not want a place.
    ///
    /// - Returns: False when the ranking cannot be reached.
    private func remove(_ members: [Int64], from event: StoredEvent) async throws -> Bool {
        do {
            try await ranking.remove(members, from: event.key)
            return true
        } catch is RankingUnavailable {
            return false
        }
    }

    private func finalPage(
        _ event: StoredEvent, top: Int, for user: String?
    ) async throws -> LiveEventPage {
        let places = try await storage.finalPlaces(of: event.number, top: top, for: user)
        func entry(_ place: FinalPlaces.Place) -> BoardEntry {
            event.definition.entry(
                place.standing.order, rank: place.rank, name: place.name,
                isOwn: place.standing.member == places.own?.standing.member)
        }
        return LiveEventPage(
            event: event.definition.name, state: .ended, isFinal: true, placeCount: event.places,
            asOf: Date(timeIntervalSince1970: event.finalTime), top: places.top.map(entry),
            own: places.own.map(entry))
    }
}

extension EventDefinition {
    /// Returns a place as it is shown.
    fileprivate func entry(
        _ order: Int64, rank: Int, name: String?, isOwn: Bool
    ) -> BoardEntry {
        BoardEntry(
            rank: rank, score: EventStanding.score(of: order),
            reachedAt: Date(
                timeIntervalSince1970: Double(startsAt) + Double(EventStanding.second(of: order))),
            name: name, isOwn: isOwn)
    }
}

/// A reading with its age.
private struct Reading: Sendable {
    var value: RankingReading
    var readAt: Date
    var member: Int64?
    var isStale = false

    /// The learners whose names are needed.
    var members: [Int64] { value.top.map(\.member) + [member].compactMap { $0 } }
}

/// The last reading of each event, for the time in which there is no newer one.
private final class LastReadings: Sendable {
    private let readings = Mutex<[RankingKey: Reading]>([:])

    func note(_ reading: Reading, of event: RankingKey) {
        readings.withLock { readings in
            // Events are few; those that were removed meanwhile go with the next burst.
            if readings.count > 2 * ServiceLimits.eventsMax { readings = [:] }
            readings[event] = reading
        }
    }

    /// Returns the last reading as another learner sees it, without a place that is not theirs; an empty one before the
    /// first.
    func last(of event: RankingKey, for member: Int64?, at now: Date) -> Reading {
        let none = RankingReading(top: [], own: RankedPlace(rank: nil, order: nil, count: 0))
        var reading =
            readings.withLock { $0[event] } ?? Reading(value: none, readAt: now, member: member)
        let rank = reading.value.top.firstIndex { $0.member == member }
        reading.value.own = RankedPlace(
            rank: rank.map { $0 + 1 }, order: rank.map { reading.value.top[$0].order },
            count: reading.value.own.count)
        reading.member = member
        reading.isStale = true
        return reading
    }
}
