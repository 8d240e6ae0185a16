import Foundation
import PostgresDriver
import ServiceAPI
import Testing
import UserData

@testable import Accounts
@testable import Boards
@testable import ContentServer
@testable import LiveEvents
@testable import Operations
@testable import ServerApplication
@testable import Tables

// GRDB has a type of that name, too.
private typealias Statement = Tables.Statement

/// Transactions of shared statements on both databases.
@Suite struct TableDatabaseTests {
    static let adapters = AccountAdapter.allCases

    private func world(_ adapter: AccountAdapter, users: String...) async throws -> AccountWorld {
        let world = try await adapter.make()
        for user in users { try await world.write(.create(user, tokenGeneration: 0, at: 0)) }
        return world
    }

    @Test(arguments: adapters)
    func valuesAreDecodedAlike(adapter: AccountAdapter) async throws {
        let world = try await world(adapter)
        try await world.tables.read(as: .keeper) { transaction in
            let statement = Statement(
                """
                SELECT CAST(:number AS bigint) AS number, CAST(:text AS text) AS text,
                    EXISTS (SELECT 1) AS truth, NULL AS missing
                """)
            let rows = try transaction.run([statement(["number": Int64.max, "text": "':ü\""])])[0]
            let row = try #require(rows.first)
            #expect(rows.count == 1)
            #expect(try row.value("number") == Int64.max)
            #expect(try row.value("number", as: Int?.self) == Int.max)
            #expect(try row.value("text") == "':ü\"")
            #expect(try row.value("truth") == true)
            #expect(try row.value("missing", as: String?.self) == nil)
            #expect(throws: (any Error).self) { try row.value("missing", as: Int.self) }
            #expect(throws: (any Error).self) { try row.value("text", as: Int.self) }
            #expect(throws: (any Error).self) { try row.value("none", as: Int?.self) }
        }
    }

    @Test(arguments: adapters)
    func aListMayBeEmptyAndLong(adapter: AccountAdapter) async throws {
        let world = try await world(adapter, users: "u", "v")
        let found = Statement("SELECT id FROM {account} WHERE number {in :list} ORDER BY number")
        let lists: [[Int64]] = [[], [2], Array(1...100_000), [-1, .max, .min]]
        let ids = try await world.tables.read(as: .keeper) { transaction in
            try transaction.run(lists.map { found(["list": $0]) }).map { rows in
                try rows.map { try $0.value("id", as: String.self) }
            }
        }
        #expect(ids == [[], ["v"], ["u", "v"], []])
    }

