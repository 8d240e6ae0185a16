package import Foundation
import ServiceAPI
import UserData

/// The upkeep of events by one process: updates the ranking from the database, and freezes ended events.
///
/// Each process runs one. The next step applies standings to the ranking that another process stored, or that could not
/// be applied before; it also rebuilds a ranking that lost its places.
package struct EventFollower: Sendable {
    /// The most standings that are in memory at once.
    static let pageMax = 1_000
    /// The time before the start at which the places are built, in seconds: the first submission finds them.
    private static let leadSeconds: TimeInterval = 60

    private let events: EventService
    /// The events that this process followed: their places are dropped once they are frozen.
    private var followed: Set<RankingKey> = []
    private var jumps: ClockJumps?

    /// Creates the upkeep of events.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - uptime: The uptime of the process, which no clock setting changes: nothing is frozen within a minute of a
    ///     jump of the wall clock. `nil` to trust the wall clock.
    package init(_ events: EventService, uptime: (@Sendable () -> Duration)? = nil) {
        self.events = events
        jumps = uptime.map { ClockJumps(uptime: $0) }
    }

    /// Runs one step for all events.
    ///
    /// - Parameter now: The wall clock.
    /// - Throws: `StorageError`, or `CancellationError`; `RankingUnavailable` after all other work of the step.
    package mutating func step(now: Date) async throws {
        var obstacle: RankingUnavailable?
        let isSteady = jumps?.isSteady(at: now) ?? true
        for event in try await events.storage.events() {
            do {
                try await step(event, now: now, isSteady: isSteady)
            } catch let error as RankingUnavailable {
                obstacle = error
            }
        }
        if let obstacle { throw obstacle }
    }

    private mutating func step(_ event: StoredEvent, now: Date, isSteady: Bool) async throws {
        guard !event.isFrozen else {
            if followed.remove(event.key) != nil {
                try await events.ranking.drop(event.key)
            }
            return
        }
        let summary = event.definition.summary
        guard now >= summary.startsAt - Self.leadSeconds else { return }
        // Submissions that were decided before the end are stored by then.
        if isSteady, now >= summary.endsAt + TimeInterval(ServiceLimits.eventFreezeSeconds) {
            try await events.storage.freeze(
                event.number, now: Int64(now.timeIntervalSince1970 * 1000))
        }
        try await follow(event)
    }

    private mutating func follow(_ event: StoredEvent) async throws {
        let (storage, ranking) = (events.storage, events.ranking)
        let next = try await storage.cursor(of: event.number)
        followed.insert(event.key)
        // The ranking itself says from where on something may be missing: it may be of an older state than this process
        // has seen, as after a failover.
        guard let through = try await ranking.read(event.key, top: 0, member: nil)?.through,
            through > 0
        else {
            _ = try await events.build(event, through: next)
            return
        }
        if try await apply(event, since: through), next > through {
            try await ranking.note(through: next, of: event.key)
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

/// Jumps of the wall clock, by the time for which the process has run.
struct ClockJumps: Sendable {
    /// The difference between both clocks that counts as a jump.
    private static let tolerance: TimeInterval = 2
    /// The time for which the wall clock is not believed after a jump.
    private static let patience = Duration.seconds(60)

    private let uptime: @Sendable () -> Duration
    private var last: (wall: Date, uptime: Duration)?
    private var jumpedAt: Duration?

    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// Looks at both clocks.
    ///
    /// - Returns: False within a minute of a jump, forwards or back.
    mutating func isSteady(at wall: Date) -> Bool {
        let up = uptime()
        if let last {
            let passed =
                Double((up - last.uptime).components.seconds)
                + Double((up - last.uptime).components.attoseconds) / 1e18
            if abs(wall.timeIntervalSince(last.wall) - passed) > Self.tolerance { jumpedAt = up }
        }
        last = (wall, up)
        return jumpedAt.map { up - $0 >= Self.patience } ?? true
    }
}
