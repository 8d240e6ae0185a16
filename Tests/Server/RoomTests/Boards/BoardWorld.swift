import Accounts
import Foundation
import ServiceAPI
import Synchronization
import Testing
import UserData

@testable import Boards
@testable import Ledger
@testable import Review

/// A server's users with boards, and a record of all that they answered.
final class BoardWorld: Sendable {
    /// An answer with its arrival at the server.
    struct Arrival: Sendable {
        var user: String
        var row: AnswerRow
        var at: Int64

        /// Returns the answer with the grade that corrections give it.
        func graded(by corrections: ServedCorrections?) -> Arrival {
            let version = ServedCorrections.Version(
                bank: row.bank, question: row.question, version: row.version)
            guard let corrections, corrections.versions.contains(version),
                let grade = corrections.grade(
                    version, row.options, .init(isCorrect: row.isCorrect, credit: row.credit))
            else { return self }
            var graded = self
            graded.row.isCorrect = grade.isCorrect
            graded.row.credit = grade.credit
            return graded
        }
    }

    /// Makes corrections of the only version of questions, by their right options.
    static func corrections(release: Int, _ right: [String: String]) -> ServedCorrections {
        let entries = right.map { question, key in
            (ServedCorrections.Version(bank: bank, question: question, version: ""), key)
        }
        return ServedCorrections(release: release, entries: entries) { version, response, _ in
            let isCorrect = response == [right[version.question] ?? ""]
            return .init(isCorrect: isCorrect, credit: isCorrect ? 1 : 0)
        }
    }

    /// Refreshes and grades again until nothing changes, as the service of a process does.
    func refresh(_ corrections: ServedCorrections) async throws {
        while true {
            while try await regrader.follow(corrections) == true {}
            _ = try await boards.refresh()
            if try await regrader.regrade(corrections).answers == 0 { break }
        }
        _ = try await boards.refresh()
    }

    private struct State {
        var now: Date
        var arrivals: [Arrival] = []
        var counts: [String: UInt64] = [:]
        var requests: [String: UInt64] = [:]
    }

    static let bank = "de/driving"
    /// Monday, 2 November 2026, 12:00 UTC.
    static let start = Date(timeIntervalSince1970: 1_793_620_800)

    let accounts: AccountWorld
    let users: [String]
    let boards: BoardService
    let regrader: Regrader
    private let ledger: LedgerService
    private let state: Mutex<State>

    init(_ adapter: AccountAdapter, users count: Int, now: Date = start) async throws {
        accounts = try await adapter.make()
        users = (1...count).map { "user-\($0)" }
        for user in users { try await accounts.write(.create(user, tokenGeneration: 0, at: 0)) }
        let clock = Clock(now)
        self.clock = clock
        state = Mutex(State(now: now))
        boards = BoardService(accounts.boards) { clock.now }
        regrader = Regrader(accounts.regrading)
        ledger = LedgerService(
            Ledger(rules: CollectionRules.builtIn), storage: accounts.ledger,
            clock: { Int64(clock.now.timeIntervalSince1970 * 1000) }, makeText: { "text" })
    }

    /// A clock that tests set.
    final class Clock: Sendable {
        private let time: Mutex<Date>
        init(_ time: Date) { self.time = Mutex(time) }
        var now: Date { time.withLock { $0 } }
        func set(_ now: Date) { time.withLock { $0 = now } }
    }

    let clock: Clock
    var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    /// Sends answers of a user's only device as an exchange.
    func answer(_ user: String, _ rows: [AnswerRow?]) async throws {
        let (first, number) = state.withLock { state in
            let first = state.counts[user, default: 0] + 1
            state.counts[user, default: 0] += UInt64(rows.count)
            state.requests[user, default: 0] += 1
            return (first, state.requests[user, default: 0])
        }
        let client = ClientID("device of \(user)")
        let span = AnswerSpan(client: client, first: first, count: rows.count)
        let request = ExchangeRequest(
            number: number, user: user, client: client, epoch: nil, cursor: 0, operations: [],
            knownAnswers: AnswerVector([client: first - 1 + UInt64(rows.count)]), answers: [span])
        let at = Int64(clock.now.timeIntervalSince1970 * 1000)
        let reply = try await ledger.exchange(
            ExchangeCall(request: request, answers: [AnswerColumns(span: span, rows: rows)]))
        try #require(!reply.response.isFull && !reply.response.isDeviceStale)
        state.withLock { state in
            state.arrivals += rows.compactMap { $0.map { Arrival(user: user, row: $0, at: at) } }
        }
    }

