import Accounts
import GRDB
package import Ledger
package import Tables

/// The review of keys in SQLite.
package struct SQLiteReview: ReviewStorage {
    private let database: UserDatabase

    package init(_ database: UserDatabase) { self.database = database }

    // MARK: What users sent

    package func applyChanges(atMost limit: Int, now: Int64) async throws -> Bool {
        try await database.write { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT number, member FROM review_change ORDER BY number LIMIT ?",
                arguments: [limit])
            guard let last = rows.last else { return false }
            try database.execute(
                sql: "DELETE FROM review_change WHERE number <= ?",
                arguments: [last["number"] as Int64])
            for account in Set(rows.map { $0["member"] as Int64 }).sorted() {
                let isThere = try Bool.fetchOne(
                    database,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM account WHERE number = ? AND deleted_at IS NULL)
                        """, arguments: [account])
                if isThere == true { try ContributorTable(database, account).apply(now: now) }
            }
            return rows.count == limit
        }
    }

    package func firstAnswers(after number: Int64, limit: Int) async throws -> [StoredFirstAnswer] {
        try await database.read { database in
            var answers: [StoredFirstAnswer] = []
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT number, contributor, item, response, flags FROM first_answer
                        WHERE number > ? ORDER BY number LIMIT ?
                        """), arguments: [number, limit])
            while let row = try rows.next() {
                answers.append(
                    StoredFirstAnswer(
                        number: row[0], contributor: row[1],
                        answer: FirstAnswer(item: row[2], response: row[3], flags: row[4])))
            }
            return answers
        }
    }

    package func contributorCount(through highest: Int64?) async throws -> ContributorCount {
        try await database.read { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT count(*), coalesce(max(number), 0) FROM contributor WHERE number <= ?",
                arguments: [highest ?? .max])
            return ContributorCount(count: row?[0] ?? 0, highest: row?[1] ?? 0)
        }
    }

    package func contributors() async throws -> Set<Int64> {
        try await database.read { database in
            try Int64.fetchSet(database, sql: "SELECT number FROM contributor")
        }
    }

    // MARK: Reports

    package func reportCounts() async throws -> [ReportCount] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT bank, question, version, count(*) FROM question_report
                    GROUP BY bank, question, version
                    """
            ).map {
                ReportCount(bank: $0[0], question: $0[1], version: $0[2], learners: $0[3])
            }
        }
    }

    package func reports(
        bank: String?, question: String?, limit: Int
    ) async throws -> [ReceivedReport] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT bank, question, version, reason, text, at FROM question_report
                    WHERE (:bank IS NULL OR bank = :bank)
                        AND (:question IS NULL OR question = :question)
                    ORDER BY at DESC, bank, question, text LIMIT :limit
                    """, arguments: ["bank": bank, "question": question, "limit": limit]
            ).map {
                ReceivedReport(
                    bank: $0[0], question: $0[1], version: $0[2], reason: $0[3], text: $0[4],
                    at: $0[5])
            }
        }
    }

    // MARK: Proposals

    package func proposals(
        in states: Set<Proposal.State>, limit: Int
    ) async throws -> [Proposal] {
        try await database.read { database in
            let names = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM proposal WHERE state IN (\(names))
                    ORDER BY state = 'open' DESC,
                        CASE WHEN state = 'open' THEN evidence ->> '$.score' END DESC,
                        changed_at DESC, number DESC LIMIT ?
                    """, arguments: [limit]
            ).compactMap(Proposal.init(row:))
        }
    }

    package func proposal(_ number: Int64) async throws -> Proposal? {
        try await database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM proposal WHERE number = ?", arguments: [number]
            ).flatMap(Proposal.init(row:))
        }
    }

    package func changeProposals(
        _ body: @escaping @Sendable ([Proposal]) throws -> ProposalChanges
    ) async throws -> [Proposal] {
        try await database.write { database in
            let newest = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM proposal AS one WHERE number =
                        (SELECT max(number) FROM proposal AS other
                        WHERE other.bank = one.bank AND other.question = one.question)
                    ORDER BY number
                    """
            ).compactMap(Proposal.init(row:))
            let changes = try body(newest)
            var written: [Proposal] = []
            for proposal in changes.proposals {
                written.append(try Self.write(proposal, in: database))
            }
            try TableTransaction(database).run(
                changes.entries.map(AdministrationStorage.appending))
            return written
        }
    }

    private static func write(_ proposal: Proposal, in database: Database) throws -> Proposal {
        var proposal = proposal
        let decision = proposal.decision
        let changing: StatementArguments = [
            proposal.proposedKey, proposal.state.rawValue, proposal.evidence.text,
            proposal.changedAt, decision?.actor, decision?.at, decision?.reason ?? "",
            proposal.release, proposal.shippedAt,
        ]
        if proposal.number > 0 {
            try database.execute(
                sql: """
                    UPDATE proposal SET proposed_key = ?, state = ?, evidence = ?, changed_at = ?,
                        actor = ?, decided_at = ?, reason = ?, release = ?, shipped_at = ?, version = ?
                    WHERE number = ?
                    """, arguments: changing + [proposal.version, proposal.number])
            return proposal
        }
        let fixed: StatementArguments = [
            proposal.bank, proposal.question, proposal.version, proposal.key, proposal.flaggedAt,
            proposal.follows,
        ]
        try database.execute(
            sql: """
                INSERT INTO proposal (proposed_key, state, evidence, changed_at, actor, decided_at,
                    reason, release, shipped_at, bank, question, version, key, flagged_at, follows)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, arguments: changing + fixed)
        proposal.number = database.lastInsertedRowID
        return proposal
    }

    // MARK: Releases

    package func releaseSpread(limit: Int) async throws -> [ReleaseSpread] {
        try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM release_spread ORDER BY release DESC LIMIT ?",
                arguments: [limit]
            ).map { row in
                var spread = ReleaseSpread(release: row["release"], servedAt: row["served_at"])
                spread.reachedAt = [row["half"], row["most"], row["nearly_all"]]
                return spread
            }
        }
    }

    package func set(_ spread: ReleaseSpread) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO release_spread (release, served_at, half, most, nearly_all)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (release) DO UPDATE SET served_at = excluded.served_at,
                        half = excluded.half, most = excluded.most, nearly_all = excluded.nearly_all
                    """,
                arguments: [
                    spread.release, spread.servedAt, spread.reachedAt[0], spread.reachedAt[1],
                    spread.reachedAt[2],
                ])
        }
    }
}

extension Proposal {
    /// Reads a row; `nil` for a state of a later version.
    init?(row: Row) {
        guard let state = State(rawValue: row["state"]) else { return nil }
        self.init(
            number: row["number"], bank: row["bank"], question: row["question"],
            version: row["version"], key: row["key"], proposedKey: row["proposed_key"],
            evidence: Evidence(text: row["evidence"]), flaggedAt: row["flagged_at"],
            follows: row["follows"])
        self.state = state
        changedAt = row["changed_at"]
        if let actor = row["actor"] as String? {
            decision = Decision(actor: actor, at: row["decided_at"], reason: row["reason"])
        }
        release = row["release"]
        shippedAt = row["shipped_at"]
    }
}
