package import PostgresDriver
import ServiceAPI
import Tables
package import UserData

/// The ledger's storage on PostgreSQL: a transaction of two round trips for each exchange, under the account's row
/// lock.
///
/// Any number of processes may use the same database. PostgreSQL's group commit shares flushes of its log among the
/// transactions of different accounts.
///
/// ```swift
/// let pool = PostgresPool(PoolSettings(try PostgresAddress("postgres://underway_server@db/underway")))
/// let ledger: any LedgerStorage = PostgresLedger(pool)
/// let progress = try await ledger.progress(of: "u-lPlxIj73mGC")
/// print(progress?.days.count ?? 0)
/// ```
package struct PostgresLedger: LedgerStorage {
    let pool: PostgresPool

    /// Creates the storage over connections of the login `underway_server`; 2 to 4 for each database core are fastest.
    package init(_ pool: PostgresPool) { self.pool = pool }

    // MARK: Exchanges

    package func exchange<Reply: Sendable>(
        _ keys: LedgerReadSet,
        _ decide: @escaping @Sendable (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) async throws -> Reply {
        var recovery = LedgerRecovery()
        while true {
            do {
                switch try await attempt(keys, recovery, decide) {
                case .committed(let reply): return reply
                case .refused(let records): try recovery.refused(records)
                }
            } catch let error as PostgresError {
                if let failure = recovery.failed(error) { throw failure }
            }
        }
    }

    private enum Outcome<Reply: Sendable>: Sendable {
        case committed(Reply)
        /// The database rejects these records; nothing was written.
        case refused(Set<RecordKey>)
    }

    /// A transaction that ends without a commit.
    private struct RefusedRecords: Error {
        var keys: Set<RecordKey>
    }

    private func attempt<Reply: Sendable>(
        _ keys: LedgerReadSet, _ recovery: LedgerRecovery,
        _ decide: @escaping @Sendable (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) async throws -> Outcome<Reply> {
        do {
            return try await pool.transaction { transaction in
                var snapshot = try Self.open(keys, in: transaction)
                snapshot.rejected = recovery.rejected
                snapshot.isRepeated = recovery.isRepeated
                let decision = try decide(snapshot)
                let writing = LedgerWriting(decision.changes)
                let refused = try Self.refused(
                    writing, decision.changes, in: transaction,
                    asking: recovery.asksForRefusals)
                guard refused.isEmpty else { throw RefusedRecords(keys: refused) }
                try transaction.commit(after: writing.statements)
                return .committed(decision.reply)
            }
        } catch let refused as RefusedRecords {
            return .refused(refused.keys)
        }
    }

    /// Locks and reads an account; records that cannot be read are put aside before.
    private static func open(
        _ keys: LedgerReadSet, in transaction: PostgresTransaction
    ) throws -> LedgerSnapshot {
        let opening = LedgerOpening(keys, locks: true)
        var (snapshot, isDamaged) = try opening.snapshot(transaction.pipeline(opening.statements))
        if isDamaged {
            try PostgresRepair(now: keys.now).run(in: transaction)
            (snapshot, isDamaged) = try opening.snapshot(transaction.pipeline(opening.statements))
            guard !isDamaged else { throw StorageError.damaged("records") }
        }
        try addOwnAnswers(keys, to: &snapshot, in: transaction)
        try snapshot.addRetractions(
            keys,
            run: { bound in
                try bound.inPostgres.map { try transaction.query($0).map(TableRow.init) } ?? []
            }, read: { try AnswerLoader($0).page(in: transaction) })
        return snapshot
    }

    /// Adds the stored answers of runs that are sent again, which is rare enough for a round trip.
    private static func addOwnAnswers(
        _ keys: LedgerReadSet, to snapshot: inout LedgerSnapshot,
        in transaction: PostgresTransaction
    ) throws {
        let known = snapshot.device?.lastAnswer ?? 0
        for run in keys.runs where run.first <= known {
            let count = Int(min(run.last, known) - run.first + 1)
            let reading = AnswerLoader([
                AnswerSpan(client: run.client, first: run.first, count: count)
            ])
            snapshot.answers[run.first] = try reading.page(in: transaction).runs.first?.rows ?? []
        }
    }

    /// Returns the records that cannot be written; the database is asked only after it refused something.
    private static func refused(
        _ writing: LedgerWriting, _ changes: LedgerChanges, in transaction: PostgresTransaction,
        asking: Bool
    ) throws -> Set<RecordKey> {
        let unstorable = writing.unstorable
        guard unstorable.isEmpty, asking else { return unstorable }
        let places = try transaction.query(writing.refusals).column("place", as: Int.self)
        return Set(places.map { changes.records[$0 - 1].record.key })
    }

    // MARK: Reading

    package func open(_ keys: LedgerReadSet) async throws -> LedgerSnapshot {
        try await read { transaction in
            let opening = LedgerOpening(keys, locks: false)
            guard !keys.runs.isEmpty else {
                return try opening.snapshot(transaction.commit(after: opening.statements)).snapshot
            }
            var (snapshot, _) = try opening.snapshot(transaction.pipeline(opening.statements))
            try Self.addOwnAnswers(keys, to: &snapshot, in: transaction)
            return snapshot
        }
    }

    package func answers(
        _ spans: [AnswerSpan], of user: String, bytesMax: Int
    ) async throws -> AnswerPage {
        let reading = AnswerLoader(spans, bytesMax: bytesMax)
        return try await read { try reading.page(in: $0, after: Self.entry(of: user)) }
    }

    package func retractions(
        in spans: [AnswerSpan], of user: String
    ) async throws -> [AnswerID: AnswerID] {
        let statements = [StoredRetraction.holding(in: spans).inPostgres].compactMap(\.self)
        return try await read(of: user, statements) {
            try StoredRetraction.targets(in: $0[0].map(TableRow.init))
        }
    }

    /// Reads as a user in one round trip.
    package func read<Value: Sendable>(
        of user: String, _ statements: [PostgresStatement],
        _ body: @Sendable ([PostgresResult]) throws -> Value
    ) async throws -> Value {
        try await read { transaction in
            let entry = Self.entry(of: user)
            let results = try transaction.commit(after: entry + statements)
            return try body(Array(results.dropFirst(entry.count)))
        }
    }

    private static func entry(of user: String) -> [PostgresStatement] {
        [UserClaims(of: user).statement, "SELECT underway.enter_1(false)"]
    }

    /// Reads in a transaction that sees one state of the database.
    func read<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        do {
            return try await pool.transaction(options, body)
        } catch let error as PostgresError {
            throw StorageError.meaning(of: error)
        }
    }
}
