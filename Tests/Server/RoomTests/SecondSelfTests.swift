import Boards
import ContentServer
import Crypto
import Foundation
import GRDB
import Review
import ServerApplication
import ServiceAPI
import Testing
import UserData

@testable import Accounts
@testable import Ledger
@testable import LiveEvents
@testable import Tables

/// After a move there is one learner: one place on each board, and after a deletion no row of either account.
@Suite struct SecondSelfTests {
    private func mover(_ world: AccountWorld, now: Date) -> AccountMover {
        AccountMover(
            accounts: world.store,
            ledger: LedgerService(
                Ledger(rules: CollectionRules.builtIn), storage: world.ledger,
                clock: { now.millisecondsSince1970 }, makeText: { RandomText.make(bytes: 9) }),
            now: now)
    }

    private func move(_ source: String, into target: String, _ world: AccountWorld, now: Date)
        async throws
    {
        let mover = mover(world, now: now)
        let session = try await world.store.open(source, isAuthenticated: false, now: now)
        var move = try await mover.begin(
            from: source, proof: session.refreshToken, into: target)
        while !move.isDone { move = try await mover.run(move) }
    }

    private func refresh(_ world: BoardWorld) async throws {
        _ = try await world.boards.refresh()
    }

    @Test(arguments: AccountAdapter.allCases)
    func aLearnerHasOnePlaceOnAnOpenBoard(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 3)
        try await world.define()
        for (user, right) in zip(world.users, [3, 4, 5]) {
            try await world.answer(
                user, BoardWorld.session("s of \(user)", right: right, of: 5, at: BoardWorld.start))
        }
        try await refresh(world)
        #expect(try await world.top(.week) == [[1, 50], [2, 40], [3, 30]])

