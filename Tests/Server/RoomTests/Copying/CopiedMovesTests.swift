import Foundation
import PostgresDriver
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Accounts
@testable import Ledger
@testable import Operations
@testable import ServerApplication
@testable import Tables

/// Moves of accounts go along with a copy, also those that are under way.
@Suite struct CopiedMovesTests {
    /// Fills two accounts of a folder, and begins to move one into the other.
    private func begin(in folder: TemporaryFolder, steps: Int) async throws -> String {
        _ = try ServerKey.read(in: folder.url)
        let world = try await MoveWorld(AccountAdapter.world(folder))
        for (user, device) in [("uA", "dA"), ("uB", "dB")] {
            try await world.answer(user, device, [1, 2, 3])
            try await world.answer(user, "w", user == "uA" ? [1, 2] : [1])
            try await world.put(user, "goals", "g", ["of": .text(user)], by: device)
        }
        var move = try await world.mover().begin(from: "uA", proof: world.proof, into: "uB")
        for _ in 0..<steps where !move.isDone { move = try await world.mover().step(move) }
        return world.proof
    }

    private func finish(_ storage: any AccountStorage, _ ledger: any LedgerStorage) async throws
        -> [String: Int]
    {
        let store = AccountWorld.store(storage)
        let service = LedgerService(
            Ledger(rules: CollectionRules.builtIn + MoveWorld.rules), storage: ledger,
            clock: { MoveWorld.now.millisecondsSince1970 }, makeText: { RandomText.make(bytes: 9) })
        let mover = AccountMover(accounts: store, ledger: service, now: MoveWorld.now)
        for var move in try await storage.unfinishedMoves(limit: 9) {
            while !move.isDone { move = try await mover.run(move) }
        }
        while try await !storage.eraseDeletedAccounts(limit: 1000) {}
        let keys = LedgerReadSet(user: "uB", client: ClientID("x"), now: 1)
        let devices = try await ledger.open(keys).devices.filter { $0.lastAnswer > 0 }
        return Dictionary(
            devices.map { ($0.client.text, Int($0.lastAnswer)) }, uniquingKeysWith: { $1 })
    }

    private static let expected = ["dA": 3, "dB": 3, "w": 2]

    /// Copies, goes on at the target, and copies back.
    @Test(arguments: [0, 2, 5, 99])
    func aMoveGoesOnInTheCopy(steps: Int) async throws {
        let folder = try TemporaryFolder()
        let proof = try await begin(in: folder, steps: steps)
        let users = try await PostgresUsers([])
        let there = try await UserCopy(UserFolder(folder.url), users.admin).toDatabase()
        #expect(there.tables.first { $0.table.name == "account_move" }?.sum.rows == 1)
        let back = try TemporaryFolder()
        try back.write(folder.read("token-key"), to: "token-key")
        // As it is, before anything goes on there.
        _ = try await UserCopy(UserFolder(back.url), users.admin).toFolder()
        #expect(
            try RevocationFile(in: back.url).read() == RevocationFile(in: folder.url).read())

        let pool = users.pool()
        let own = try TemporaryFolder()
        let accounts = try PostgresAccounts.withRooms(pool, folder: own.url)
        #expect(try await finish(accounts, PostgresLedger(pool)) == Self.expected)
        #expect(try await PostgresCheck(users.server).run().findings == [])
        let database = try UserDatabase(path: back.path + "/users.sqlite")
        let returned = try SQLiteAccounts(database, folder: back.url, moving: .rooms)
        #expect(try await finish(returned, SQLiteLedger(database: database)) == Self.expected)
        for storage in [accounts, returned] as [any AccountStorage] {
            #expect(
                await problemCode {
                    _ = try await AccountWorld.store(storage).rotate(proof, now: MoveWorld.now)
                } == .movedAccount)
        }
        await pool.close()
    }

    /// A deletion after the move is what a copy takes along.
    @Test func theJournalOfADeletedAccountHasNoMove() throws {
        let folder = try TemporaryFolder()
        for lines in [
            "move 5 uA uB\naccount 9 uA\n", "account 9 uA\nmove 5 uA uB\n",
        ] {
            try folder.write(lines, to: "revocations")
            let file = RevocationFile(in: folder.url)
            #expect(try file.read() == [.account("uA", at: 9)])
            try file.add([.move("uA", into: "uB", at: 10), .move("uC", into: "uB", at: 10)])
            #expect(
                try Set(file.read()) == [
                    .account("uA", at: 9), .move("uC", into: "uB", at: 10),
                ])
        }
    }
}
