import GRDB
package import Tables
package import UserData

/// The ledger's storage in SQLite: one writer, up to 64 exchanges a transaction, each in a savepoint.
package struct SQLiteLedger: LedgerStorage {
    let database: UserDatabase

    package init(database: UserDatabase) {
        self.database = database
    }

    package func exchange<Reply: Sendable>(
        _ keys: LedgerReadSet,
        _ decide: @escaping @Sendable (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) async throws -> Reply {
        try await database.writeTogether { try Self.exchange(keys, in: $0, decide) }
    }

    /// Opens, decides and writes in a savepoint of a transaction that the caller opened.
    ///
    /// Should the database refuse a record, the decision runs again and refuses what would write it.
    static func exchange<Reply>(
        _ keys: LedgerReadSet, in database: Database,
        _ decide: (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) throws -> Reply {
        var rejected: Set<RecordKey> = []
        while true {
            var (reply, new) = (Reply?.none, Set<RecordKey>())
            try database.inSavepoint {
                let account = try AccountRow(keys.user, in: database)
                var snapshot = try SnapshotReader(database, account, keys).repaired()
                snapshot.rejected = rejected
                let decision = try decide(snapshot)
                new = try ChangeWriter(database, account.number).write(decision.changes)
                guard new.isEmpty else { return .rollback }
                reply = decision.reply
                return .commit
            }
            if let reply { return reply }
            guard !new.isSubset(of: rejected) else { throw StorageError.damaged("records") }
            rejected.formUnion(new)
        }
    }

    package func open(_ keys: LedgerReadSet) async throws -> LedgerSnapshot {
        try await database.read { database in
            let account = try AccountRow(keys.user, in: database)
            return try SnapshotReader(database, account, keys).read().snapshot
        }
    }

    package func answers(
        _ spans: [AnswerSpan], of user: String, bytesMax: Int
    ) async throws -> AnswerPage {
        try await database.read { database in
            let account = try AccountRow(user, in: database)
            return try SQLiteAnswers(database, account.number).page(spans, bytesMax: bytesMax)
        }
    }

    package func retractions(
        in spans: [AnswerSpan], of user: String
    ) async throws -> [AnswerID: AnswerID] {
        try await database.read { database in
            let account = try AccountRow(user, in: database)
            let transaction = TableTransaction(database, account: account.number)
            return try StoredRetraction.targets(
                in: transaction.run([StoredRetraction.holding(in: spans)])[0])
        }
    }

    package func records(
        of user: String, in collection: String, after id: String, limit: Int, bytesMax: Int
    ) async throws -> RecordPage {
        try await database.read { database in
            let account = try AccountRow(user, in: database)
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT json FROM record WHERE account = ? AND collection = ? AND id > ?
                        AND deleted_at IS NULL ORDER BY id
                    """,
                arguments: [account.number, collection, id])
            var (page, bytes) = (RecordPage(), 0)
            while let row = try rows.next() {
                let json: String = row["json"]
                guard let record = StoredJSON.readable(json) else { continue }
                bytes += json.utf8.count
                if page.records.count >= limit || bytes > bytesMax && !page.records.isEmpty {
                    page.hasMore = true
                    break
                }
                page.records.append(record)
            }
            return page
        }
    }

    // MARK: Upkeep

    package func progress(of user: String) async throws -> AnswerProgress? {
        try await database.read { database in
            let statistics = try AnswerStatistics(of: user, in: database)
            return try statistics.isComplete() ? try statistics.progress() : nil
        }
    }

    package func countAnswers(of user: String) async throws {
        try await database.write { database in
            _ = try AnswerStatistics(of: user, in: database).step()
        }
    }

    package func purge(before end: Int64, limit: Int) async throws -> Int {
        try await database.write { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT account, collection, id, position, length(CAST(json AS BLOB)) AS bytes
                    FROM record WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?
                    """,
                arguments: [end, limit])
            for row in rows { try Self.purge(row, in: database) }
            return rows.count
        }
    }

    private static func purge(_ row: Row, in database: Database) throws {
        let account: Int64 = row["account"]
        let (collection, id): (String, String) = (row["collection"], row["id"])
        let (position, bytes): (Int64, Int64) = (row["position"], row["bytes"])
        try database.cachedStatement(
            sql: "DELETE FROM record WHERE account = ? AND collection = ? AND id = ?"
        ).execute(arguments: [account, collection, id])
        try database.cachedStatement(
            sql: """
                UPDATE account SET purged_through = max(purged_through, ?),
                    record_bytes = record_bytes - ? WHERE number = ?
                """
        ).execute(arguments: [position, bytes, account])
    }

    package func damagedRecordCount() async throws -> Int {
        try await database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM damaged_record") ?? 0
        }
    }
}