    @Test(arguments: adapters)
    func aUserIsWhoAsks(adapter: AccountAdapter) async throws {
        let world = try await world(adapter, users: "u", "v")
        let own = Statement("SELECT id FROM {account} WHERE number = {me}")
        let locked = Statement("SELECT id FROM {account} WHERE number = {me} {for update}")
        let ids = try await world.tables.write(as: .user("v"), together: true) { transaction in
            // The role is taken before the first batch, and holds for the others.
            try (transaction.run([locked(), own()]) + transaction.commit(after: [own()])).map {
                try $0.first?.value("id", as: String.self)
            }
        }
        #expect(ids == ["v", "v", "v"])
        let account = try await world.tables.read(as: .user("v")) { transaction in
            _ = try transaction.run([own()])
            return transaction.account
        }
        #expect(account == 2)
        await #expect(throws: StorageError.noAccount) {
            try await world.tables.read(as: .user("nobody")) { _ = try $0.run([own()]) }
        }
        let nobody = try await world.tables.read(as: .keeper) {
            try $0.commit(after: [own()])[0].count
        }
        #expect(nobody == 0)
    }

    @Test(arguments: adapters)
    func whatThrowsIsUndone(adapter: AccountAdapter) async throws {
        struct Refusal: Error {}
        let world = try await world(adapter)
        await #expect(throws: Refusal.self) {
            try await world.tables.write(as: .keeper) { transaction in
                let rows = try transaction.run([
                    EventStorage.declaring(["id": "i", "name": "n", "text": "{}"]),
                    EventStorage.count(),
                ])
                let count: Int? = try rows[1].first?.value("events")
                #expect(rows[0].isEmpty && count == 1)
                throw Refusal()
            }
        }
        let count = try await world.tables.read(as: .keeper) {
            try $0.commit(after: [EventStorage.count()])[0].first?.value("events", as: Int.self)
        }
        #expect(count == 0)
    }

    @Test func aBatchIsOneRoundTrip() async throws {
        let users = try await PostgresUsers(["u"])
        let pool = users.pool(1)
        @Sendable func trips(_ body: () async throws -> Void) async throws -> Int {
            let before = try await pool.use { $0.roundTripCount }
            try await body()
            return try await pool.use { $0.roundTripCount } - before
        }
        let count = EventStorage.count()
        let runs = try await trips {
            try await pool.write(as: .user("u")) { transaction in
                try transaction.run([count, count, count])
                try transaction.run([count, count])
                try transaction.commit(after: [count, count])
            }
        }
        #expect(runs == 3)
        let empty = try await trips { try await pool.write(as: .keeper) { _ in } }
        #expect(empty == 0)
    }

    private static func expect(
        _ trips: Int, of pool: PostgresPool, _ name: Comment, _ body: () async throws -> Void
    ) async throws {
        let before = try await pool.use { $0.roundTripCount }
        try await body()
        let after = try await pool.use { $0.roundTripCount }
        #expect(after - before == trips, name)
    }

    private func expectBoards(_ pool: PostgresPool) async throws {
        let boards = BoardStorage(pool, changesMax: 9)
        let service = BoardService(boards) { BoardWorld.start }
        let profile = BoardProfile(name: "Ada", isListed: true, friendCode: "c")
        func expect(_ trips: Int, _ name: Comment, _ body: () async throws -> Void) async throws {
            try await Self.expect(trips, of: pool, name, body)
        }
        try await expect(4, "nothing to refresh") { _ = try await service.refresh() }
        try await expect(2, "a board") {
            try await boards.set(
                BoardDefinition(name: "b", bank: "es", timeZone: "UTC", periods: [.all]))
        }
        try await expect(1, "definitions") { _ = try await boards.definitions() }
        try await expect(1, "a new profile") { _ = try await boards.addProfile(profile, of: "u") }
        try await expect(1, "a profile") { _ = try await boards.set(profile, of: "u") }
        try await expect(1, "own profile") { _ = try await boards.profile(of: "u") }
        try await expect(11, "refresh") { _ = try await service.refresh() }
        try await expect(2, "a page") {
            _ = try await boards.read(
                BoardQuery(
                    name: "b", period: .all, user: "u", top: 9, friends: ["c"],
                    now: BoardWorld.start))
        }
        try await expect(1, "remove a name") { _ = try await boards.removeNames("Ada") }
        try await expect(1, "allow a name") { _ = try await boards.allowName(of: "c") }
        try await expect(1, "remove a board") { _ = try await boards.removeDefinition("b") }
        try await expect(4, "recount") { _ = try await boards.recount(after: 0, now: 1) }
    }

    private func expectAccounts(_ pool: PostgresPool) async throws {
        let accounts = try PostgresAccounts.withRooms(pool)
        func expect(_ trips: Int, _ name: Comment, _ body: () async throws -> Void) async throws {
            try await Self.expect(trips, of: pool, name, body)
        }
        try await expect(1, "an account") { _ = try await accounts.open(AccountReadSet(.id("u"))) }
        try await expect(2, "a session") {
            try await accounts.change(AccountReadSet(.id("u"))) { _ in
                AccountOutcome([.session(.add(.sample(1), to: "u"))], reply: ())
            }
        }
        try await expect(1, "expired rows") {
            _ = try await accounts.removeExpired(.tokens, at: 0, limit: 9)
        }
        try await expect(1, "uses") {
            _ = try await accounts.accounts(usedBefore: 1, after: nil, limit: 9)
        }
        try await expect(1, "moves") { _ = try await accounts.unfinishedMoves(after: "", limit: 9) }
        try await expect(1, "erasure") { _ = try await accounts.eraseDeletedAccounts(limit: 9) }
        try await expect(1, "the key") { _ = try await accounts.hasKey("print") }
        try await expect(1, "old rows") { try await accounts.compactRevocations(now: 1) }
    }

    /// The budget of each operation: what it took when it was written for PostgreSQL alone, or less.
    @Test func noOperationTakesMoreRoundTripsThanItShould() async throws {
        let users = try await PostgresUsers(["u"])
        let pool = users.pool(1)
        try await expectBoards(pool)
        try await expectAccounts(pool)
        let (events, roles) = (EventStorage(pool), AdministrationStorage(pool))
        let start = Int64(EventWorld.start.timeIntervalSince1970)
        let definition = try EventDefinition(
            name: "e", title: "Finals", bank: "es", startsAt: EventWorld.start,
            endsAt: EventWorld.start + 600, rule: EventRule())
        func expect(_ trips: Int, _ name: Comment, _ body: () async throws -> Void) async throws {
            try await Self.expect(trips, of: pool, name, body)
        }
        try await expect(3, "a new event") { try await events.set(definition, id: "i") }
        try await expect(4, "a known event") { try await events.set(definition, id: "j") }
        try await expect(1, "events") { _ = try await events.events() }
        let number = try #require(try await events.events().first?.number)
        for _ in 1...2 {
            try await expect(2, "submit") {
                _ = try await events.submit(
                    EventSubmission(id: "a", points: 1), to: "e", of: "u", now: start * 1000)
            }
        }
        try await expect(1, "cursor") { _ = try await events.cursor(of: number) }
        try await expect(1, "standings") {
            _ = try await events.standings(of: number, since: 0, after: 0, limit: 9)
        }
        try await expect(1, "members") { _ = try await events.members([1]) }
        try await expect(1, "member") { _ = try await events.member(of: "u") }
        try await expect(1, "export") { _ = try await events.standings(of: "u") }
        try await expect(2, "freeze") { try await events.freeze(number, now: 1) }
        try await expect(1, "places") {
            _ = try await events.finalPlaces(of: number, top: 9, for: "u")
        }
        try await expect(1, "reopen") { try await events.reopen(number) }
        try await expect(2, "remove") { _ = try await events.remove("e") }
        try await expect(1, "uptake") {
            try await UptakeStorage(pool).note(
                InstalledContent(release: 1), of: "u", client: ClientID("d"), now: 1)
        }
        try await expect(1, "counts") { _ = try await UptakeStorage(pool).counts(since: 0) }
        let entry = AuditEntry(time: 1, actor: "a", .roleGranted, "u", "author")
        try await expect(2, "grant") {
            _ = try await roles.set(.author, isGranted: true, of: "u", entry)
        }
        try await expect(2, "roles") { _ = try await roles.roles() }
        try await expect(1, "own roles") { _ = try await roles.roles(of: "u") }
        try await expect(1, "entry") { try await roles.append(entry, onlyIfNew: false) }
        try await expect(2, "new entry") { try await roles.append(entry, onlyIfNew: true) }
        try await expect(1, "entries") {
            _ = try await roles.entries(before: nil, limit: 9, action: nil)
        }
        try await expect(1, "purge") { try await roles.removeEntries(before: 0) }
    }
}
