package import Foundation
package import GRDB
package import Tables

/// The storage of accounts in SQLite: one writer for all of them.
///
/// The journal of revocations and the mark of the database lie in files beside it, so that they outlive a
/// restore.
package struct SQLiteAccounts: AccountStorage {
    let database: UserDatabase
    let journal: RevocationJournal
    let mark: InstanceMark
    private let rows: MovedRows<Database>

    /// Opens the accounts of a database.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - folder: The folder of the journal and the mark; `nil` for none, as in tests.
    ///   - rows: What the rooms above do when an account moves.
    /// - Throws: An error of the file system.
    package init(
        _ database: UserDatabase, folder: URL? = nil, moving rows: MovedRows<Database>
    ) throws {
        self.database = database
        self.rows = rows
        journal = try RevocationJournal(file: folder?.appending(path: "revocations"))
        mark = InstanceMark(file: folder?.appending(path: "instance-mark"))
    }

    package func change<Reply: Sendable>(
        _ keys: AccountReadSet,
        _ decide: @escaping @Sendable (AccountSnapshot) throws -> AccountOutcome<Reply>
    ) async throws -> Reply {
        let (journal, rows) = (journal, rows)
        return try await database.write { database in
            let snapshot = try AccountReader(database, keys, journal).read()
            let outcome = try decide(snapshot)
            try AccountWriter(database, journal, rows).write(outcome.changes)
            return outcome.reply
        }
    }

    package func open(_ keys: AccountReadSet) async throws -> AccountSnapshot {
        let journal = journal
        return try await database.read { try AccountReader($0, keys, journal).read() }
    }

    package func obstacle() async -> StorageObstacle? {
        await database.obstacle()
    }

    package func writeObstacle() async -> StorageObstacle? { nil }

    // MARK: Upkeep

    package func removeExpired(_ rows: ExpiringRows, at seconds: Int64, limit: Int) async throws
        -> Int
    {
        let (table, key) =
            switch rows {
            case .tokens: ("refresh_token", "hash")
            case .codes: ("email_code", "account, purpose, hash")
            }
        return try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM \(table) WHERE (\(key)) IN
                        (SELECT \(key) FROM \(table) WHERE expires_at <= ? LIMIT ?)
                    """, arguments: [seconds, limit])
            return database.changesCount
        }
    }

    package func accounts(
        usedBefore end: Int64, after place: AccountUse.Place?, limit: Int
    ) async throws -> [AccountUse] {
        let place = place ?? AccountUse.Place(usedAt: .min, number: 0)
        return try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, last_used_at, number,
                        EXISTS (SELECT 1 FROM password WHERE account = number)
                            OR EXISTS (SELECT 1 FROM identity WHERE account = number)
                            AS hasSignInMethods,
                        position > 0 OR EXISTS
                            (SELECT 1 FROM device WHERE account = account.number AND last_answer > 0)
                            AS hasData
                    FROM account
                    WHERE last_used_at < ? AND (last_used_at, number) > (?, ?) AND deleted_at IS NULL
                    ORDER BY last_used_at, number LIMIT ?
                    """,
                arguments: [end, place.usedAt, place.number, limit]
            ).map { row in
                AccountUse(
                    id: row["id"],
                    place: AccountUse.Place(usedAt: row["last_used_at"], number: row["number"]),
                    hasSignInMethods: row["hasSignInMethods"], hasData: row["hasData"])
            }
        }
    }

    package func unfinishedMoves(limit: Int) async throws -> [StoredMove] {
        try await database.read { try SQLiteMoves(database: $0).unfinished(limit: limit) }
    }

    package func eraseDeletedAccounts(limit: Int) async throws -> Bool {
        try await database.write { database in
            let number = try Int64.fetchOne(
                database,
                sql: """
                    SELECT number FROM account
                    WHERE deleted_at IS NOT NULL AND id NOT LIKE 'moving %' LIMIT 1
                    """)
            guard let number else { return true }
            try AccountErasure(of: number, in: database).delete(atMost: limit)
            return false
        }
    }
}
