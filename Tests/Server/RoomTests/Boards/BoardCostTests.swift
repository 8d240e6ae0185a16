import Accounts
import Foundation
import GRDB
import GRDBSQLite
import PostgresDriver
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Boards
@testable import Ledger
@testable import Tables

// GRDB has a type of that name, too.
private typealias Statement = Tables.Statement

/// What a refresh reads of an account that has very many sessions.
@Suite struct BoardCostTests {
    static let adapters = AccountAdapter.allCases
    private static let sessionsMax = ServiceLimits.boardSessionsMax

    /// Adds sessions as a user, of which three each end together.
    ///
    /// - Returns: The number of the account.
    private func add(_ count: Int, of user: String, to world: AccountWorld) async throws -> Int64 {
        let adding = Statement(
            """
            WITH RECURSIVE number AS (
                SELECT 1 AS n UNION ALL SELECT n + 1 FROM number WHERE n < :count)
            INSERT INTO {session_score} (account, bank, session, mode, answers, points,
                first_answers, first_points, ended_at)
            SELECT {me}, 'b', :count - n, 'practice', 1, 10, 1, 10, n / 3 FROM number
            """)
        try await world.write(.create(user, tokenGeneration: 0, at: 0))
        return try await world.tables.write(as: .user(user)) { transaction in
            try transaction.run([adding(["count": count])])
            return try #require(transaction.account)
        }
    }

    /// The work of the statements of a closure: on SQLite the steps of its machine in hundreds, on PostgreSQL the rows that are
    /// read of the table of sessions.
    private func work(in transaction: TableTransaction, _ body: () throws -> Void) throws -> Int {
        switch transaction.connection {
        case .sqlite(let database):
            var steps = 0
            try withUnsafeMutablePointer(to: &steps) { steps in
                let connection = database.sqliteConnection
                sqlite3_progress_handler(
                    connection, 100,
                    { context in
                        context?.assumingMemoryBound(to: Int.self).pointee += 1
                        return 0
                    }, steps)
                defer { sqlite3_progress_handler(connection, 0, nil, nil) }
                try body()
            }
            return steps
        case .postgres(let connection):
            func rows() throws -> Int {
                try connection.query(
                    """
                    SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows
                    FROM pg_stat_xact_user_tables WHERE relname = 'session_score'
                    """
                ).column("rows", as: Int.self).first ?? 0
            }
            let before = try rows()
            try body()
            return try rows() - before
        }
    }

    @Test(arguments: adapters)
    func onlyTheNewestSessionsAreReadHoweverManyThereAre(adapter: AccountAdapter) async throws {
        let (world, analyze): (AccountWorld, () async throws -> Void)
        switch adapter {
        case .sqlite:
            (world, analyze) = (try await adapter.make(), {})
        case .postgres:
            let users = try await PostgresUsers([])
            world = try AccountAdapter.world(users, users.pool(), TemporaryFolder())
            analyze = { _ = try await users.execute("ANALYZE underway.session_score") }
        }
        let members = try await [
            add(Self.sessionsMax, of: "few", to: world),
            add(4 * Self.sessionsMax, of: "many", to: world),
        ]
        try await analyze()
        let costs = try await world.boards.refresh { boards in
            try members.map { member in
                try work(in: boards.transaction) {
                    _ = try boards.sessions(of: [member], in: "b")
                }
            }
        }
        let found = try #require(costs)
        // All sessions would be four times as many.
        #expect(found[0] > 0 && found[1] < found[0] * 3 / 2, "\(found)")
    }

    /// The newest first; of those that end together, the ones with the least numbers.
    @Test(arguments: adapters)
    func theNewestSessionsOfEachMemberComeInOneOrder(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let counts = [Self.sessionsMax + 100, 10]
        let members = try await [
            add(counts[0], of: "many", to: world), add(counts[1], of: "few", to: world),
        ]
        let sessions = try #require(
            try await world.boards.refresh { try $0.sessions(of: members, in: "b") })
        #expect(sessions.count == 2)
        for (member, count) in zip(members, counts) {
            let all = (1...count).map { (session: Int64(count - $0), end: Int64($0 / 3)) }
            let newest = all.sorted { ($1.end, $0.session) < ($0.end, $1.session) }
                .prefix(Self.sessionsMax)
            let found = try #require(sessions[member])
            #expect(found.map(\.session) == newest.map(\.session))
            #expect(found.map(\.endedAt) == newest.map(\.end))
        }
    }
}
