import Crypto
import Foundation
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Accounts
@testable import Ledger
@testable import Tables

/// The continuation of moves that no device asks about.
@Suite struct MoveUpkeepTests {
    private static let setPlace = Statement(
        "UPDATE {account_move} SET place = :place, target = :target WHERE source = :source")

    /// Begins a move of each of these accounts into `uB`, with an answer of each.
    private func begin(_ ids: [String], in world: MoveWorld) async throws {
        for id in ids {
            if id != "uA", id != "uC" {
                try await world.accounts.write(.create(id, tokenGeneration: 0, at: 0))
            }
            try await world.answer(id, "d-" + id, [1])
            try await world.accounts.write(
                .move(.begin(StoredMove(source: id, target: "uB", answers: 1), at: 1)))
        }
    }

    private func set(
        _ place: String, target: String = "uB", of source: String, in world: MoveWorld
    ) async throws {
        try await world.accounts.tables.write(as: .accounts) { transaction in
            _ = try transaction.commit(after: [
                Self.setPlace(["place": place, "target": target, "source": source])
            ])
        }
    }

    private func service(_ world: MoveWorld) async throws -> (UserBackend, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let users = await UserBackend(
            accounts: world.accounts.storage, ledger: world.accounts.ledger,
            UserServiceOptions(
                folder: folder.url, collections: MoveWorld.rules, passwordRounds: 1 << 10),
            clock: { MoveWorld.now }, key: SymmetricKey(size: .bits256))
        return (users, folder)
    }

    /// The first move cannot be read, and the second leads to an account that is not there.
    @Test(arguments: AccountAdapter.allCases)
    func aDamagedMoveStopsNoOtherOne(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        try await begin(["uA", "uA2", "uC"], in: world)
        try await set("{}", of: "uA", in: world)
        let whole = try MovePlace().text
        try await set(whole, target: "nobody", of: "uA2", in: world)
        let (users, folder) = try await service(world)
        defer { withExtendedLifetime(folder) {} }

        try await users.continueMoves()

        #expect(try await world.accounts.open(.id("uC")).move?.isDone == true)
        #expect(try await world.held("uB") == ["d-uC": 1])
        let unfinished = try await world.accounts.storage.unfinishedMoves(after: "", limit: 9)
        #expect(unfinished == ["uA", "uA2"])

        for source in unfinished { try await set(whole, of: source, in: world) }
        try await users.continueMoves()
        #expect(try await world.held("uB") == ["d-uA": 1, "d-uA2": 1, "d-uC": 1])
        #expect(try await world.accounts.storage.unfinishedMoves(after: "", limit: 9) == [])
    }

    @Test(arguments: AccountAdapter.allCases)
    func unfinishedMovesArePaged(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        try await begin(["uA", "uC", "uD"], in: world)
        var (pages, last) = ([[String]](), "")
        repeat {
            pages.append(
                try await world.accounts.storage.unfinishedMoves(after: last, limit: 2))
            last = pages.last?.last ?? ""
        } while !last.isEmpty
        #expect(pages == [["uA", "uC"], ["uD"], []])
    }
}
