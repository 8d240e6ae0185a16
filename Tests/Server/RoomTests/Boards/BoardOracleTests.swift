import Foundation
import Operations
import TestSupport
import Testing
import UserData

@testable import Boards
@testable import Review

/// Boards after random concurrent sessions, against a board computed by brute force.
@Suite struct BoardOracleTests {
    private static let seeds: [UInt64] = [1701, 1702, 1703]

    private struct Case: Sendable, CustomTestStringConvertible {
        var adapter: AccountAdapter
        var seed: UInt64
        var testDescription: String { "\(adapter) seed \(seed)" }
    }

    private static let cases = AccountAdapter.allCases.flatMap { adapter in
        seeds.map { Case(adapter: adapter, seed: $0) }
    }

    private static func randomSession(
        _ number: Int, now: Date, using random: inout SeededGenerator
    ) -> [AnswerRow] {
        let count = Int.random(in: 1...6, using: &random)
        // Some sessions continue an earlier one; few scores and seconds, so that ties are frequent.
        let id = Bool.random(using: &random) ? "s\(number)" : "s\(number / 2)"
        let date = now - Double(Int.random(in: -2...30, using: &random) * 3600 * 4)
        var rows = BoardWorld.session(
            id, right: Int.random(in: 0...count, using: &random), of: count, at: date,
            mode: Bool.random(using: &random) ? "exam" : "practice",
            bank: Int.random(in: 0..<8, using: &random) == 0 ? "de/other" : BoardWorld.bank,
            exposures: Int64.random(in: 0...1, using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 {
            rows[0].credit = Double.random(in: -1...1, using: &random)
        }
        return rows
    }

    @Test(arguments: cases)
    private func everyRankIsThatOfBruteForce(one: Case) async throws {
        var random = SeededGenerator(seed: one.seed)
        let world = try await BoardWorld(one.adapter, users: 24)
        let rule = BoardRule(
            counts: Bool.random(using: &random) ? .sum : .best,
            firstAttemptsOnly: Bool.random(using: &random),
            modes: Bool.random(using: &random) ? ["exam"] : [],
            questionsMin: Int.random(in: 1...3, using: &random))
        try await world.define(rule, zone: "America/New_York", graceHours: 168)
        for round in 0..<3 {
            let now = world.clock.now
            let plans = world.users.map { user in
                (user, (0..<3).map { Self.randomSession(round * 3 + $0, now: now, using: &random) })
            }
            // All users at once, two refreshers beside them.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (user, sessions) in plans {
                    group.addTask { for rows in sessions { try await world.answer(user, rows) } }
                }
                for _ in 0..<2 {
                    group.addTask { _ = try await world.boards.refresh() }
                }
                try await group.waitForAll()
            }
            _ = try await world.boards.refresh()
            for period in BoardPeriod.allCases { try await compare(world, rule, period) }
            world.clock.set(now + 3600 * 7)
        }
    }

    /// The same with corrections that come, change and go between answers, and with answers that come after them.
    @Test(arguments: cases)
    private func everyRankFollowsTheCorrections(one: Case) async throws {
        var random = SeededGenerator(seed: one.seed + 100)
        let world = try await BoardWorld(one.adapter, users: 16)
        let rule = BoardRule(
            counts: Bool.random(using: &random) ? .sum : .best,
            firstAttemptsOnly: Bool.random(using: &random))
        try await world.define(rule, zone: "America/New_York", graceHours: 168)
        for round in 0..<4 {
            let now = world.clock.now
            // The same set twice, another one, then none: grades that hold no longer go.
            let right = [["q0": "a"], ["q0": "a"], ["q1": "b", "q2": "a"], [:]][round]
            let corrections = BoardWorld.corrections(release: round + 1, right)
            let plans = world.users.map { user in
                (user, (0..<2).map { Self.randomSession(round * 2 + $0, now: now, using: &random) })
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (user, sessions) in plans {
                    group.addTask { for rows in sessions { try await world.answer(user, rows) } }
                }
                // Two processes with these corrections, and one that still serves the release before.
                for _ in 0..<2 {
                    group.addTask { try await world.refresh(corrections) }
                }
                group.addTask {
                    try await world.refresh(BoardWorld.corrections(release: round, ["q3": "b"]))
                }
                try await group.waitForAll()
            }
            let preview = try await world.regrader.preview(corrections, boards: world.boards)
            try await world.refresh(corrections)
            let settled = try await world.regrader.preview(corrections, boards: world.boards)
            #expect(settled == RegradePreview(), "after \(preview)")
            for period in BoardPeriod.allCases {
                try await compare(world, rule, period, corrections)
            }
            #expect(try await world.regrader.regrade(corrections) == RegradeReport())
            world.clock.set(now + 3600 * 7)
        }
    }

    private func compare(
        _ world: BoardWorld, _ rule: BoardRule, _ period: BoardPeriod,
        _ corrections: ServedCorrections? = nil
    ) async throws {
        let definition = try #require(try await world.accounts.boards.definitions().first)
        let window = definition.window(period, at: world.clock.now)
        let oracle = BoardOracle(
            world.arrivals.map { $0.graded(by: corrections) }, users: world.users, rule: rule,
            window: window.start..<(window.end ?? .max)
        ).lines
        for user in world.users {
            let page = try #require(try await world.page(user, period))
            let top = page.top.map {
                BoardOracle.Line(
                    user: "", score: $0.score, second: Int($0.reachedAt.timeIntervalSince1970))
            }
            #expect(top == oracle.map { .init(user: "", score: $0.score, second: $0.second) })
            #expect(page.placeCount == oracle.count)
            let place = oracle.firstIndex { $0.user == user }
            #expect(page.own?.rank == place.map { $0 + 1 }, "\(period) \(user)")
            let around = place.map { max(0, $0 - 5)...min(oracle.count - 1, $0 + 5) }
            #expect(page.neighbours.map(\.rank) == around.map { $0.map { $0 + 1 } } ?? [])
            #expect(
                page.neighbours.firstIndex(where: \.isOwn)
                    == around.map { (place ?? 0) - $0.lowerBound })
        }
    }
}
