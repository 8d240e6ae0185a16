import GRDB
import ServiceAPI
import UserData

/// Moves of accounts in SQLite, within a transaction that the caller opened.
struct SQLiteMoves {
    let database: Database

    // MARK: Reading

    private static let columns =
        "SELECT source, target, answers, finishedAt, place FROM accountMove"

    /// Returns the move of an account; `nil` when it did not move.
    func move(of source: String) throws -> StoredMove? {
        try Row.fetchOne(
            database.cachedStatement(sql: Self.columns + " WHERE source = ?"), arguments: [source]
        ).map(Self.move)
    }

    /// Returns the ids of accounts that moved, or move, into an account.
    func sources(into target: String) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(sql: "SELECT source FROM accountMove WHERE target = ?"),
            arguments: [target])
    }

    /// Returns moves that are not done.
    func unfinished(limit: Int) throws -> [StoredMove] {
        try Row.fetchAll(
            database,
            sql: Self.columns + " WHERE finishedAt IS NULL ORDER BY begunAt LIMIT ?",
            arguments: [limit]
        ).map(Self.move)
    }

    private static func move(_ row: Row) throws -> StoredMove {
        StoredMove(
            source: row["source"], target: row["target"], answers: row["answers"],
            isDone: row["finishedAt"] != nil, place: try MovePlace(text: row["place"]))
    }

    /// Returns an account as the first step sees it; `nil` when it does not exist.
    func party(_ id: String) throws -> MoveParty? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT number, answerCount, answerBytes, recordBytes,
                    EXISTS (SELECT 1 FROM role WHERE account = number) AS hasRole,
                    EXISTS (SELECT 1 FROM accountMove
                        WHERE target = account.id AND finishedAt IS NULL) AS isReceiving,
                    (SELECT max(expiresAt) FROM emailCode AS code
                        LEFT JOIN password ON password.account = code.account
                        WHERE code.account = number AND purpose = 'resetPassword'
                            AND code.email IS NOT password.email) AS wayBackEndsAt
                FROM account WHERE id = ? AND deletedAt IS NULL
                """, arguments: [id])
        guard let row else { return nil }
        let number: Int64 = row["number"]
        var party = MoveParty()
        party.answers = row["answerCount"]
        party.answerBytes = row["answerBytes"]
        party.recordBytes = row["recordBytes"]
        party.hasRole = row["hasRole"]
        party.isReceiving = row["isReceiving"]
        party.wayBackEndsAt = row["wayBackEndsAt"]
        party.names = try Set(
            String.fetchAll(
                database, sql: "SELECT name FROM device WHERE account = ? AND lastAnswer > 0",
                arguments: [number]))
        party.collections = try Row.fetchAll(
            database,
            sql: "SELECT collection, count(*) FROM record WHERE account = ? GROUP BY collection",
            arguments: [number]
        ).reduce(into: [:]) { $0[$1[0]] = $1[1] }
        return party
    }

    // MARK: Writing

    func write(_ change: MoveChange) throws {
        switch change {
        case .begin(let move, let time): try begin(move, time)
        case .advance(let move, let place, let device):
            try execute(
                "UPDATE accountMove SET place = ? WHERE source = ? AND place = ?",
                [place.text, move.source, move.place.text])
            if let device { try copyResults(of: device, move) }
        case .finish(let move, let time): try finish(move, time)
        }
    }

    private func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    private func number(of id: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM account WHERE id = ?"),
            arguments: [id])
    }

    private func begin(_ move: StoredMove, _ time: Int64) throws {
        guard try self.move(of: move.source) == nil else { return }
        let known = try number(of: move.source)
        // Of a backup that lacks the account, its devices learn that it moved.
        try execute(
            """
            INSERT INTO accountMove (source, target, answers, begunAt, finishedAt, place)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                move.source, move.target, move.answers, time, known == nil ? time : nil,
                move.place.text,
            ])
        try execute(
            "UPDATE accountMove SET target = ? WHERE target = ?", [move.target, move.source])
        guard let account = known else { return }
        if try number(of: move.target) == nil {
            try execute(
                "INSERT INTO account (id, createdAt, lastUsedAt) VALUES (?, ?, ?)",
                [move.target, time / 1000, time / 1000])
        }
        try execute(
            "UPDATE account SET id = ?, deletedAt = ? WHERE number = ?",
            [move.closedID, time / 1000, account])
        for table in [
            "password", "identity", "emailCode", "role", "contributor", "questionReport",
            "refreshToken",
        ] {
            try execute("DELETE FROM \(table) WHERE account = ?", [account])
        }
        if let target = try number(of: move.target) {
            try keepClosedPlaces(of: account, as: target)
            try noteBoardChange(target)
        }
        try noteBoardChange(account)
    }

    private func noteBoardChange(_ account: Int64) throws {
        try execute("INSERT INTO boardChange (member) VALUES (?)", [account])
    }

    /// Copies the results of a device's operations, so that a device that asks again learns what was applied.
    private func copyResults(of device: String, _ move: StoredMove) throws {
        guard let (source, target) = try accounts(move) else { return }
        let count = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM verdict JOIN device ON device.number = verdict.device
                WHERE device.account = ? AND device.name = ?
                """, arguments: [source, device])
        guard count ?? 0 > 0 else { return }
        try execute(
            "INSERT OR IGNORE INTO device (account, name) VALUES (?, ?)", [target, device])
        // A revision of the closed account means nothing in the log of the other one.
        try execute(
            """
            INSERT OR IGNORE INTO verdict (device, counter, hash, kind, revision, refusal)
            SELECT (SELECT number FROM device WHERE account = ? AND name = ?), counter, hash,
                CASE kind WHEN 'accepted' THEN 'merged' ELSE kind END, 0, refusal
            FROM verdict WHERE device = (SELECT number FROM device WHERE account = ? AND name = ?)
            """, [target, device, source, device])
    }

    /// Returns the numbers of both accounts while the move is not done.
    private func accounts(_ move: StoredMove) throws -> (source: Int64, target: Int64)? {
        guard let known = try self.move(of: move.source), !known.isDone,
            let source = try number(of: move.closedID), let target = try number(of: known.target)
        else { return nil }
        return (source, target)
    }

    private func finish(_ move: StoredMove, _ time: Int64) throws {
        guard let (source, target) = try accounts(move) else { return }
        try moveProfile(from: source, to: target)
        try moveEvents(from: source, to: target)
        try SQLiteRegrading(database: database).note([target], orGraded: true)
        try execute("INSERT INTO reviewChange (account) VALUES (?)", [target])
        try noteBoardChange(target)
        try execute(
            "UPDATE account SET id = 'deleted ' || number WHERE number = ?", [source])
        try execute(
            "UPDATE accountMove SET finishedAt = ? WHERE source = ?", [time, move.source])
    }

    // MARK: Boards

    /// Keeps the better of both accounts' places on closed boards, under the account that stays.
    private func keepClosedPlaces(of source: Int64, as target: Int64) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT own.board AS board, own.key AS key, other.key AS otherKey
                FROM boardScore AS own JOIN board ON board.number = own.board AND board.isClosed
                    LEFT JOIN boardScore AS other
                        ON other.board = own.board AND other.member = ?
                WHERE own.member = ?
                """, arguments: [target, source])
        for row in rows {
            let (board, key, other): (Int64, Int64, Int64?) = (
                row["board"], row["key"], row["otherKey"]
            )
            try execute(
                "DELETE FROM boardScore WHERE board = ? AND member IN (?, ?)",
                [board, source, target])
            try execute(
                "INSERT INTO boardScore (board, member, key) VALUES (?, ?, ?)",
                [board, target, min(key, other ?? key)])
            guard let other else { continue }
            try execute(
                """
                UPDATE boardBucket SET places = places - 1 WHERE board = :board AND low =
                    (SELECT max(low) FROM boardBucket WHERE board = :board AND low <= :key)
                """, ["board": board, "key": max(key, other)])
        }
    }

    /// Moves a profile to an account without one; where both have one, it is listed only if both say so.
    private func moveProfile(from source: Int64, to target: Int64) throws {
        try execute(
            """
            UPDATE boardProfile SET isListed = isListed AND
                coalesce((SELECT isListed FROM boardProfile WHERE account = ?), 1)
            WHERE account = ?
            """, [source, target])
        try execute(
            """
            UPDATE boardProfile SET account = ? WHERE account = ?
                AND NOT EXISTS (SELECT 1 FROM boardProfile WHERE account = ?)
            """, [target, source, target])
    }

    // MARK: Events

    private func moveEvents(from source: Int64, to target: Int64) throws {
        let events = try Row.fetchAll(
            database,
            sql: """
                SELECT number, text, frozenAt FROM event WHERE number IN
                    (SELECT event FROM eventSubmission WHERE account = :source
                    UNION SELECT event FROM eventScore WHERE account = :source)
                """, arguments: ["source": source])
        for row in events {
            let number: Int64 = row["number"]
            if row["frozenAt"] != nil {
                try keepFrozenPlace(number, from: source, to: target)
            } else if let definition = EventDefinition(text: row["text"]) {
                try joinSubmissions(number, definition, from: source, to: target)
            }
        }
    }

    /// Keeps the better place of a frozen event; other places keep their numbers.
    private func keepFrozenPlace(
        _ event: Int64, from source: Int64, to target: Int64
    ) throws {
        let worst = try Int64.fetchOne(
            database,
            sql: """
                SELECT account FROM eventScore WHERE event = ? AND account IN (?, ?)
                ORDER BY rank IS NULL DESC, rank DESC LIMIT 1
                """, arguments: [event, source, target])
        let count = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM eventScore WHERE event = ? AND account IN (?, ?)",
            arguments: [event, source, target])
        if count == 2, let worst {
            try execute(
                "DELETE FROM eventScore WHERE event = ? AND account = ?", [event, worst])
        }
        try execute(
            "UPDATE eventScore SET account = ? WHERE event = ? AND account = ?",
            [target, event, source])
        try execute(
            "UPDATE OR IGNORE eventSubmission SET account = ? WHERE event = ? AND account = ?",
            [target, event, source])
    }

    /// Joins the submissions to an event by their ids, the earliest up to its limit, and counts them anew.
    private func joinSubmissions(
        _ event: Int64, _ definition: EventDefinition, from source: Int64, to target: Int64
    ) throws {
        try execute(
            """
            INSERT INTO eventSubmission (event, account, id, points, at)
            SELECT event, ?, id, points, at FROM eventSubmission WHERE event = ? AND account = ?
            ON CONFLICT (event, account, id) DO UPDATE SET points = excluded.points,
                at = excluded.at WHERE excluded.at < eventSubmission.at
            """, [target, event, source])
        try execute(
            """
            DELETE FROM eventSubmission WHERE (event, account, id) IN (
                SELECT event, account, id FROM eventSubmission WHERE event = ? AND account = ?
                ORDER BY at, id LIMIT -1 OFFSET ?)
            """, [event, target, definition.rule.submissionsMax])
        for table in ["eventSubmission", "eventScore"] {
            try execute("DELETE FROM \(table) WHERE event = ? AND account = ?", [event, source])
        }
        let counted = try Row.fetchAll(
            database,
            sql: """
                SELECT points, at FROM eventSubmission WHERE event = ? AND account = ?
                ORDER BY at, id
                """, arguments: [event, target]
        ).map { (points: $0[0] as Int, at: $0[1] as Int64) }
        let standing = EventStanding(member: target, counting: counted, in: definition)
        try execute("UPDATE event SET changes = changes + 1 WHERE number = ?", [event])
        try execute(
            """
            INSERT INTO eventScore (event, account, score, second, submissions, change)
            VALUES (?, ?, ?, ?, ?, (SELECT changes FROM event WHERE number = ?))
            ON CONFLICT (event, account) DO UPDATE SET score = excluded.score,
                second = excluded.second, submissions = excluded.submissions,
                change = excluded.change
            """,
            [
                event, target, standing.score, standing.second, standing.submissions, event,
            ])
    }

    // MARK: Deletion

    /// Deletes every account that moved, or moves, into one that is deleted; upkeep erases their rows.
    func deleteSources(into target: String) throws {
        for source in try sources(into: target) {
            try execute(
                "UPDATE account SET id = 'deleted ' || number WHERE id = ?",
                [StoredMove.closedID(of: source)])
        }
        try execute("DELETE FROM accountMove WHERE target = ?", [target])
    }
}
