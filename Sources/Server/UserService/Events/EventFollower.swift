package import Foundation
import ServiceAPI
import UserData

/// The upkeep of events by one process: the ranking follows the database, and an event that ended is frozen.
///
/// Each process runs one. A standing that its own process could not apply, or that another one stored, reaches the ranking
/// with the next step; so does everything after the ranking lost its places.
package struct EventFollower: Sendable {
    /// The most standings that are in memory at once.
    static let pageMax = 1_000
    /// The time before the start at which the places are built, in seconds: the first submission finds them.
    private static let leadSeconds: TimeInterval = 60

    private let events: EventService
    /// The change from which each event is read next.
    private var cursors: [RankingKey: Int64] = [:]

    package init(_ events: EventService) { self.events = events }

    /// Takes one step for all events.
    ///
    /// - Parameter now: The wall clock.
    /// - Throws: `LedgerError`, or `CancellationError`; `RankingUnavailable` after all other work of the step was done.
    package mutating func step(now: Date) async throws {
        var obstacle: RankingUnavailable?
        for event in try await events.storage.events() {
            do {
                try await step(event, now: now)
            } catch let error as RankingUnavailable {
                obstacle = error
            }
        }
        if let obstacle { throw obstacle }
    }

    private mutating func step(_ event: StoredEvent, now: Date) async throws {
        guard event.frozenAt == nil else {
            if cursors.removeValue(forKey: event.key) != nil {
                try await events.ranking.drop(event.key)
            }
            return
        }
        let summary = event.definition.summary
        guard now >= summary.startsAt - Self.leadSeconds else { return }
        // Submissions that were decided before the end are stored by then.
        if now >= summary.endsAt + TimeInterval(ServiceLimits.eventFreezeSeconds) {
            try await events.storage.freeze(
                event.number, now: Int64(now.timeIntervalSince1970 * 1000))
        }
        try await follow(event)
    }

    private mutating func follow(_ event: StoredEvent) async throws {
        let (storage, ranking) = (events.storage, events.ranking)
        let next = try await storage.cursor(of: event.number)
        let isThere = try await ranking.read(event.key, top: 0, member: nil) != nil
        if isThere, let cursor = cursors[event.key] {
            cursors[event.key] = try await apply(event, since: cursor) ? next : nil
        } else {
            cursors[event.key] = try await events.build(event) ? next : nil
        }
    }

    /// Applies the changes since a number.
    ///
    /// - Returns: False when the places must be built first.
    private func apply(_ event: StoredEvent, since cursor: Int64) async throws -> Bool {
        var last: Int64 = 0
        while true {
            let standings = try await events.storage.standings(
                of: event.number, since: cursor, after: last, limit: Self.pageMax)
            guard let end = standings.last else { return true }
            guard try await events.ranking.apply(standings, to: event.key) != nil else {
                return false
            }
            last = end.member
        }
    }
}
