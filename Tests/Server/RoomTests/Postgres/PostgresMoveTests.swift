import Foundation
import PostgresDriver
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Accounts
@testable import ContentServer
@testable import Ledger
@testable import Operations
@testable import ServerApplication
@testable import Tables

/// What moves on PostgreSQL leave in its tables, and moves that several processes run.
@Suite struct PostgresMoveTests {
    private let users: PostgresUsers
    private let pool: PostgresPool
    private let folder: TemporaryFolder

    init() async throws {
        users = try await PostgresUsers([])
        pool = users.pool(4)
        folder = try TemporaryFolder()
    }

    private func makeWorld() async throws -> MoveWorld {
        try await MoveWorld(AccountAdapter.world(users, pool, folder))
    }

    private func count(_ table: String) async throws -> Int {
        try await users.execute("SELECT count(*) AS n FROM underway.\(identifier: table)")[0]
            .column("n", as: Int.self)[0]
    }

    /// Returns the rows of all tables that have one of these texts in any column.
    private func rows(_ texts: [String]) async throws -> [String] {
        let tables = try await users.execute(
            """
            SELECT tablename::text AS name FROM pg_tables
            WHERE schemaname = 'underway' AND tablename NOT IN ('audit', 'revocation', 'migration')
            """)[0].column("name", as: String.self)
        var found: [String] = []
        for table in tables {
            found += try await users.execute(
                "SELECT to_jsonb(t)::text AS row FROM underway.\(identifier: table) t"
            )[0].column("row", as: String.self).map { "\(table): \($0)" }
        }
        return found.filter { row in texts.contains { row.contains("\"\($0)\"") } }
    }

    // MARK: Deletion

    @Test(arguments: [true, false])
    func aDeletionThereLeavesNoRowOfWhatMovedIntoIt(isDone: Bool) async throws {
        let world = try await makeWorld()
        try await world.fill()
        let begun = try await world.deleteTarget(ofMoveThatIsDone: isDone)
        while try await !world.accounts.storage.eraseDeletedAccounts(limit: 2) {}

        #expect(try await rows(["uA", "uB", "device-A", "device-B"]) == [])
        #expect(try await count("account") == 1, "only uC is left")
        for table in ["answer", "own_name", "session_score", "account_move", "answer_day"] {
            #expect(try await count(table) == 0, "\(table)")
        }
        if !isDone {
            await #expect(throws: StorageError.noAccount) { _ = try await world.mover().run(begun) }
        }
    }

