package import Accounts
package import GRDB
import Tables

extension MovedRows<Database> {
    /// The places in live events.
    package static var events: MovedRows<Database> {
        MovedRows(finishing: [{ try SQLiteEventMoves(database: $0).moveEvents(from: $1, to: $2) }])
    }
}

/// Rows of live events when an account moves, within a transaction that the caller opened.
private struct SQLiteEventMoves {
    let database: Database

    func moveEvents(from source: Int64, to target: Int64) throws {
        let events = try Row.fetchAll(
            database,
            sql: """
                SELECT number, text, frozen_at FROM event WHERE number IN
                    (SELECT event FROM event_submission WHERE account = :source
                    UNION SELECT event FROM event_score WHERE account = :source)
                """, arguments: ["source": source])
        for row in events {
            let number: Int64 = row["number"]
            if row["frozen_at"] != nil {
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
                SELECT account FROM event_score WHERE event = ? AND account IN (?, ?)
                ORDER BY rank IS NULL DESC, rank DESC LIMIT 1
                """, arguments: [event, source, target])
        let count = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM event_score WHERE event = ? AND account IN (?, ?)",
            arguments: [event, source, target])
        if count == 2, let worst {
            try database.execute(
                cached: "DELETE FROM event_score WHERE event = ? AND account = ?", [event, worst])
        }
        try database.execute(
            cached: "UPDATE event_score SET account = ? WHERE event = ? AND account = ?",
            [target, event, source])
        try database.execute(
            cached:
                "UPDATE OR IGNORE event_submission SET account = ? WHERE event = ? AND account = ?",
            [target, event, source])
    }

    /// Joins the submissions to an event by their ids, the earliest up to its limit, and counts them anew.
    private func joinSubmissions(
        _ event: Int64, _ definition: EventDefinition, from source: Int64, to target: Int64
    ) throws {
        try database.execute(
            cached: """
                INSERT INTO event_submission (event, account, id, points, at)
                SELECT event, ?, id, points, at FROM event_submission WHERE event = ? AND account = ?
                ON CONFLICT (event, account, id) DO UPDATE SET points = excluded.points,
                    at = excluded.at WHERE excluded.at < event_submission.at
                """, [target, event, source])
        try database.execute(
            cached: """
                DELETE FROM event_submission WHERE (event, account, id) IN (
                    SELECT event, account, id FROM event_submission WHERE event = ? AND account = ?
                    ORDER BY at, id LIMIT -1 OFFSET ?)
                """, [event, target, definition.rule.submissionsMax])
        for table in ["event_submission", "event_score"] {
            try database.execute(
                cached: "DELETE FROM \(table) WHERE event = ? AND account = ?", [event, source])
        }
        let counted = try Row.fetchAll(
            database,
            sql: """
                SELECT points, at FROM event_submission WHERE event = ? AND account = ?
                ORDER BY at, id
                """, arguments: [event, target]
        ).map { (points: $0[0] as Int, at: $0[1] as Int64) }
        let standing = EventStanding(member: target, counting: counted, in: definition)
        try TableTransaction(database).run(EventStorage.storing(standing, in: event))
    }
}
