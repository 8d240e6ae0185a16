import Accounts
import PostgresDriver
import TestSupport
import Testing

@testable import LiveEvents
@testable import Tables

// GRDB has a type of that name, too.
private typealias Statement = Tables.Statement

/// The statements of events give the same rows and the same refusals on both databases, whatever was executed before.
@Suite struct RandomStatementTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func bothDatabasesDoTheSame(seed: UInt64) async throws {
        var pair = try await Pair()
        var chance = SeededGenerator(seed: seed)
        var (rows, refusals) = (0, 0)
        for step in 1...1_000 {
            let call = Call.random(using: &chance)
            let (lite, post) = try await pair.execute(call)
            #expect(lite == post, "seed \(seed), step \(step): \(call)")
            rows += lite?.joined().count ?? 0
            refusals += lite == nil ? 1 : 0
            guard lite == post else { return }
        }
        #expect(rows > 500 && refusals > 50, "\(rows) rows, \(refusals) refusals")
    }

    @Test(arguments: [
        "ALTER TABLE underway.event_score DROP CONSTRAINT event_score_score_check",
        "ALTER TABLE underway.event_submission DROP CONSTRAINT event_submission_points_check",
        "ALTER TABLE underway.event_score DROP CONSTRAINT event_score_event_fkey",
    ])
    func aDifferenceIsFound(script: String) async throws {
        var pair = try await Pair()
        try await pair.users.execute(script: script)
        var chance = SeededGenerator(seed: 4)
        for _ in 1...1_000 {
            let (lite, post) = try await pair.execute(Call.random(using: &chance))
            if lite != post { return }
        }
        Issue.record("no difference was found")
    }
}

/// One or more statements of events, with values that may be refused.
private struct Call: CustomStringConvertible {
    var name: String
    var role = TableRole.keeper
    /// The columns of the last statement's rows.
    var columns: [String] = []
    /// Binds the statements, given the number of an event and that of an account.
    var bound: @Sendable (_ event: Int64, _ account: Int64) -> [Bound]
    var event = "a"
    var user = "u"

    var description: String { "\(name) \(event) \(user)" }

    static let events = ["a", "b", "c"], users = ["u", "v", "w"]
    private static let standing = ["score", "second", "submissions"]
    private static let texts = ["1", "b'", "ü", "{me}", ":x", "{\"a\":1}", ""]

    static func random(using chance: inout SeededGenerator) -> Call {
        let numbers = (0..<4).map { _ in Int.random(in: -1...4, using: &chance) }
        let (text, other) = (
            texts.randomElement(using: &chance)!, texts.randomElement(using: &chance)!
        )
        let event = (events + ["none"]).randomElement(using: &chance)!
        let user = users.randomElement(using: &chance)!
        var call = all(event, user, text, other, numbers).randomElement(using: &chance)!
        (call.event, call.user) = (event, user)
        return call
    }

