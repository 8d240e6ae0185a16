import Ledger
package import PostgresDriver
package import ServiceAPI
import Tables
import UserData

/// The live events in PostgreSQL, for any number of processes.
package struct PostgresEvents: EventStorage {
    /// The first key of the advisory locks of events, which is this program's own: "evnt" in ASCII.
    static let lock: Int32 = 0x6576_6E74
    let pool: PostgresPool

    /// Uses connections of the login `underway_server`.
    package init(_ pool: PostgresPool) { self.pool = pool }

    // MARK: Events

    package func events() async throws -> [StoredEvent] {
        try await pool.asKeeper { transaction in
            try transaction.query("\(sql: Self.columns) ORDER BY name").compactMap {
                try StoredEvent(row: $0)
            }
        }
    }

    private static let columns = """
        SELECT number, id, text, frozen_at, places, coalesce((SELECT value::bigint
            FROM underway.setting WHERE name = 'generation'), 0) AS epoch FROM underway.event e
        """

    package func set(_ definition: EventDefinition, id: String) async throws {
        try await pool.asKeeper { transaction in
            let known = try Self.event(definition.name, in: transaction)
            if let known {
                // Waits for submissions under way.
                try transaction.query(Self.exclusively(known.number))
                let hasSubmissions = try transaction.query(
                    """
                    SELECT EXISTS (SELECT FROM underway.event_submission
                        WHERE event = \(known.number)) AS found
                    """
                ).column("found", as: Bool.self).first
                if hasSubmissions == true {
                    guard known.definition == definition else {
                        throw EventDefinition.ValidationError.hasBegun
                    }
                    return
                }
            }
            let results = try transaction.pipeline([
                """
                INSERT INTO underway.event (id, name, text)
                VALUES (\(id), \(definition.name), \(definition.text))
                ON CONFLICT (name) DO UPDATE SET
                    text = excluded.text, frozen_at = NULL, places = 0
                """,
                "SELECT count(*) AS events FROM underway.event",
            ])
            let count = try results.last?.column("events", as: Int.self).first ?? 0
            if count > ServiceLimits.eventsMax { throw EventDefinition.ValidationError.tooMany }
        }
    }

    package func remove(_ name: String) async throws -> StoredEvent? {
        try await pool.asKeeper { transaction in
            let event = try Self.event(name, in: transaction)
            guard let event else { return nil }
            try transaction.pipeline([
                Self.exclusively(event.number),
                "DELETE FROM underway.event WHERE number = \(event.number)",
            ])
            return event
        }
    }

    private static func event(
        _ name: String, in transaction: PostgresTransaction
    ) throws -> StoredEvent? {
        try transaction.query("\(sql: columns) WHERE e.name = \(name)").first.flatMap {
            try StoredEvent(row: $0)
        }
    }

    /// Waits until no transaction is storing a submission to the event.
    private static func exclusively(_ event: Int64) -> PostgresStatement {
        "SELECT pg_advisory_xact_lock(\(lock)::integer, \(event)::integer)"
    }

    // MARK: Submissions

    package func submit(
        _ submission: EventSubmission, to name: String, of user: String, now: Int64
    ) async throws -> EventVerdict? {
        do {
            return try await pool.transaction { transaction in
                let results = try transaction.pipeline([
                    UserClaims(of: user).statement, "SELECT underway.enter_1(true) AS account",
                    """
                    SELECT pg_advisory_xact_lock_shared(\(Self.lock)::integer, number::integer)
                    FROM underway.event WHERE name = \(name)
                    """,
                    "\(sql: Self.columns) WHERE e.name = \(name)",
                    Self.standing(in: name), Self.isKnown(submission.id, in: name),
                    "SELECT is_listed FROM underway.board_profile WHERE account = underway.claim()",
                ])
                guard let event = try results[3].first.flatMap({ try StoredEvent(row: $0) }) else {
                    return nil
                }
                let member = try results[1].column("account", as: Int64.self).first ?? 0
                let standing = try results[4].first.map { try EventStanding(row: $0) }
                let decision = try EventDecision(
                    submission, to: event, after: standing ?? EventStanding(member: member),
                    isKnown: try results[5].column("found", as: Bool.self).first ?? false,
                    now: now)
                let isListed = try results[6].column("is_listed", as: Bool.self).first ?? true
                try transaction.commit(
                    after: decision.result == .counted
                        ? Self.storing(submission, decision.standing, event.number, now) : [])
                return EventVerdict(event: event, decision: decision, isListed: isListed)
            }
        } catch let error as PostgresError {
            throw LedgerError.meaning(of: error)
        }
    }

    private static func standing(in name: String) -> PostgresStatement {
        """
        SELECT account, score, second, submissions FROM underway.event_score
        WHERE event = (SELECT number FROM underway.event WHERE name = \(name))
            AND account = underway.claim()
        """
    }

    private static func isKnown(_ id: String, in name: String) -> PostgresStatement {
        """
        SELECT EXISTS (SELECT FROM underway.event_submission
            WHERE event = (SELECT number FROM underway.event WHERE name = \(name))
                AND account = underway.claim() AND id = \(id)) AS found
        """
    }

    private static func storing(
        _ submission: EventSubmission, _ standing: EventStanding, _ event: Int64, _ now: Int64
    ) -> [PostgresStatement] {
        [
            """
            INSERT INTO underway.event_submission (event, account, id, points, at)
            VALUES (\(event), underway.claim(), \(submission.id), \(submission.points), \(now))
            """,
            storing(standing, in: event),
        ]
    }

    /// The statement that stores a score, as a change that readers see.
    static func storing(_ standing: EventStanding, in event: Int64) -> PostgresStatement {
        """
        INSERT INTO underway.event_score (event, account, score, second, submissions, change)
        VALUES (\(event), \(standing.member), \(standing.score), \(standing.second),
            \(standing.submissions), pg_current_xact_id()::text::bigint)
        ON CONFLICT (event, account) DO UPDATE SET score = excluded.score,
            second = excluded.second, submissions = excluded.submissions,
            change = excluded.change
        """
    }

    // MARK: Standings

    package func cursor(of event: Int64) async throws -> Int64 {
        try await pool.asKeeper { transaction in
            try transaction.query(
                "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS change"
            ).column("change", as: Int64.self).first ?? 0
        }
    }

    package func standings(
        of event: Int64, since change: Int64, after member: Int64, limit: Int
    ) async throws -> [EventStanding] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT s.account, s.score, s.second, s.submissions FROM underway.event_score s
                    JOIN underway.account a ON a.number = s.account AND a.deleted_at IS NULL
                    LEFT JOIN underway.board_profile p ON p.account = s.account
                WHERE s.event = \(event) AND s.change >= \(change) AND s.account > \(member)
                    AND coalesce(p.is_listed, true)
                ORDER BY s.account LIMIT \(limit)
                """
            ).map { try EventStanding(row: $0) }
        }
    }

    package func members(_ numbers: [Int64]) async throws -> [Int64: EventMember] {
        guard !numbers.isEmpty else { return [:] }
        return try await pool.asKeeper { transaction in
            let rows = try transaction.query(
                """
                SELECT a.number, p.name, coalesce(p.is_listed, true) AS is_listed
                FROM underway.account a LEFT JOIN underway.board_profile p ON p.account = a.number
                WHERE a.number = ANY (\(numbers)::bigint[]) AND a.deleted_at IS NULL
                """)
            return Dictionary(
                try rows.map { row in
                    (
                        try row.value("number", as: Int64.self),
                        EventMember(
                            name: try row.value("name"), isListed: try row.value("is_listed"))
                    )
                }, uniquingKeysWith: { $1 })
        }
    }

    package func member(of user: String) async throws -> Int64 {
        let number = try await pool.asKeeper { transaction in
            try transaction.query(
                "SELECT number FROM underway.account WHERE id = \(user) AND deleted_at IS NULL"
            ).column("number", as: Int64.self).first
        }
        guard let number else { throw LedgerError.noAccount }
        return number
    }

    package func standings(
        of user: String
    ) async throws -> [(event: String, standing: EventStanding)] {
        try await PostgresLedger(pool).read(
            of: user,
            [
                """
                SELECT s.account, s.score, s.second, s.submissions, e.name
                FROM underway.event_score s JOIN underway.event e ON e.number = s.event
                WHERE s.account = underway.claim() ORDER BY e.name
                """
            ]
        ) { results in
            try results[0].map { (try $0.value("name"), try EventStanding(row: $0)) }
        }
    }

    // MARK: Final places

    package func freeze(_ event: Int64, now: Int64) async throws {
        try await pool.asKeeper { transaction in
            try transaction.query(Self.exclusively(event))
            let isOpen = try transaction.query(
                "SELECT frozen_at IS NULL AS open FROM underway.event WHERE number = \(event)"
            ).column("open", as: Bool.self).first
            guard isOpen == true else { return }
            try transaction.pipeline([
                """
                UPDATE underway.event_score t SET rank = r.place FROM (
                    SELECT s.account, row_number() OVER (
                        ORDER BY s.score DESC, s.second, s.account) AS place
                    FROM underway.event_score s
                        JOIN underway.account a ON a.number = s.account AND a.deleted_at IS NULL
                        LEFT JOIN underway.board_profile p ON p.account = s.account
                    WHERE s.event = \(event) AND coalesce(p.is_listed, true)) AS r
                WHERE t.event = \(event) AND t.account = r.account
                """,
                """
                UPDATE underway.event SET frozen_at = \(now), places =
                    (SELECT count(rank) FROM underway.event_score WHERE event = \(event))
                WHERE number = \(event)
                """,
            ])
        }
    }

    package func reopen(_ event: Int64) async throws {
        _ = try await pool.asKeeper { transaction in
            try transaction.pipeline([
                Self.exclusively(event),
                "UPDATE underway.event_score SET rank = NULL WHERE event = \(event)",
                """
                UPDATE underway.event SET frozen_at = NULL, places = 0 WHERE number = \(event)
                """,
            ])
        }
    }

    package func finalPlaces(
        of event: Int64, top: Int, for user: String?
    ) async throws -> FinalPlaces {
        let member: Int64 = if let user { try await self.member(of: user) } else { 0 }
        return try await pool.asKeeper { transaction in
            let places = try transaction.query(
                """
                SELECT s.account, s.score, s.second, s.submissions, s.rank, p.name
                FROM underway.event_score s
                    JOIN underway.account a ON a.number = s.account AND a.deleted_at IS NULL
                    LEFT JOIN underway.board_profile p ON p.account = s.account
                WHERE s.event = \(event) AND (s.rank <= \(top) OR s.account = \(member))
                    AND s.rank IS NOT NULL AND coalesce(p.is_listed, true)
                ORDER BY s.rank
                """
            ).map { row in
                FinalPlaces.Place(
                    rank: try row.value("rank"), standing: try EventStanding(row: row),
                    name: try row.value("name"))
            }
            return FinalPlaces(
                top: places.filter { $0.rank <= top },
                own: places.first { $0.standing.member == member })
        }
    }
}

extension StoredEvent {
    /// Reads a row; `nil` for a definition that this version cannot read.
    fileprivate init?(row: PostgresRow) throws {
        guard let definition = EventDefinition(text: try row.value("text")) else { return nil }
        self.init(
            number: try row.value("number"), id: try row.value("id"), definition: definition,
            frozenAt: try row.value("frozen_at"), places: try row.value("places"),
            epoch: try row.value("epoch"))
    }
}

extension EventStanding {
    fileprivate init(row: PostgresRow) throws {
        self.init(
            member: try row.value("account"), score: try row.value("score"),
            second: try row.value("second"), submissions: try row.value("submissions"))
    }
}
