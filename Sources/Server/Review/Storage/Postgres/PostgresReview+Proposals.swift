import Accounts
import PostgresDriver
import Tables

extension PostgresReview {
    private static let columns = """
        SELECT number, bank, question, version, key, proposed_key, state, evidence, flagged_at,
            changed_at, actor, decided_at, reason, release, shipped_at, follows
        FROM underway.proposal AS one
        """

    package func proposals(
        in states: Set<Proposal.State>, limit: Int
    ) async throws -> [Proposal] {
        let names = states.map(\.rawValue).sorted()
        return try await pool.asKeeper { transaction in
            try transaction.query(
                """
                \(sql: Self.columns) WHERE state = ANY (\(names)::text[])
                ORDER BY state = 'open' DESC,
                    CASE WHEN state = 'open' THEN (evidence::json ->> 'score')::float8 END DESC,
                    changed_at DESC, number DESC LIMIT \(limit)
                """
            ).compactMap { try Proposal(row: $0) }
        }
    }

    package func proposal(_ number: Int64) async throws -> Proposal? {
        try await pool.asKeeper { transaction in
            try transaction.query("\(sql: Self.columns) WHERE number = \(number)").first
                .flatMap { try Proposal(row: $0) }
        }
    }

    package func changeProposals(
        _ body: @escaping @Sendable ([Proposal]) throws -> ProposalChanges
    ) async throws -> [Proposal] {
        try await pool.asKeeper { transaction in
            try transaction.query("SELECT pg_advisory_xact_lock(\(Self.proposalLock))")
            let newest = try transaction.query(
                """
                \(sql: Self.columns) WHERE number = (SELECT max(number) FROM underway.proposal other
                    WHERE other.bank = one.bank AND other.question = one.question)
                ORDER BY number
                """
            ).compactMap { try Proposal(row: $0) }
            let changes = try body(newest)
            var written: [Proposal] = []
            for proposal in changes.proposals {
                written.append(try Self.write(proposal, in: transaction))
            }
            try TableTransaction(transaction).run(
                changes.entries.map(AdministrationStorage.appending))
            return written
        }
    }

    private static func write(
        _ proposal: Proposal, in transaction: PostgresTransaction
    ) throws -> Proposal {
        var proposal = proposal
        let decision = proposal.decision
        if proposal.number > 0 {
            try transaction.query(
                """
                UPDATE underway.proposal SET proposed_key = \(proposal.proposedKey),
                    state = \(proposal.state.rawValue), evidence = \(proposal.evidence.text),
                    changed_at = \(proposal.changedAt), actor = \(decision?.actor),
                    decided_at = \(decision?.at), reason = \(decision?.reason ?? ""),
                    release = \(proposal.release), shipped_at = \(proposal.shippedAt),
                    version = \(proposal.version)
                WHERE number = \(proposal.number)
                """)
            return proposal
        }
        let number = try transaction.query(
            """
            INSERT INTO underway.proposal (bank, question, version, key, proposed_key, state,
                evidence, flagged_at, changed_at, actor, decided_at, reason, release, shipped_at,
                follows)
            VALUES (\(proposal.bank), \(proposal.question), \(proposal.version), \(proposal.key),
                \(proposal.proposedKey), \(proposal.state.rawValue), \(proposal.evidence.text),
                \(proposal.flaggedAt), \(proposal.changedAt), \(decision?.actor),
                \(decision?.at), \(decision?.reason ?? ""), \(proposal.release),
                \(proposal.shippedAt), \(proposal.follows))
            RETURNING number
            """
        ).column("number", as: Int64.self).first
        proposal.number = number ?? 0
        return proposal
    }
}

extension Proposal {
    /// Reads a row; `nil` for a state of a later version.
    fileprivate init?(row: PostgresRow) throws {
        guard let state = State(rawValue: try row.value("state")) else { return nil }
        self.init(
            number: try row.value("number"), bank: try row.value("bank"),
            question: try row.value("question"), version: try row.value("version"),
            key: try row.value("key"), proposedKey: try row.value("proposed_key"),
            evidence: Evidence(text: try row.value("evidence")),
            flaggedAt: try row.value("flagged_at"), follows: try row.value("follows"))
        self.state = state
        changedAt = try row.value("changed_at")
        if let actor = try row.value("actor", as: String?.self) {
            decision = Decision(
                actor: actor, at: try row.value("decided_at"), reason: try row.value("reason"))
        }
        release = try row.value("release")
        shippedAt = try row.value("shipped_at")
    }
}
