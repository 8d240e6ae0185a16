import Accounts
import GRDB
import Ledger
package import ServiceAPI
package import Tables
import UserData

/// The live events in SQLite, beside the users whose submissions they have.
package struct SQLiteEvents: EventStorage {
    private let database: UserDatabase

    package init(_ database: UserDatabase) { self.database = database }

    // MARK: Events

    package func events() async throws -> [StoredEvent] {
        try await database.read { database in
            let epoch = try Setting.readGeneration(in: database)
            return try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM event ORDER BY name")
            ).compactMap { StoredEvent(row: $0, epoch: epoch) }
        }
    }

    package func set(_ definition: EventDefinition, id: String) async throws {
        try await database.write { database in
            let known = try Self.event(definition.name, in: database)
            if let known, try Self.hasSubmissions(known, in: database) {
                guard known.definition == definition else {
                    throw EventDefinition.ValidationError.hasBegun
                }
                return
            }
            try database.execute(
                sql: """
                    INSERT INTO event (id, name, text) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET text = excluded.text, frozen_at = NULL, places = 0
                    """, arguments: [id, definition.name, definition.text])
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM event")
            if (count ?? 0) > ServiceLimits.eventsMax {
                throw EventDefinition.ValidationError.tooMany
            }
        }
    }

    package func remove(_ name: String) async throws -> StoredEvent? {
        try await database.write { database in
            let event = try Self.event(name, in: database)
            try database.execute(sql: "DELETE FROM event WHERE name = ?", arguments: [name])
            return event
        }
    }

    private static func event(_ name: String, in database: Database) throws -> StoredEvent? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM event WHERE name = ?"), arguments: [name])
        return try row.flatMap {
            StoredEvent(row: $0, epoch: try Setting.readGeneration(in: database))
        }
    }

    private static func hasSubmissions(_ event: StoredEvent, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM event_submission WHERE event = ?)",
            arguments: [event.number]) ?? false
    }

    // MARK: Submissions

    package func submit(
        _ submission: EventSubmission, to name: String, of user: String, now: Int64
    ) async throws -> EventVerdict? {
        try await database.writeTogether { database in
            let account = try AccountRow(user, in: database).number
            guard let event = try Self.event(name, in: database) else { return nil }
            let decision = try EventDecision(
                submission, to: event,
                after: try Self.standing(of: account, event.number, in: database),
                isKnown: try Self.knows(submission.id, of: account, event.number, in: database),
                now: now)
            if decision.result == .counted {
                try Self.store(submission, decision.standing, event.number, now, in: database)
            }
            let isListed = try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT is_listed FROM board_profile WHERE account = ?"),
                arguments: [account])
            return EventVerdict(event: event, decision: decision, isListed: isListed ?? true)
        }
    }

    private static func standing(
        of account: Int64, _ event: Int64, in database: Database
    ) throws -> EventStanding {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT account, score, second, submissions FROM event_score
                    WHERE event = ? AND account = ?
                    """), arguments: [event, account])
        return row.map(EventStanding.init(row:)) ?? EventStanding(member: account)
    }

    private static func knows(
        _ id: String, of account: Int64, _ event: Int64, in database: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM event_submission
                        WHERE event = ? AND account = ? AND id = ?)
                    """), arguments: [event, account, id]) ?? false
    }

    private static func store(
        _ submission: EventSubmission, _ standing: EventStanding, _ event: Int64, _ now: Int64,
        in database: Database
    ) throws {
        // In an order in which none can fail after another: the transaction is shared.
        try database.cachedStatement(
            sql:
                "INSERT INTO event_submission (event, account, id, points, at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [event, standing.member, submission.id, submission.points, now])
        try database.cachedStatement(
            sql: "UPDATE event SET changes = changes + 1 WHERE number = ?"
        ).execute(arguments: [event])
        try database.cachedStatement(
            sql: """
                INSERT INTO event_score (event, account, score, second, submissions, change)
                VALUES (?, ?, ?, ?, ?, (SELECT changes FROM event WHERE number = ?))
                ON CONFLICT (event, account) DO UPDATE SET score = excluded.score,
                    second = excluded.second, submissions = excluded.submissions,
                    change = excluded.change
                """
        ).execute(arguments: [
            event, standing.member, standing.score, standing.second, standing.submissions, event,
        ])
    }

    // MARK: Standings

    package func cursor(of event: Int64) async throws -> Int64 {
        try await database.read { database in
            try Int64.fetchOne(
                database, sql: "SELECT changes + 1 FROM event WHERE number = ?",
                arguments: [event]) ?? 0
        }
    }

    package func standings(
        of event: Int64, since change: Int64, after member: Int64, limit: Int
    ) async throws -> [EventStanding] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT s.account, s.score, s.second, s.submissions FROM event_score s
                        JOIN account a ON a.number = s.account AND a.deleted_at IS NULL
                        LEFT JOIN board_profile p ON p.account = s.account
                    WHERE s.event = ? AND s.change >= ? AND s.account > ?
                        AND coalesce(p.is_listed, 1) = 1
                    ORDER BY s.account LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [event, change, member, limit])
                .map(EventStanding.init(row:))
        }
    }

    package func members(_ numbers: [Int64]) async throws -> [Int64: EventMember] {
        guard !numbers.isEmpty else { return [:] }
        return try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT p.name, coalesce(p.is_listed, 1) FROM account a
                        LEFT JOIN board_profile p ON p.account = a.number
                    WHERE a.number = ? AND a.deleted_at IS NULL
                    """)
            var members: [Int64: EventMember] = [:]
            for number in Set(numbers) {
                members[number] = try Row.fetchOne(statement, arguments: [number]).map {
                    EventMember(name: $0[0], isListed: $0[1])
                }
            }
            return members
        }
    }

    package func member(of user: String) async throws -> Int64 {
        try await database.read { try AccountRow(user, in: $0).number }
    }

    package func standings(
        of user: String
    ) async throws -> [(event: String, standing: EventStanding)] {
        try await database.read { database in
            let account = try AccountRow(user, in: database).number
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT s.account, s.score, s.second, s.submissions, e.name FROM event_score s
                        JOIN event e ON e.number = s.event
                    WHERE s.account = ? ORDER BY e.name
                    """, arguments: [account]
            ).map { ($0["name"], EventStanding(row: $0)) }
        }
    }

    // MARK: Final places

    package func freeze(_ event: Int64, now: Int64) async throws {
        try await database.write { database in
            let isOpen = try Bool.fetchOne(
                database, sql: "SELECT frozen_at IS NULL FROM event WHERE number = ?",
                arguments: [event])
            guard isOpen == true else { return }
            try database.execute(
                sql: """
                    UPDATE event_score SET rank = r.place FROM (
                        SELECT s.account, row_number() OVER (
                            ORDER BY s.score DESC, s.second, s.account) AS place
                        FROM event_score s JOIN account a ON a.number = s.account AND a.deleted_at IS NULL
                            LEFT JOIN board_profile p ON p.account = s.account
                        WHERE s.event = :event AND coalesce(p.is_listed, 1) = 1) AS r
                    WHERE event_score.event = :event AND event_score.account = r.account
                    """, arguments: ["event": event])
            try database.execute(
                sql: """
                    UPDATE event SET frozen_at = ?, places =
                        (SELECT count(rank) FROM event_score WHERE event = number)
                    WHERE number = ?
                    """, arguments: [now, event])
        }
    }

    package func reopen(_ event: Int64) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE event_score SET rank = NULL WHERE event = ?", arguments: [event])
            try database.execute(
                sql: "UPDATE event SET frozen_at = NULL, places = 0 WHERE number = ?",
                arguments: [event])
        }
    }

    package func finalPlaces(
        of event: Int64, top: Int, for user: String?
    ) async throws -> FinalPlaces {
        try await database.read { database in
            let member = try user.map { try AccountRow($0, in: database).number } ?? 0
            func places(_ condition: String, _ value: Int64) throws -> [FinalPlaces.Place] {
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT s.account, s.score, s.second, s.submissions, s.rank, p.name
                        FROM event_score s
                            JOIN account a ON a.number = s.account AND a.deleted_at IS NULL
                            LEFT JOIN board_profile p ON p.account = s.account
                        WHERE s.event = ? AND s.rank IS NOT NULL AND \(condition)
                            AND coalesce(p.is_listed, 1) = 1
                        ORDER BY s.rank
                        """, arguments: [event, value]
                ).map {
                    FinalPlaces.Place(
                        rank: $0["rank"], standing: EventStanding(row: $0), name: $0["name"])
                }
            }
            return FinalPlaces(
                top: try places("s.rank <= ?", Int64(top)),
                own: try places("s.account = ?", member).first)
        }
    }
}

extension StoredEvent {
    /// Reads a row; `nil` for a definition that this version cannot read.
    fileprivate init?(row: Row, epoch: Int64) {
        guard let definition = EventDefinition(text: row["text"]) else { return nil }
        self.init(
            number: row["number"], id: row["id"], definition: definition,
            frozenAt: row["frozen_at"], places: row["places"], epoch: epoch)
    }
}

extension EventStanding {
    fileprivate init(row: Row) {
        self.init(
            member: row["account"], score: row["score"], second: row["second"],
            submissions: row["submissions"])
    }
}
