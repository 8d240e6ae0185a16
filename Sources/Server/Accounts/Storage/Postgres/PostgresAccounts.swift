package import Foundation
package import PostgresDriver
package import Tables

/// The storage of accounts on PostgreSQL, for any number of processes.
///
/// A decision is one transaction of two round trips, as `underway_accounts`, under the lock of the account's row. If no
/// reply to COMMIT arrives, the caller gets `unavailable` and repeats its request; every request is repeatable.
///
/// ```swift
/// let pool = PostgresPool(PoolSettings(try PostgresAddress("postgres://underway_server@db/underway")))
/// let accounts = try PostgresAccounts.withRooms(pool)
/// let snapshot = try await accounts.open(AccountReadSet(.email("ada@example.org")))
/// print(snapshot.account?.id ?? "nobody")
/// ```
package struct PostgresAccounts: AccountStorage {
    /// A check of the database's schema: the reason why it cannot serve, or `nil`.
    package typealias SchemaObstacle =
        @Sendable (PostgresConnection) throws -> StorageObstacle?

    let pool: PostgresPool
    /// The revocations of this process, apart from the database.
    let journal: RevocationJournal?
    /// The mark of this process.
    let mark: InstanceMark
    private let rows: MovedRows
    private let schemaObstacle: SchemaObstacle

    /// Creates the storage over connections of the login `underway_server`.
    ///
    /// - Parameters:
    ///   - pool: The connections.
    ///   - folder: A folder of this process only, for its mark and its revocations, which must survive a restore of
    ///     the database. With `nil`, a restore is detected only if it is declared.
    ///   - rows: The steps by which features move their rows with an account.
    ///   - schemaObstacle: The check of the schema.
    /// - Throws: An error of the file system.
    package init(
        _ pool: PostgresPool, folder: URL? = nil,
        moving rows: MovedRows, schemaObstacle: @escaping SchemaObstacle
    ) throws {
        self.schemaObstacle = schemaObstacle
        self.pool = pool
        self.rows = rows
        journal = try folder.map {
            try RevocationJournal(file: $0.appending(path: "revocations"))
        }
        mark = InstanceMark(file: folder?.appending(path: "instance-mark"))
    }

    // MARK: Decisions

    package func change<Reply: Sendable>(
        _ keys: AccountReadSet,
        _ decide: @escaping @Sendable (AccountSnapshot) throws -> AccountOutcome<Reply>
    ) async throws -> Reply {
        let (journal, rows) = (journal, rows)
        var isRepeated = false
        while true {
            do {
                return try await pool.transaction { transaction in
                    let tables = TableTransaction(transaction)
                    tables.act(as: .accounts)
                    let outcome = try decide(try Self.opened(keys, in: tables))
                    let writing = AccountWriting(outcome.changes)
                    guard !writing.revocations.isEmpty || !writing.moves.isEmpty else {
                        try tables.commit(after: writing.statements)
                        return outcome.reply
                    }
                    try tables.run(writing.statements)
                    for move in writing.moves {
                        try AccountMoves(transaction: tables, rows: rows).write(move)
                    }
                    // After all that the database may refuse, and before the commit: what is revoked stays so,
                    // whatever becomes of the database.
                    for revocation in writing.revocations { try journal?.add(revocation) }
                    try tables.commit()
                    return outcome.reply
                }
            } catch let error as PostgresError {
                // Another transaction was first with an email, identity or id: decide over what it wrote.
                guard error.code == .uniqueViolation, !isRepeated else {
                    throw Self.translated(error)
                }
                isRepeated = true
            }
        }
    }

    /// Locks and reads an account.
    private static func opened(
        _ keys: AccountReadSet, in transaction: TableTransaction
    ) throws -> AccountSnapshot {
        let opening = AccountOpening(keys, locks: true)
        let snapshot = try opening.snapshot(
            of: transaction.run(opening.locating + opening.statements))
        let further = opening.furtherStatements(snapshot)
        guard !further.isEmpty else { return snapshot }
        return try opening.complete(snapshot, transaction.run(further))
    }

    /// Reads in one round trip, since every request reads its account; an unknown account needs a second one.
    package func open(_ keys: AccountReadSet) async throws -> AccountSnapshot {
        let opening = AccountOpening(keys, locks: false)
        let snapshot = try await pool.read(as: .accounts) {
            try opening.snapshot(of: $0.commit(after: opening.locating + opening.statements))
        }
        let further = opening.furtherStatements(snapshot)
        guard !further.isEmpty else { return snapshot }
        return try await pool.read(as: .accounts) {
            try opening.complete(snapshot, $0.commit(after: further))
        }
    }

    package func obstacle() async -> StorageObstacle? {
        do {
            return try await pool.use { connection in
                if let obstacle = try schemaObstacle(connection) { return obstacle }
                let row = try connection.query(
                    "SELECT current_setting('transaction_read_only') AS is_read_only"
                ).first
                return try row?.value("is_read_only", as: String.self) == "off"
                    ? nil
                    : StorageObstacle("The database of users is read-only, or a standby.")
            }
        } catch let error as PostgresError where error.code == .poolBusy {
            return StorageObstacle("All connections to the database of users are in use.")
        } catch {
            return .noAnswer
        }
    }

    /// Tests both kinds of writes: a sort beyond its memory writes 176 KiB to the database's disk for a moment, and a
    /// commit adds a message to the log that nobody reads.
    ///
    /// The first fails if a table could not grow, the second if no commit reaches the disk.
    package func writeObstacle() async -> StorageObstacle? {
        do {
            _ = try await pool.transaction { transaction in
                try transaction.commit(after: [
                    "SELECT set_config('work_mem', '64kB', true)",
                    """
                    SELECT count(*) FROM (
                        SELECT n FROM generate_series(1, 10000) AS n ORDER BY -n) AS sorted
                    """,
                    "SELECT pg_logical_emit_message(true, 'underway', 'ready')::text",
                ])
            }
            return nil
        } catch let error as PostgresError where error.code == .diskFull {
            return .fullDisk
        } catch {
            return .noWrite
        }
    }

    // MARK: Upkeep

    package var tables: any TableDatabase { pool }

    package func eraseDeletedAccounts(limit: Int) async throws -> Bool {
        try await pool.write(as: .keeper) { transaction in
            try transaction.commit(after: [Self.erasing(["limit": limit])])[0].first?
                .value("is_done") ?? true
        }
    }

    private static let erasing = Statement(postgres: "SELECT underway.erase_1(:limit) AS is_done")

    // MARK: Failures

    private static func translated(_ error: PostgresError) -> StorageError {
        error.isOutcomeUnknown ? .unavailable : .meaning(of: error)
    }
}
