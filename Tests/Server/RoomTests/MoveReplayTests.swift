import Foundation
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Accounts
@testable import Ledger
@testable import Tables

/// Moves that a start replays over a restored database, in whatever order the journals of its processes have them.
@Suite struct MoveReplayTests {
    /// A move from an account into another one.
    private typealias Edge = (source: String, target: String)

    private func replay(_ edge: Edge, in world: MoveWorld, at time: Int64 = 1) async throws {
        let revocation = Revocation.move(edge.source, into: edge.target, at: time)
        let changes = revocation.replay
        try await world.accounts.storage.change(AccountReadSet()) { _ in
            AccountOutcome(changes, reply: ())
        }
    }

    private func finishMoves(in world: MoveWorld) async throws {
        let mover = world.mover()
        for var move in try await world.accounts.storage.unfinishedMoves(limit: 1_000) {
            while !move.isDone { move = try await mover.run(move) }
        }
    }

    private func isOpen(_ id: String, in world: MoveWorld) async throws -> Bool {
        try await world.accounts.open(.id(id)).account != nil
    }

    /// Makes accounts with an answer each.
    private func make(_ ids: [String], in world: MoveWorld) async throws {
        for id in ids {
            try await world.accounts.write(.create(id, tokenGeneration: 0, at: 0))
            try await world.answer(id, "d-" + id, [1])
        }
    }

    /// Expects one open account of these, which has the answers of all; the others lead to it.
    ///
    /// - Returns: The open account.
    private func expectOneAccount(
        of ids: [String], in world: MoveWorld, _ comment: Comment
    ) async throws -> String? {
        var open: [String] = []
        for id in ids where try await isOpen(id, in: world) { open.append(id) }
        #expect(open.count == 1, comment)
        guard let last = open.first else { return nil }
        let expected = Dictionary(uniqueKeysWithValues: ids.map { ("d-" + $0, 1) })
        #expect(try await world.held(last) == expected, comment)
        for id in ids where id != last {
            let move = try await world.accounts.open(.id(id)).move
            #expect(move?.target == last && move?.isDone == true, comment)
        }
        return last
    }

    private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    // MARK: Chains

    /// The clock of the process that began the first move was ahead of the other's.
    @Test(arguments: AccountAdapter.allCases)
    func clocksThatDisagreeLeaveNoAccountThatNobodyOpens(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        for user in ["uA", "uB", "uC"] { try await world.answer(user, "d-" + user, [1]) }
        try await world.accounts.write(
            .revoke(.move("uA", into: "uB", at: 2_000)),
            .revoke(.move("uB", into: "uC", at: 1_000)))
        try await world.accounts.store.replayRevocations()
        try await finishMoves(in: world)
        let last = try await expectOneAccount(of: ["uA", "uB", "uC"], in: world, "\(adapter)")
        #expect(last == "uC")
    }

    /// Each order of three moves one after another, with the rows copied after each replay or at the end.
    @Test(arguments: AccountAdapter.allCases, [false, true])
    func aChainEndsInItsLastAccountInEachOrder(
        adapter: AccountAdapter, copiesBetween: Bool
    ) async throws {
        let world = try await MoveWorld(adapter)
        for (number, order) in permutations([0, 1, 2]).enumerated() {
            let ids = ["a", "b", "c", "d"].map { "\(number)\($0)" }
            try await make(ids, in: world)
            for place in order {
                try await replay((ids[place], ids[place + 1]), in: world)
                if copiesBetween { try await finishMoves(in: world) }
            }
            try await finishMoves(in: world)
            let last = try await expectOneAccount(of: ids, in: world, "\(order)")
            #expect(last == ids[3], "\(order)")
        }
    }

