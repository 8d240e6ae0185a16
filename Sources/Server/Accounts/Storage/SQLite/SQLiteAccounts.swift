package import Foundation
import GRDB
package import Tables

/// The storage of accounts in SQLite: one writer for all of them.
///
/// The journal of revocations and the mark of the database are files beside it, so that they survive a restore.
package struct SQLiteAccounts: AccountStorage {
    let database: UserDatabase
    let journal: RevocationJournal
    let mark: InstanceMark
    private let rows: MovedRows

    /// Opens the accounts of a database.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - folder: The folder of the journal and the mark; `nil` for none, as in tests.
    ///   - rows: The steps by which features move their rows with an account.
    /// - Throws: An error of the file system.
    package init(
        _ database: UserDatabase, folder: URL? = nil, moving rows: MovedRows
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
            let outcome = try decide(Self.opened(keys, journal, in: database))
            let writing = AccountWriting(outcome.changes)
            try Self.run(writing.statements, in: database)
            for move in writing.moves {
                try AccountMoves(transaction: TableTransaction(database), rows: rows).write(move)
            }
            // After all that the database may refuse: the journal is not undone with the transaction.
            for revocation in writing.revocations { try journal.add(revocation) }
            return outcome.reply
        }
    }

    /// Executes statements, of which an addition to a missing account violates the foreign key.
    private static func run(_ statements: [Bound], in database: Database) throws {
        do {
            try TableTransaction(database).run(statements)
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
        {
            throw StorageError.noAccount
        }
    }

    package func open(_ keys: AccountReadSet) async throws -> AccountSnapshot {
        let journal = journal
        return try await database.read { try Self.opened(keys, journal, in: $0) }
    }

    private static func opened(
        _ keys: AccountReadSet, _ journal: RevocationJournal, in database: Database
    ) throws -> AccountSnapshot {
        let opening = AccountOpening(keys, locks: false)
        let located = try TableTransaction(database).run(opening.locating).last?.first
        let transaction = TableTransaction(database, account: try located?.value("number"))
        let found = try opening.snapshot(of: transaction.run(opening.statements))
        var snapshot = try opening.complete(
            found, transaction.run(opening.furtherStatements(found)))
        snapshot.revocations = journal.known(account: keys.id, session: keys.session)
        return snapshot
    }

    package func obstacle() async -> StorageObstacle? {
        await database.obstacle()
    }

    package func writeObstacle() async -> StorageObstacle? { nil }

    // MARK: Upkeep

    package var tables: any TableDatabase { database }

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
