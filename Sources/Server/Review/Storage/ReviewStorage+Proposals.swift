import Accounts
import Tables

extension ReviewStorage {
    /// Returns proposals: open ones first, by evidence, then the others, the last changed first.
    ///
    /// - Parameters:
    ///   - states: The states.
    ///   - limit: The maximum number of proposals.
    /// - Returns: The proposals.
    /// - Throws: `StorageError`.
    package func proposals(
        in states: Set<Proposal.State>, limit: Int
    ) async throws -> [Proposal] {
        let statement = Self.sorted(["states": states.map(\.rawValue).sorted(), "limit": limit])
        return try await read(statement, Proposal.init).compactMap(\.self)
    }

    /// Returns a proposal; `nil` if there is none of this number.
    ///
    /// - Throws: `StorageError`.
    package func proposal(_ number: Int64) async throws -> Proposal? {
        try await read(Self.numbered(["number": number]), Proposal.init).first ?? nil
    }

    /// Changes proposals in a transaction that excludes all other changes of proposals.
    ///
    /// - Parameter body: A function from the newest proposal of each question to the changes. It may run again, so it
    ///   has no side effects.
    /// - Returns: The stored proposals, with their numbers.
    /// - Throws: `StorageError`, or the error of `body`; then nothing is written.
    package func changeProposals(
        _ body: @escaping @Sendable ([Proposal]) throws -> ProposalChanges
    ) async throws -> [Proposal] {
        try await database.write(as: .keeper) { transaction in
            let newest = try transaction.run([Self.alone(), Self.newest()])[1]
                .compactMap { try Proposal(row: $0) }
            var changes = try body(newest)
            let rows = try transaction.commit(
                after: changes.proposals.map(Self.writing)
                    + changes.entries.map(AdministrationStorage.appending))
            for (index, row) in rows.prefix(changes.proposals.count).map(\.first).enumerated() {
                if let row { changes.proposals[index].number = try row.value("number") }
            }
            return changes.proposals
        }
    }

    // MARK: Statements

    private static let columns = """
        SELECT number, bank, question, version, key, proposed_key, state, evidence, flagged_at,
            changed_at, actor, decided_at, reason, release, shipped_at, follows
        FROM {proposal} AS one
        """

    private static let sorted = Statement(
        sqlite: sorted(score: "evidence ->> '$.score'"),
        postgres: sorted(score: "(evidence::json ->> 'score')::float8"))

    private static func sorted(score: String) -> String {
        """
        \(columns) WHERE state {in :states}
        ORDER BY state = 'open' DESC, CASE WHEN state = 'open' THEN \(score) END DESC,
            changed_at DESC, number DESC LIMIT :limit
        """
    }

    private static let numbered = Statement("\(columns) WHERE number = :number")

    private static let newest = Statement(
        """
        \(columns) WHERE number = (SELECT max(number) FROM {proposal} AS other
            WHERE other.bank = one.bank AND other.question = one.question)
        ORDER BY number
        """)

    /// Lets other changes of proposals wait; the key is this program's own: "review" in ASCII.
    private static let alone = Statement(
        postgres: "SELECT pg_advisory_xact_lock(\(0x7265_7669_6577 as Int64))")

    private static func writing(_ proposal: Proposal) -> Bound {
        var values: [String: any TableValue] = [
            "version": proposal.version, "proposed_key": proposal.proposedKey,
            "state": proposal.state.rawValue, "evidence": proposal.evidence.text,
            "changed_at": proposal.changedAt, "actor": proposal.decision?.actor,
            "decided_at": proposal.decision?.at, "reason": proposal.decision?.reason ?? "",
            "release": proposal.release, "shipped_at": proposal.shippedAt,
        ]
        if proposal.number > 0 {
            values["number"] = proposal.number
            return update(values)
        }
        values["bank"] = proposal.bank
        values["question"] = proposal.question
        values["key"] = proposal.key
        values["flagged_at"] = proposal.flaggedAt
        // A NULL is a value: an assignment of `nil` would take the name away.
        values.updateValue(proposal.follows, forKey: "follows")
        return insertion(values)
    }

    private static let update = Statement(
        """
        UPDATE {proposal} SET version = :version, proposed_key = :proposed_key, state = :state,
            evidence = :evidence, changed_at = :changed_at, actor = :actor,
            decided_at = :decided_at, reason = :reason, release = :release,
            shipped_at = :shipped_at
        WHERE number = :number RETURNING number
        """)

    private static let insertion = Statement(
        """
        INSERT INTO {proposal} (bank, question, version, key, proposed_key, state, evidence,
            flagged_at, changed_at, actor, decided_at, reason, release, shipped_at, follows)
        VALUES (:bank, :question, :version, :key, :proposed_key, :state, :evidence, :flagged_at,
            :changed_at, :actor, :decided_at, :reason, :release, :shipped_at, :follows)
        RETURNING number
        """)
}

extension Proposal {
    /// Reads a row; `nil` for a state of a later version.
    fileprivate init?(row: TableRow) throws {
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