    /// Returns a session of answers, of which as many as said are right.
    static func session(
        _ id: String, right: Int, of count: Int, at date: Date, mode: String = "practice",
        bank: String = bank, exposures: Int64 = 0
    ) -> [AnswerRow] {
        (0..<count).map { place in
            AnswerRow(
                bank: bank, session: id, question: "q\(place)", options: ["a"],
                isCorrect: place < right, takenMilliseconds: 10, exposuresBefore: exposures,
                mode: mode, milliseconds: Int64(date.timeIntervalSince1970 * 1000))
        }
    }

    /// Declares a board named `b`.
    func define(
        _ rule: BoardRule = BoardRule(), zone: String = "UTC",
        periods: [BoardPeriod] = BoardPeriod.allCases, graceHours: Int = 24
    ) async throws {
        try await accounts.boards.set(
            BoardDefinition(
                name: "b", bank: Self.bank, timeZone: zone, periods: periods, rule: rule,
                graceHours: graceHours))
    }

    /// Reads a board as a user.
    func page(
        _ user: String?, _ period: BoardPeriod, top: Int = 100, firstDay: String? = nil,
        friends: [String] = []
    ) async throws -> BoardPage? {
        try await boards.page(
            BoardQuery(
                name: "b", period: period, firstDay: firstDay, user: user, top: top,
                friends: friends))
    }

    /// Reads the ranks and scores of the top.
    func top(_ period: BoardPeriod, firstDay: String? = nil) async throws -> [[Int]] {
        try #require(try await page(nil, period, firstDay: firstDay)).top
            .map { [$0.rank, $0.score] }
    }
}

/// A board computed by brute force from the recorded answers, by other means than the server's.
struct BoardOracle {
    struct Line: Equatable {
        var user: String
        var score: Int
        var second: Int
    }

    /// The lines in the order of ranks.
    var lines: [Line] = []

    init(
        _ arrivals: [BoardWorld.Arrival], users: [String], rule: BoardRule,
        window: Range<Int64>
    ) {
        for user in users {
            let own = arrivals.filter { $0.user == user && $0.row.bank == BoardWorld.bank }
            let sessions = Dictionary(grouping: own) { $0.row.session + " " + $0.row.mode }
            var scores: [(points: Int, end: Int64)] = []
            for answers in sessions.values {
                let end = answers.map { min($0.row.milliseconds, $0.at) }.max() ?? 0
                let counted = answers.filter {
                    !rule.firstAttemptsOnly || $0.row.exposuresBefore == 0
                }
                let isOfMode =
                    rule.modes.isEmpty || rule.modes.contains(answers[0].row.mode)
                guard window.contains(end), isOfMode, counted.count >= max(1, rule.questionsMin)
                else { continue }
                let points = counted.map { Int(($0.row.credit * 10).rounded()) }
                scores.append((max(0, points.reduce(0, +)), end))
            }
            guard !scores.isEmpty else { continue }
            if rule.counts == .sum {
                lines.append(
                    Line(
                        user: user, score: scores.map(\.points).reduce(0, +),
                        second: Int((scores.map(\.end).max() ?? 0) / 1000)))
            } else {
                let best = scores.map(\.points).max() ?? 0
                let end = scores.filter { $0.points == best }.map(\.end).min() ?? 0
                lines.append(Line(user: user, score: best, second: Int(end / 1000)))
            }
        }
        let order = Dictionary(uniqueKeysWithValues: zip(users, users.indices))
        lines.sort { one, other in
            if one.score != other.score { return one.score > other.score }
            if one.second != other.second { return one.second < other.second }
            return (order[one.user] ?? 0) < (order[other.user] ?? 0)
        }
    }
}
