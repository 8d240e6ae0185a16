import Ledger
package import PostgresDriver
import ServiceAPI
import Tables
package import UserData

/// The boards in PostgreSQL, for any number of processes, one of which refreshes them at a time.
package struct PostgresBoards: BoardStorage {
    let pool: PostgresPool

    /// Uses connections of the login `underway_server`.
    package init(_ pool: PostgresPool) { self.pool = pool }

    package var changesMax: Int { 10_000 }

    package func refresh<Value: Sendable>(
        _ body: @escaping @Sendable (any BoardTransaction) throws -> Value
    ) async throws -> Value? {
        try await pool.asKeeperAlone {
            try body(PostgresBoardTransaction(transaction: $0))
        }
    }

    // MARK: Definitions

    package func definitions() async throws -> [BoardDefinition] {
        try await pool.asKeeper { try PostgresBoardTransaction(transaction: $0).definitions() }
    }

    package func set(_ definition: BoardDefinition) async throws {
        try await pool.asKeeper { transaction in
            let results = try transaction.pipeline([
                """
                INSERT INTO underway.board_definition (name, text)
                VALUES (\(definition.name), \(definition.text))
                ON CONFLICT (name) DO UPDATE SET text = excluded.text
                """,
                "SELECT count(*) AS boards FROM underway.board_definition",
            ])
            let count = try results.last?.column("boards", as: Int.self).first ?? 0
            if count > ServiceLimits.boardsMax { throw BoardDefinition.ValidationError.tooMany }
        }
    }

    package func removeDefinition(_ name: String) async throws -> Bool {
        try await pool.asKeeper { transaction in
            try transaction.query("DELETE FROM underway.board_definition WHERE name = \(name)")
                .affectedRows > 0
        }
    }

    // MARK: Reading

    package func read(_ query: BoardQuery) async throws -> BoardReading? {
        let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        do {
            return try await pool.transaction(options) { transaction in
                try PostgresBoardReader(transaction: transaction).read(query)
            }
        } catch let error as PostgresError {
            throw LedgerError.meaning(of: error)
        }
    }

    // MARK: Profiles

    package func profile(of user: String) async throws -> BoardProfile? {
        try await PostgresLedger(pool).read(of: user, [Self.ownProfile]) {
            try Self.profile($0[0])
        }
    }

    private static let ownProfile: PostgresStatement =
        "SELECT name, is_listed, code FROM underway.board_profile WHERE account = underway.claim()"

    private static func profile(_ result: PostgresResult) throws -> BoardProfile? {
        try result.first.map { row in
            BoardProfile(
                name: try row.value("name"), isListed: try row.value("is_listed"),
                friendCode: try row.value("code"))
        }
    }

    package func set(_ profile: BoardProfile, of user: String) async throws -> BoardProfile {
        try await pool.asUser(user) { transaction in
            let results = try transaction.pipeline([
                """
                INSERT INTO underway.board_profile (account, code, name, is_listed)
                VALUES (underway.claim(), \(profile.friendCode), \(profile.name), \(profile.isListed))
                ON CONFLICT (account) DO UPDATE SET
                    name = CASE WHEN board_profile.is_name_blocked THEN NULL ELSE excluded.name END,
                    is_listed = excluded.is_listed
                """,
                SessionSums.change, Self.ownProfile,
            ])
            return try results.last.flatMap { try Self.profile($0) } ?? profile
        }
    }

    package func addProfile(_ profile: BoardProfile, of user: String) async throws -> BoardProfile {
        try await pool.asUser(user) { transaction in
            let results = try transaction.pipeline([
                """
                INSERT INTO underway.board_profile (account, code, name, is_listed)
                VALUES (underway.claim(), \(profile.friendCode), \(profile.name), \(profile.isListed))
                ON CONFLICT (account) DO NOTHING
                """, Self.ownProfile,
            ])
            return try results.last.flatMap { try Self.profile($0) } ?? profile
        }
    }

    package func removeNames(_ text: String) async throws -> [String] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                UPDATE underway.board_profile SET name = NULL, is_name_blocked = true
                WHERE name IS NOT NULL AND (name = \(text) OR code = \(text)) RETURNING code
                """
            ).column("code", as: String.self).sorted()
        }
    }

    package func allowName(of code: String) async throws -> Bool {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                UPDATE underway.board_profile SET is_name_blocked = false
                WHERE code = \(code) AND is_name_blocked
                """
            ).affectedRows > 0
        }
    }

    // MARK: Recounting

    package func recount(after member: Int64, now: Int64) async throws -> Int64? {
        let next = try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT number, id FROM underway.account
                WHERE number > \(member) AND deleted_at IS NULL ORDER BY number LIMIT 1
                """
            ).first.map {
                (
                    number: try $0.value("number", as: Int64.self),
                    user: try $0.value("id", as: String.self)
                )
            }
        }
        guard let next else { return nil }
        do {
            try await pool.asUser(next.user) { transaction in
                var sums: [SessionScore] = []
                try AnswerLoader.forEachRun(in: transaction) {
                    sums = SessionScore.merged(sums + SessionScore.sums($0, now: now))
                }
                try transaction.pipeline(SessionSums(sums).replacement)
            }
        } catch LedgerError.noAccount {
            // Deleted meanwhile: there is nothing to sum.
        }
        return next.number
    }
}
