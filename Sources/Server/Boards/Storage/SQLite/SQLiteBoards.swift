import GRDB
import Ledger
import ServiceAPI
package import Tables
package import UserData

/// The boards in SQLite, beside the users whose they are.
package struct SQLiteBoards: BoardStorage {
    let database: UserDatabase

    package init(_ database: UserDatabase) { self.database = database }

    /// Exchanges wait for the writer meanwhile: 1,000 changes take about 20 ms.
    package var changesMax: Int { 1_000 }

    package func refresh<Value: Sendable>(
        _ body: @escaping @Sendable (any BoardTransaction) throws -> Value
    ) async throws -> Value? {
        try await database.write { try body(SQLiteBoardTransaction(database: $0)) }
    }

    // MARK: Definitions

    package func definitions() async throws -> [BoardDefinition] {
        try await database.read { try SQLiteBoardTransaction(database: $0).definitions() }
    }

    package func set(_ definition: BoardDefinition) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO board_definition (name, text) VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET text = excluded.text
                    """, arguments: [definition.name, definition.text])
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM board_definition")
            if (count ?? 0) > ServiceLimits.boardsMax {
                throw BoardDefinition.ValidationError.tooMany
            }
        }
    }

    package func removeDefinition(_ name: String) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM board_definition WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    // MARK: Reading

    package func read(_ query: BoardQuery) async throws -> BoardReading? {
        try await database.read { try SQLiteBoardReader(database: $0).read(query) }
    }

    // MARK: Profiles

    package func profile(of user: String) async throws -> BoardProfile? {
        try await database.read { database in
            try Self.profile(of: AccountRow(user, in: database).number, in: database)
        }
    }

    private static func profile(of account: Int64, in database: Database) throws -> BoardProfile? {
        try Row.fetchOne(
            database, sql: "SELECT name, is_listed, code FROM board_profile WHERE account = ?",
            arguments: [account]
        ).map { BoardProfile(name: $0[0], isListed: $0[1], friendCode: $0[2]) }
    }

    package func set(_ profile: BoardProfile, of user: String) async throws -> BoardProfile {
        try await database.write { database in
            let account = try AccountRow(user, in: database).number
            try database.execute(
                sql: """
                    INSERT INTO board_profile (account, code, name, is_listed) VALUES (?, ?, ?, ?)
                    ON CONFLICT (account) DO UPDATE SET is_listed = excluded.is_listed,
                        name = CASE WHEN is_name_blocked THEN NULL ELSE excluded.name END
                    """, arguments: [account, profile.friendCode, profile.name, profile.isListed])
            try SessionScoreTable(database, account).noteChange()
            return try Self.profile(of: account, in: database) ?? profile
        }
    }

    package func addProfile(_ profile: BoardProfile, of user: String) async throws -> BoardProfile {
        try await database.write { database in
            let account = try AccountRow(user, in: database).number
            try database.execute(
                sql: """
                    INSERT INTO board_profile (account, code, name, is_listed) VALUES (?, ?, ?, ?)
                    ON CONFLICT (account) DO NOTHING
                    """, arguments: [account, profile.friendCode, profile.name, profile.isListed])
            return try Self.profile(of: account, in: database) ?? profile
        }
    }

    package func removeNames(_ text: String) async throws -> [String] {
        try await database.write { database in
            try String.fetchAll(
                database,
                sql: """
                    UPDATE board_profile SET name = NULL, is_name_blocked = 1
                    WHERE name IS NOT NULL AND (name = :text OR code = :text) RETURNING code
                    """, arguments: ["text": text]
            ).sorted()
        }
    }

    package func allowName(of code: String) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql:
                    "UPDATE board_profile SET is_name_blocked = 0 WHERE code = ? AND is_name_blocked",
                arguments: [code])
            return database.changesCount > 0
        }
    }

    // MARK: Recounting

    package func recount(after member: Int64, now: Int64) async throws -> Int64? {
        try await database.write { database -> Int64? in
            let next = try Int64.fetchOne(
                database,
                sql: """
                    SELECT number FROM account WHERE number > ? AND deleted_at IS NULL
                    ORDER BY number LIMIT 1
                    """, arguments: [member])
            guard let next else { return nil }
            var sums: [SessionScore] = []
            try SQLiteAnswers(database, next).forEachRun {
                sums = SessionScore.merged(sums + SessionScore.sums($0, now: now))
            }
            try SessionScoreTable(database, next).replace(by: sums)
            return next
        }
    }
}