    /// Upkeep of the version before does not know moves, and calls the same function.
    @Test func anAccountThatMovesIsNotErased() async throws {
        let world = try await makeWorld()
        try await world.fill()
        var move = try await world.mover().begin(from: "uA", proof: world.proof, into: "uB")
        for _ in 0..<3 {
            #expect(
                try await users.execute("SELECT underway.erase_1(1000) AS done")[0]
                    .column("done", as: Bool.self) == [true])
        }
        while !move.isDone { move = try await world.mover().run(move) }
        #expect(try await world.held("uB") == ["device-A": 3, "device-B": 3])
        while try await !world.accounts.storage.eraseDeletedAccounts(limit: 100) {}
        #expect(try await count("answer") == 6)
        #expect(try await PostgresCheck(users.server).run().findings == [])
    }

    // MARK: Processes

    /// Four processes run the same move: each row comes once.
    @Test func severalProcessesRunOneMove() async throws {
        let world = try await makeWorld()
        try await world.answer("uA", "dA", Array(1...ServiceLimits.movedAnswersPerStep + 7))
        for place in 0..<9 { try await world.answer("uA", "d\(place)", [1, 2, 3]) }
        for (user, device) in [("uA", "dA"), ("uB", "dB")] {
            try await world.put(user, "exams", "e", ["at": .text(user)], by: device)
            try await world.write(
                user, "points", "p", .count(field: "n", CounterTotals(added: 10)), by: device, 2)
        }
        let begun = try await world.mover().begin(from: "uA", proof: world.proof, into: "uB")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var move = begun
                    let end = ContinuousClock.now + .seconds(120)
                    while !move.isDone {
                        do { move = try await world.mover().run(move) } catch StorageError.noAccount
                        {
                            // Another one ended it, and the account is gone.
                            return
                        } catch StorageError.busy where ContinuousClock.now < end {
                            // As upkeep, it goes on later.
                            try await Task.sleep(for: .milliseconds(20))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await world.accounts.storage.unfinishedMoves(limit: 9) == [])
        var expected = ["dA": ServiceLimits.movedAnswersPerStep + 7]
        for place in 0..<9 { expected["d\(place)"] = 3 }
        #expect(try await world.held("uB") == expected)
        #expect(try await world.records("uB")[RecordKey("points", "p")]?.values == ["n": 20])
        #expect(try await world.differences("uB").map(\.key.collection) == ["exams"])
        #expect(try await PostgresCheck(users.server).run().findings == [])
    }

    /// A deletion and the end of a move lock the same rows: one of both is first, and neither waits for ever.
    @Test func aDeletionBesideTheEndOfAMoveLeavesNothing() async throws {
        let world = try await makeWorld()
        try await world.fill()
        var move = try await world.mover().begin(from: "uA", proof: world.proof, into: "uB")
        while !move.place.hasRecords { move = try await world.mover().step(move) }
        let last = move
        async let end: Void = {
            do { _ = try await world.mover().step(last) } catch let error as RequestError {
                #expect(error.code == .noAccount)
            }
        }()
        async let deletion: Void = world.accounts.store.markDeleted("uB", now: MoveWorld.now)
        _ = try await (end, deletion)
        while try await !world.accounts.storage.eraseDeletedAccounts(limit: 1000) {}
        #expect(try await rows(["uA", "uB", "device-A", "device-B"]) == [])
        #expect(try await count("answer") == 0)
    }

    // MARK: Restores

    /// The journal of the process that began it repeats a move over a database that was put back to a time before it.
    @Test func aDatabasePutBackMovesTheAccountAgain() async throws {
        let world = try await makeWorld()
        try await world.fill()
        let restored = try await users.copy()
        try await world.move()

        let accounts = try PostgresAccounts.withRooms(restored.pool(), folder: folder.url)
        let store = AccountWorld.store(accounts)
        #expect(try await store.access("uA", session: "").account != nil)
        _ = try await accounts.detectRestore()
        try await store.replayRevocations()
        #expect(try await store.access("uA", session: "").move?.isDone == false)
        let ledger = PostgresLedger(restored.pool())
        let mover = AccountMover(
            accounts: store, ledger: world.ledger(ledger), now: MoveWorld.now)
        for var move in try await accounts.unfinishedMoves(limit: 10) {
            while !move.isDone { move = try await mover.run(move) }
        }
        let keys = LedgerReadSet(user: "uB", client: ClientID("x"), now: 1)
        #expect(try await ledger.open(keys).devices.map(\.lastAnswer).reduce(0, +) == 6)
        try await store.replayRevocations()
        #expect(try await accounts.unfinishedMoves(limit: 10).isEmpty)
        while try await !accounts.eraseDeletedAccounts(limit: 1000) {}
        #expect(try await PostgresCheck(restored.server).run().findings == [])
    }

    /// Another process deleted the account that stayed: the journal of the one that began the move knows nothing of it.
    @Test func aReplayDoesNotBringADeletedAccountBack() async throws {
        let world = try await makeWorld()
        try await world.fill()
        try await world.move()
        let own = try TemporaryFolder()
        let other = AccountWorld.store(try PostgresAccounts.withRooms(pool, folder: own.url))
        try await other.markDeleted("uB", now: MoveWorld.now)
        #expect(try String(decoding: own.read("revocations"), as: UTF8.self).contains("account"))
        _ = try await world.accounts.storage.detectRestore()
        try await world.accounts.store.replayRevocations()
        let access = try await world.accounts.store.access("uA", session: "")
        #expect(access.account == nil && access.move == nil && access.isDeleted)
        #expect(try await count("account_move") == 0)
    }

    /// After a restore, the target was deleted while the process that had begun the move was down.
    @Test func aReplayedMoveIntoADeletedAccountDeletesTheOther() async throws {
        let world = try await makeWorld()
        try await world.fill()
        let own = try TemporaryFolder()
        let other = AccountWorld.store(try PostgresAccounts.withRooms(pool, folder: own.url))
        try await other.markDeleted("uB", now: MoveWorld.now)
        try RevocationJournal(file: folder.url.appending(path: "revocations"))
            .add(.move("uA", into: "uB", at: 1))
        for _ in 0..<2 {
            let accounts = try PostgresAccounts.withRooms(pool, folder: folder.url)
            _ = try await accounts.detectRestore()
            let store = AccountWorld.store(accounts)
            try await store.replayRevocations()
            let access = try await store.access("uA", session: "")
            #expect(access.account == nil && access.move == nil && access.isDeleted)
            #expect(
                await problemCode { _ = try await store.rotate(world.proof, now: MoveWorld.now) }
                    == .noAccount)
        }
        while try await !world.accounts.storage.eraseDeletedAccounts(limit: 1000) {}
        #expect(try await rows(["uA", "uB", "device-A", "device-B"]) == [])
        #expect(try await count("account_move") == 0)
    }

    /// Deletions and moves are remembered longer than any token.
    @Test func aMoveIsForgottenWithDeletions() async throws {
        let world = try await makeWorld()
        try await world.move()
        let day: Int64 = 86_400_000
        let now = MoveWorld.now.millisecondsSince1970
        for (days, isKept) in [(ServiceLimits.refreshTokenDays + 2, true), (500, false)] {
            try await world.accounts.storage.compactRevocations(now: now + Int64(days) * day)
            #expect(try await count("account_move") == (isKept ? 1 : 0))
            #expect(try await count("revocation") == (isKept ? 1 : 0))
        }
    }

    // MARK: Service

    /// Upkeep ends a move that nobody asks about, and an export has everything.
    @Test func upkeepEndsAMoveThatNobodyAsksAbout() async throws {
        let service = try await UserBackend(
            pool, UserServiceOptions(folder: folder.url, passwordRounds: 1 << 10),
            clock: { MoveWorld.now })
        let (source, target) = (
            try await service.makeAnonymousAccount(address: "a"),
            try await service.makeAnonymousAccount(address: "b")
        )
        let world = try await makeWorld()
        try await world.answer(source.user, "dA", [1, 2])
        try await world.answer(target.user, "dB", [3])
        let mover = AccountMover(
            accounts: service.accounts, ledger: service.ledger, now: MoveWorld.now)
        _ = try await mover.begin(
            from: source.user, proof: source.refreshToken, into: target.user)
        #expect(
            await problemCode {
                _ = try await service.authentication.authenticatedUser(
                    "Bearer " + source.accessToken)
            } == .moving)

        try await service.purgeAccounts()

        #expect(
            await problemCode {
                _ = try await service.authentication.authenticatedUser(
                    "Bearer " + source.accessToken)
            } == .movedAccount)
        let moved = try await service.move(
            MoveBody.Request(from: source.user, proof: source.refreshToken), into: target.user,
            address: "b")
        #expect(moved == .moved(answers: 2, records: 0, differences: 0))
        var (export, text) = (service.export(target.user), "")
        while let piece = try await export.next() { text += String(decoding: piece, as: UTF8.self) }
        for question in ["q1", "q2", "q3"] { #expect(text.contains("\"\(question)\"")) }
        #expect(try await rows([source.user]).allSatisfy { $0.hasPrefix("account_move") })
        #expect(try await count("answer") == 3, "the moved account's own rows are erased")
    }
}
