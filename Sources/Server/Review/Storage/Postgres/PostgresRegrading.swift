import Foundation
import Ledger
package import PostgresDriver
import Tables

/// How far corrections are applied, as the keeper and one process at a time.
private struct PostgresRegradeTransaction: RegradeTransaction {
    let transaction: PostgresTransaction

    func state() throws -> RegradeState? {
        try transaction.query("SELECT release, digest, swept_through FROM underway.regrade_state")
            .first.map { row in
                RegradeState(
                    release: try row.value("release"), digest: try row.value("digest"),
                    sweptThrough: try row.value("swept_through"))
            }
    }

    func set(_ state: RegradeState) throws {
        try transaction.query(
            """
            INSERT INTO underway.regrade_state (one, release, digest, swept_through)
            VALUES (1, \(Int64(state.release)), \(state.digest), \(state.sweptThrough))
            ON CONFLICT (one) DO UPDATE SET release = excluded.release,
                digest = excluded.digest, swept_through = excluded.swept_through
            """)
    }

    func replaceCorrected(_ versions: [ServedCorrections.Version]) throws {
        let rows = CorrectedRows(versions)
        try transaction.pipeline([
            "DELETE FROM underway.corrected_version",
            """
            INSERT INTO underway.corrected_version (bank, question, version, digest)
            SELECT c.bank, c.question, c.version, c.digest
            FROM unnest(\(rows.banks)::text[], \(rows.questions)::text[],
                \(rows.versions)::text[], \(rows.digests)::uuid[])
                AS c (bank, question, version, digest)
            """,
        ])
    }

    func accounts(after member: Int64, atMost limit: Int) throws -> [Int64] {
        try transaction.query(
            """
            SELECT number FROM underway.account WHERE number > \(member) AND deleted_at IS NULL
            ORDER BY number LIMIT \(limit)
            """
        ).column("number")
    }

    func note(_ members: [Int64], orGraded: Bool) throws {
        guard !members.isEmpty else { return }
        try transaction.query(RegradeNotes.statement(members, orGraded: orGraded))
    }
}

/// The versions of a set of corrections as columns; the digest is that of the question's name.
struct CorrectedRows {
    let banks: [String]
    let questions: [String]
    let versions: [String]
    let digests: [UUID]

    init(_ versions: [ServedCorrections.Version]) {
        banks = versions.map(\.bank)
        questions = versions.map(\.question)
        self.versions = versions.map(\.version)
        digests = versions.map {
            AnswerBatch.Name.question(bank: $0.bank, id: $0.question).digest
        }
    }
}

/// The new grades that are laid over answers in PostgreSQL, for any number of processes.
package struct PostgresRegrading: RegradeStorage {
    let pool: PostgresPool

    /// Uses connections of the login `underway_server`.
    package init(_ pool: PostgresPool) { self.pool = pool }

    package var accountsMax: Int { 10_000 }

    package func step<Value: Sendable>(
        _ body: @escaping @Sendable (any RegradeTransaction) throws -> Value
    ) async throws -> Value? {
        try await pool.asKeeperAlone { try body(PostgresRegradeTransaction(transaction: $0)) }
    }

    package func plan(
        of member: Int64, _ corrections: ServedCorrections
    ) async throws -> RegradePlan {
        guard let user = try await user(member) else {
            return RegradePlan([], known: [], corrections)
        }
        return try await pool.asUser(user) {
            try RegradeStatements(transaction: $0).plan(corrections)
        }
    }

    package func candidates(
        after member: Int64, atMost limit: Int, _ corrections: ServedCorrections
    ) async throws -> (members: [Int64], last: Int64)? {
        try await pool.asKeeper { transaction in
            let accounts = try PostgresRegradeTransaction(transaction: transaction)
                .accounts(after: member, atMost: limit)
            guard let last = accounts.last else { return nil }
            let rows = CorrectedRows(corrections.versions)
            let members: [Int64] = try transaction.query(
                """
                SELECT q.account FROM unnest(\(rows.versions)::text[], \(rows.digests)::uuid[])
                        AS c (version, digest)
                    JOIN underway.own_name q ON q.account = ANY (\(accounts)::bigint[])
                        AND q.digest = c.digest
                    JOIN underway.own_name v ON v.account = q.account AND v.kind = 'version'
                        AND v.question = q.number AND v.text = c.version
                UNION
                SELECT r.account FROM underway.regraded_answer r
                WHERE r.account = ANY (\(accounts)::bigint[])
                """
            ).column("account")
            return (members.sorted(), last)
        }
    }

    /// Returns the id of an account that is there.
    private func user(_ member: Int64) async throws -> String? {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT id FROM underway.account WHERE number = \(member) AND deleted_at IS NULL
                """
            ).column("id", as: String.self).first
        }
    }

    package func noted(atMost limit: Int) async throws -> [NotedRegrade] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                "SELECT number, member FROM underway.regrade_note ORDER BY number LIMIT \(limit)"
            ).map { row in
                NotedRegrade(number: try row.value("number"), member: try row.value("member"))
            }
        }
    }

    package func regrade(
        _ note: NotedRegrade, _ corrections: ServedCorrections
    ) async throws -> Int? {
        do {
            guard let user = try await user(note.member) else { throw LedgerError.noAccount }
            return try await pool.asUser(user) {
                try RegradeStatements(transaction: $0).run(note, corrections)
            }
        } catch LedgerError.noAccount {
            // Deleted: there is nothing to grade.
            return try await pool.asKeeper { transaction in
                try transaction.query(
                    "DELETE FROM underway.regrade_note WHERE member = \(note.member)")
                return 0
            }
        }
    }
}