    /// The database was put back to a time before the later accounts.
    @Test(arguments: AccountAdapter.allCases)
    func accountsThatTheDatabaseLostAreNotInTheWay(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        for (number, order) in permutations([0, 1, 2]).enumerated() {
            let ids = ["a", "b", "c", "d"].map { "\(number)\($0)" }
            try await make([ids[0]], in: world)
            for place in order { try await replay((ids[place], ids[place + 1]), in: world) }
            try await finishMoves(in: world)
            #expect(try await isOpen(ids[3], in: world), "\(order)")
            #expect(try await world.held(ids[3]) == ["d-" + ids[0]: 1], "\(order)")
            for id in ids.prefix(3) {
                let snapshot = try await world.accounts.open(.id(id))
                #expect(snapshot.account == nil && snapshot.move?.target == ids[3], "\(order)")
            }
        }
    }

    // MARK: Cycles

    /// Each set of moves between three accounts, into themselves too, in each order: one account of those that are
    /// joined is open, and has everything.
    @Test(arguments: AccountAdapter.allCases)
    func eachSetOfMovesInEachOrderLeavesOneOpenAccount(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        // The moves are one code over both; `script/nightly` tries all of them on PostgreSQL, too.
        let step = TestRun.count("UNDERWAY_MOVE_STEP", orElse: adapter == .sqlite ? 1 : 5)
        for targets in stride(from: 63, through: 0, by: -step) {
            // Two bits for each account: the place of its target; 3 for no move.
            let edges = (0..<3).map { ($0, targets >> (2 * $0) & 3) }.filter { $0.1 < 3 }
            for (number, order) in permutations(edges).enumerated() {
                let ids = (0..<3).map { "\(targets).\(number).\($0)" }
                try await make(ids, in: world)
                for (source, target) in order {
                    try await replay((ids[source], ids[target]), in: world)
                }
                try await finishMoves(in: world)
                for group in groups(edges) {
                    _ = try await expectOneAccount(
                        of: group.map { ids[$0] }, in: world, "\(order)")
                }
            }
        }
    }

    /// Returns the places that moves join.
    private func groups(_ edges: [(Int, Int)]) -> [[Int]] {
        var names = [0, 1, 2]
        for (source, target) in edges {
            let (from, to) = (names[source], names[target])
            names = names.map { $0 == from ? to : $0 }
        }
        return Set(names).map { name in names.indices.filter { names[$0] == name } }
    }

    // MARK: Starts

    /// Two processes start at once, each with one of the moves; the database may lack the account between them.
    @Test(arguments: AccountAdapter.allCases)
    func movesThatTwoProcessesReplayAtOnceLeadToOneAccount(
        adapter: AccountAdapter
    ) async throws {
        let world = try await MoveWorld(adapter)
        let storages = [world.accounts.storage, try await world.accounts.another()]
        for round in 0..<12 {
            let ids = ["a", "b", "c"].map { "\(round)\($0)" }
            let known = round.isMultiple(of: 2) ? ids : [ids[0], ids[2]]
            try await make(known, in: world)
            try await withThrowingTaskGroup { group in
                for (place, storage) in storages.enumerated() {
                    let changes = Revocation.move(ids[place], into: ids[place + 1], at: 1).replay
                    group.addTask {
                        try await storage.change(AccountReadSet()) { _ in
                            AccountOutcome(changes, reply: ())
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await finishMoves(in: world)
            for id in ids.prefix(2) {
                let snapshot = try await world.accounts.open(.id(id))
                #expect(snapshot.account == nil && snapshot.move?.target == ids[2], "\(round)")
            }
            let expected = Dictionary(uniqueKeysWithValues: known.map { ("d-" + $0, 1) })
            #expect(try await world.held(ids[2]) == expected, "\(round)")
        }
    }

    /// Every start replays the journal.
    @Test(arguments: AccountAdapter.allCases)
    func aSecondReplayChangesNothing(adapter: AccountAdapter) async throws {
        let world = try await MoveWorld(adapter)
        let edges: [Edge] = [("uB", "uC"), ("uC", "uA"), ("uA", "uB")]
        for user in ["uA", "uB", "uC"] { try await world.answer(user, "d-" + user, [1]) }
        var last: [String?] = []
        for _ in 0..<2 {
            for edge in edges { try await replay(edge, in: world) }
            try await finishMoves(in: world)
            last.append(
                try await expectOneAccount(of: ["uA", "uB", "uC"], in: world, "\(adapter)"))
        }
        #expect(last[0] == last[1])
    }
}