    private static func all(
        _ event: String, _ user: String, _ text: String, _ other: String, _ numbers: [Int]
    ) -> [Call] {
        typealias Events = EventStorage
        let own = TableRole.user(user)
        return [
            Call(name: "all", columns: ["id", "text", "frozen_at", "places", "epoch"]) { _, _ in
                [Events.all()]
            },
            Call(name: "named", columns: ["id", "text", "frozen_at", "places"]) { _, _ in
                [Events.named(["name": event])]
            },
            Call(name: "hasSubmissions", columns: ["found"]) { number, _ in
                [Events.exclusively(["event": number]), Events.hasSubmissions(["event": number])]
            },
            // Of a known name, so that both number their events alike.
            Call(name: "declaring \(text) \(numbers)") { _, _ in
                [
                    Events.declaring([
                        "id": text, "name": events[abs(numbers[0]) % 3], "text": "[\(numbers[1])]",
                    ])
                ]
            },
            Call(name: "count", columns: ["events"]) { _, _ in [Events.count()] },
            Call(name: "standing", role: own, columns: ["account"] + standing) { _, _ in
                [Events.sharing(["name": event]), Events.standing(["name": event])]
            },
            Call(name: "isKnown \(text)", role: own, columns: ["found"]) { _, _ in
                [Events.isKnown(["name": event, "id": text])]
            },
            Call(name: "isListed", role: own, columns: ["is_listed"]) { _, _ in
                [Events.isListed()]
            },
            Call(name: "submitting \(text) \(numbers)", role: own) { number, _ in
                [
                    Events.submitting([
                        "event": number, "id": text, "points": numbers[0], "at": numbers[1],
                    ])
                ]
            },
            Call(name: "scoring \(numbers)", role: own) { number, account in
                Events.storing(
                    EventStanding(
                        member: account, score: numbers[0], second: numbers[1],
                        submissions: numbers[2]), in: number)
            },
            Call(name: "changed \(numbers)", columns: ["account"] + standing) { number, _ in
                [
                    Events.changed([
                        "event": number, "change": numbers[0] < 0 ? Int64.max : 0,
                        "member": numbers[1], "limit": max(0, numbers[2]),
                    ])
                ]
            },
            Call(name: "members \(numbers)", columns: ["number", "name", "is_listed"]) { _, _ in
                [Events.members(["numbers": numbers.map(Int64.init)])]
            },
            Call(name: "member", columns: ["number"]) { _, _ in
                [Events.member(["user": user + (numbers[0] < 0 ? "?" : "")])]
            },
            Call(name: "exported", role: own, columns: ["account", "name"] + standing) { _, _ in
                [Events.exported()]
            },
            Call(name: "isOpen") { number, _ in [Events.isOpen(["event": number])] },
            Call(name: "freezing \(numbers)") { number, _ in
                [
                    Events.ranking(["event": number]),
                    Events.freezing(["event": number, "now": numbers[0]]),
                ]
            },
            Call(name: "reopening") { number, _ in
                [Events.unranking(["event": number]), Events.reopening(["event": number])]
            },
            Call(name: "topPlaces \(numbers)", columns: ["account", "rank", "name"] + standing) {
                number, _ in [Events.topPlaces(["event": number, "top": numbers[0]])]
            },
            Call(name: "ownPlace", columns: ["account", "rank", "name"] + standing) { number, _ in
                [Events.ownPlace(["event": number, "user": user])]
            },
            Call(name: "listing \(text)", role: own) { _, _ in
                [profile("TRUE")(["code": "\(user)\(numbers[0])", "name": text])]
            },
            Call(name: "hiding", role: own) { _, _ in
                [profile("FALSE")(["code": user, "name": other])]
            },
        ]
    }

    private static func profile(_ isListed: String) -> Statement {
        Statement(
            """
            INSERT INTO {board_profile} (account, code, name, is_listed)
            VALUES ({me}, :code, :name, \(isListed))
            ON CONFLICT (account) DO UPDATE SET name = excluded.name, is_listed = excluded.is_listed
            """)
    }
}

/// A database of each kind with the same users and events.
private struct Pair {
    let users: PostgresUsers
    private let worlds: [AccountWorld]
    private let numbers: [[String: Int64]]

    init() async throws {
        users = try await PostgresUsers([])
        var settings = PoolSettings.patient(users.server)
        // Each statement is prepared once, as SQLite's are.
        settings.statementNamesMax = 100
        worlds = [
            try AccountAdapter.world(TemporaryFolder()),
            try AccountAdapter.world(users, PostgresPool(settings), TemporaryFolder()),
        ]
        var numbers: [[String: Int64]] = []
        for world in worlds {
            for user in Call.users {
                try await world.write(.create(user, tokenGeneration: 0, at: 0))
            }
            numbers.append(
                try await world.tables.write(as: .keeper) { transaction in
                    try transaction.run(
                        Call.events.map {
                            EventStorage.declaring(["id": "id of \($0)", "name": $0, "text": "{}"])
                        })
                    return try Dictionary(
                        uniqueKeysWithValues: Call.events.map { name in
                            let row = try transaction.run([EventStorage.named(["name": name])])[0][
                                0]
                            return (name, try row.value("number"))
                        })
                })
        }
        self.numbers = numbers
    }

    /// Executes a call on both, each in a transaction of its own; no rows at all where it was refused.
    mutating func execute(_ call: Call) async throws -> ([[String]]?, [[String]]?) {
        var results: [[[String]]?] = []
        for (world, numbers) in zip(worlds, numbers) {
            let account = Int64(Call.users.firstIndex(of: call.user) ?? 0) + 1
            let batch = call.bound(numbers[call.event] ?? 999, account)
            let columns = call.columns
            results.append(
                try? await world.tables.write(as: call.role) { transaction in
                    let rows = try transaction.commit(after: batch).last ?? []
                    return try rows.map { row in try columns.map { try Self.text(row, $0) } }
                })
        }
        return (results[0], results[1])
    }

    /// Writes a value of any type, a truth value as SQLite has it.
    private static func text(_ row: TableRow, _ column: String) throws -> String {
        if let number = try? row.value(column, as: Int64.self) { return "\(number)" }
        if let flag = try? row.value(column, as: Bool.self) { return flag ? "1" : "0" }
        return try row.value(column, as: String?.self) ?? "NULL"
    }
}
