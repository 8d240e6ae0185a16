package import Accounts
package import PostgresDriver
import Tables

extension MovedRows<PostgresTransaction> {
    /// The places in live events.
    package static var events: MovedRows<PostgresTransaction> {
        MovedRows(finishing: [{ try MovedEvents(transaction: $0, source: $1, target: $2).run() }])
    }
}

/// The places and submissions of an account that moved, as upkeep and within a transaction that the caller opened.
private struct MovedEvents {
    let transaction: PostgresTransaction
    /// The number of the account that moved.
    let source: Int64
    /// The number of the account that stays.
    let target: Int64

    /// Gives all of them to the account that stays.
    func run() throws {
        let events = try transaction.pipeline([
            // Whoever freezes one waits, or is waited for.
            select("pg_advisory_xact_lock_shared(\(EventStorage.lock), number::integer)"),
            select("number, text, frozen_at IS NOT NULL AS is_frozen"),
        ])[1]
        for row in events {
            let number: Int64 = try row.value("number")
            if try row.value("is_frozen") {
                try keepFrozenPlace(number)
            } else if let definition = EventDefinition(text: try row.value("text")) {
                try joinSubmissions(number, definition)
            }
        }
    }

    private func select(_ columns: String) -> PostgresStatement {
        """
        SELECT \(sql: columns) FROM underway.event
        WHERE number IN (SELECT event FROM underway.event_submission WHERE account = \(source)
            UNION SELECT event FROM underway.event_score WHERE account = \(source))
        ORDER BY number
        """
    }

    /// Keeps the better place of a frozen event; other places keep their numbers.
    private func keepFrozenPlace(_ event: Int64) throws {
        try transaction.pipeline([
            """
            DELETE FROM underway.event_score worse USING underway.event_score better
            WHERE worse.event = \(event) AND better.event = \(event)
                AND worse.account = ANY (ARRAY[\(source), \(target)]::bigint[])
                AND better.account = ANY (ARRAY[\(source), \(target)]::bigint[])
                AND worse.account <> better.account
                AND (coalesce(worse.rank::bigint, \(Int64.max)), worse.account = \(source))
                    > (coalesce(better.rank::bigint, \(Int64.max)), better.account = \(source))
            """,
            """
            UPDATE underway.event_score SET account = \(target)
            WHERE event = \(event) AND account = \(source)
            """,
            """
            UPDATE underway.event_submission s SET account = \(target)
            WHERE event = \(event) AND account = \(source) AND NOT EXISTS (
                SELECT FROM underway.event_submission known
                WHERE known.event = s.event AND known.account = \(target) AND known.id = s.id)
            """,
        ])
    }

    /// Joins the submissions to an event by their ids, the earliest up to its limit, and counts them anew.
    private func joinSubmissions(_ event: Int64, _ definition: EventDefinition) throws {
        let counted = try transaction.pipeline([
            """
            INSERT INTO underway.event_submission AS known (event, account, id, points, at)
            SELECT event, \(target), id, points, at FROM underway.event_submission
            WHERE event = \(event) AND account = \(source)
            ON CONFLICT (event, account, id) DO UPDATE SET points = excluded.points,
                at = excluded.at WHERE excluded.at < known.at
            """,
            """
            DELETE FROM underway.event_submission WHERE event = \(event) AND account = \(target)
                AND id IN (SELECT id FROM underway.event_submission
                    WHERE event = \(event) AND account = \(target)
                    ORDER BY at, id OFFSET \(Int64(definition.rule.submissionsMax)))
            """,
            "DELETE FROM underway.event_submission WHERE event = \(event) AND account = \(source)",
            "DELETE FROM underway.event_score WHERE event = \(event) AND account = \(source)",
            """
            SELECT points, at FROM underway.event_submission
            WHERE event = \(event) AND account = \(target) ORDER BY at, id
            """,
        ])[4].map {
            (
                points: try $0.value("points", as: Int.self),
                at: try $0.value("at", as: Int64.self)
            )
        }
        let standing = EventStanding(member: target, counting: counted, in: definition)
        try TableTransaction(transaction).run(EventStorage.storing(standing, in: event))
    }
}