        let mover = mover(world.accounts, now: BoardWorld.start)
        let session = try await world.accounts.store.open(
            "user-1", isAuthenticated: false, now: BoardWorld.start)
        var move = try await mover.begin(
            from: "user-1", proof: session.refreshToken, into: "user-2")
        try await refresh(world)
        #expect(
            try await world.top(.week) == [[1, 50], [2, 40]], "a moving account is on no board")
        while !move.isDone { move = try await mover.run(move) }
        try await refresh(world)

        let page = try #require(try await world.page("user-2", .week))
        #expect(page.top.count == 2)
        #expect(try await world.accounts.boards.recount(after: 0, now: 1) != nil)
    }

    /// Of a period that is over the better place stays.
    @Test(arguments: AccountAdapter.allCases)
    func theBetterPlaceOfAClosedBoardStays(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 3)
        try await world.define(graceHours: 1)
        for (user, right) in zip(world.users, [5, 3, 4]) {
            try await world.answer(
                user, BoardWorld.session("s of \(user)", right: right, of: 5, at: BoardWorld.start))
        }
        try await refresh(world)
        let day = try #require(try await world.page(nil, .day)).firstDay
        world.clock.set(BoardWorld.start + 3 * 86_400)
        try await refresh(world)
        #expect(try await world.top(.day, firstDay: day) == [[1, 50], [2, 40], [3, 30]])

        try await move("user-1", into: "user-2", world.accounts, now: world.clock.now)
        try await refresh(world)

        #expect(try await world.top(.day, firstDay: day) == [[1, 50], [2, 40]])
        let own = try #require(try await world.page("user-2", .day, firstDay: day))
        #expect(own.own?.rank == 1)
    }

    /// Submissions are joined by their ids, up to the limit of the event.
    @Test(arguments: AccountAdapter.allCases)
    func submissionsToARunningEventAreJoined(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 3, EventRule(submissionsMax: 3))
        world.pass(to: 10)
        try await world.submit(5, "both", of: "user-1")
        world.pass(to: 20)
        try await world.submit(5, "both", of: "user-2")
        try await world.submit(7, "b2", of: "user-2")
        world.pass(to: 30)
        try await world.submit(1, "a2", of: "user-1")
        world.pass(to: 40)
        try await world.submit(9, "a3", of: "user-1")
        try await world.submit(2, "c", of: "user-3")

        try await move("user-1", into: "user-2", world.accounts, now: EventWorld.start + 50)

        let standings = try await world.accounts.events.standings(of: "user-2")
        #expect(standings.map(\.standing.score) == [13])
        #expect(standings.map(\.standing.submissions) == [3])
        #expect(standings.map(\.standing.second) == [30])
        let other = world.another()
        var follower = EventFollower(other)
        try await world.step(&follower)
        let scores = try await world.scores(by: other)
        #expect(scores == [13, 2])
    }

    /// Joined accounts may have as many submissions as one of them had: places follow the row that is stored.
    @Test(arguments: AccountAdapter.allCases)
    func aSubmissionOfBothAccountsShowsTheScoreThatIsStored(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 2)
        world.pass(to: 10)
        try await world.submit(30, "both", of: "user-1")
        world.pass(to: 20)
        try await world.submit(5, "both", of: "user-2")
        var follower = EventFollower(world.events)
        try await world.step(&follower)
        #expect(try await world.scores() == [30, 5])

        try await move("user-1", into: "user-2", world.accounts, now: EventWorld.start + 50)

        let standings = try await world.accounts.events.standings(of: "user-2")
        #expect(standings.map(\.standing.score) == [30])
        try await world.step(&follower)
        #expect(try await world.scores() == [30])
    }

    @Test(arguments: AccountAdapter.allCases)
    func aRemovedNameDoesNotComeBackByJoining(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        let storage = world.accounts.boards
        for (user, name) in zip(world.users, ["Rude", "Ada"]) {
            _ = try await world.boards.set(
                BoardProfileChange(name: name, isListed: true), of: user)
        }
        #expect(try await storage.removeNames("Rude").count == 1)

        try await move("user-1", into: "user-2", world.accounts, now: world.clock.now)

        let joined = try await world.boards.profile(of: "user-2")
        #expect(joined.name == nil && joined.isListed)
        await #expect(throws: RequestError.self) {
            _ = try await world.boards.set(
                BoardProfileChange(name: "Rude", isListed: true), of: "user-2")
        }
        #expect(try await storage.allowName(of: joined.friendCode))
    }

    /// The move notes them itself, before the boards take any change.
    @Test(arguments: AccountAdapter.allCases)
    func answersThatMovedAreGradedAgain(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        let corrections = BoardWorld.corrections(release: 7, ["q0": "a"])
        var rows = BoardWorld.session("s", right: 3, of: 3, at: BoardWorld.start)
        (rows[0].isCorrect, rows[0].credit) = (false, 0)
        try await world.answer("user-1", rows)
        try await world.refresh(corrections)

        try await move("user-1", into: "user-2", world.accounts, now: world.clock.now)

        #expect(try await world.regrader.regrade(corrections).answers == 1)
    }

    // MARK: Deletion

    /// Returns the rows of all tables that have one of these texts in any column.
    private func rows(_ texts: [String], in database: UserDatabase) async throws -> [String] {
        try await database.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'audit'")
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map {
                    "\(table): \($0)"
                }.filter { row in texts.contains { row.contains($0) } }
            }
        }
    }

    @Test(arguments: [true, false])
    func aDeletionLeavesNoRowOfWhatMovedIntoIt(isDone: Bool) async throws {
        let world = try await MoveWorld(.sqlite)
        let storage = try #require(world.accounts.storage as? SQLiteAccounts)
        try await world.fill()
        let begun = try await world.deleteTarget(ofMoveThatIsDone: isDone)
        while try await !storage.eraseDeletedAccounts(limit: 2) {}

        #expect(
            try await rows(["uA", "uB", "device-A", "device-B"], in: storage.database) == [])
        let left = try await storage.database.read { database in
            try ["account", "answerRow", "answerQuestion", "session_score", "account_move"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0
            }
        }
        #expect(left == [1, 0, 0, 0, 0], "only uC is left")
        // A step that was under way finds nothing to move.
        if !isDone {
            await #expect(throws: StorageError.noAccount) { _ = try await world.mover().run(begun) }
        }
    }

    // MARK: Restores

    /// The journal repeats a move over a database that was put back to a time before it.
    @Test func aRestoredDatabaseMovesTheAccountAgain() async throws {
        let world = try await MoveWorld(.sqlite)
        let storage = try #require(world.accounts.storage as? SQLiteAccounts)
        try await world.answer("uA", "dA", [1, 2])
        try await world.answer("uB", "dB", [3])
        let backup = try UserDatabase.inMemory()
        try storage.database.connections.backup(to: backup.connections)
        try await world.move()

        let restored = try SQLiteAccounts(backup, moving: .rooms)
        for entry in storage.journal.entries { try restored.journal.add(entry) }
        let store = AccountWorld.store(restored)
        #expect(try await store.access("uA", session: "").account != nil)
        try await store.replayRevocations()
        #expect(try await store.access("uA", session: "").move?.isDone == false)
        let mover = AccountMover(
            accounts: store, ledger: world.ledger(SQLiteLedger(database: backup)),
            now: MoveWorld.now)
        for var move in try await restored.unfinishedMoves(limit: 10) {
            while !move.isDone { move = try await mover.run(move) }
        }
        let keys = LedgerReadSet(user: "uB", client: ClientID("x"), now: 1)
        let devices = try await SQLiteLedger(database: backup).open(keys).devices
        #expect(devices.map(\.lastAnswer).reduce(0, +) == 3)
        // Again at the next start: nothing happens.
        try await store.replayRevocations()
        #expect(try await restored.unfinishedMoves(limit: 10).isEmpty)
    }
}
