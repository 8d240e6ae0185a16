import Accounts
import Foundation
import ServiceAPI
import UserData

@testable import Boards
@testable import LiveEvents

/// A server's users with an event named `e`, from `start` on for ten minutes.
struct EventWorld {
    static let start = BoardWorld.start

    let accounts: AccountWorld
    let clock = BoardWorld.Clock(start + 1)
    let events: EventService

    init(
        _ adapter: AccountAdapter, users count: Int, _ rule: EventRule = EventRule()
    ) async throws {
        let accounts = try await adapter.make()
        self.accounts = accounts
        for number in 1...count {
            try await accounts.write(.create("user-\(number)", tokenGeneration: 0, at: 0))
        }
        events = EventService(accounts.events, ranking: MemoryRanking()) { [clock] in clock.now }
        try await define(rule)
    }

    /// Another process on the same database.
    func another() -> EventService {
        EventService(accounts.events, ranking: MemoryRanking()) { [clock] in clock.now }
    }

    func define(_ rule: EventRule = EventRule(), name: String = "e") async throws {
        try await events.set(
            EventDefinition(
                name: name, title: "Finals", bank: "es", startsAt: Self.start,
                endsAt: Self.start + 600, rule: rule))
    }

    @discardableResult
    func submit(
        _ points: Int, _ id: String, of user: String, to events: EventService? = nil,
        event: String = "e"
    ) async throws -> EventReceipt? {
        try await (events ?? self.events).submit(
            EventSubmission(id: id, points: points), to: event, of: user)
    }

    /// Sets the clock to a second of the event.
    func pass(to second: Double) { clock.set(Self.start + second) }

    func profile(_ user: String, _ name: String?, isListed: Bool = true) async throws {
        let boards = BoardService(accounts.boards) { [clock] in clock.now }
        _ = try await boards.set(BoardProfileChange(name: name, isListed: isListed), of: user)
    }

    func page(
        _ user: String? = nil, top: Int = 100, by events: EventService? = nil
    ) async throws -> LiveEventPage? {
        try await (events ?? self.events).page("e", top: top, for: user)
    }

    /// Returns the scores in the order of places.
    func scores(by events: EventService? = nil) async throws -> [Int] {
        try await page(by: events)?.top.map(\.score) ?? []
    }

    /// Takes a step of upkeep.
    func step(_ follower: inout EventFollower) async throws {
        try await follower.step(now: clock.now)
    }
}
