package import Accounts
import Tables

extension MovedRows {
    /// The step that moves places in live events.
    package static let events = MovedRows(finishing: [{ try EventMoves($0, $1, $2).run() }])
}

/// The places and submissions of an account that moved, as upkeep and within a transaction that the caller opened.
private struct EventMoves {
    private let transaction: TableTransaction
    /// The number of the account that moved.
    private let source: Int64
    /// The number of the account that stays.
    private let target: Int64

    init(_ transaction: TableTransaction, _ source: Int64, _ target: Int64) {
        self.transaction = transaction
        self.source = source
        self.target = target
    }

    /// Gives all of them to the account that stays.
    func run() throws {
        let events = try transaction.run([
            // Whoever freezes one waits, or is waited for.
            EventStorage.sharingAll(["source": source]), EventStorage.moving(["source": source]),
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

    /// Keeps the better place of a frozen event; other places keep their numbers.
    private func keepFrozenPlace(_ event: Int64) throws {
        let accounts: [String: any TableValue] = [
            "event": event, "source": source, "target": target,
        ]
        try transaction.run([
            Self.removingWorse(accounts), Self.movingScore(accounts),
            Self.movingSubmissions(accounts),
        ])
    }

    /// Joins the submissions to an event by their ids, the earliest up to its limit, and counts them anew.
    private func joinSubmissions(_ event: Int64, _ definition: EventDefinition) throws {
        let from: [String: any TableValue] = ["event": event, "source": source]
        let counted = try transaction.run([
            Self.joining(["event": event, "source": source, "target": target]),
            Self.limiting([
                "event": event, "target": target, "limit": definition.rule.submissionsMax,
            ]),
            Self.removingSubmissions(from), Self.removingScore(from),
            Self.submissions(["event": event, "target": target]),
        ])[4].map {
            (
                points: try $0.value("points", as: Int.self),
                at: try $0.value("at", as: Int64.self)
            )
        }
        let standing = EventStanding(member: target, counting: counted, in: definition)
        try transaction.run(EventStorage.storing(standing, in: event))
    }

    // MARK: Statements

    private static let removingWorse = Statement(
        """
        DELETE FROM {event_score} WHERE event = :event AND account = (
            SELECT account FROM {event_score} WHERE event = :event AND account IN (:source, :target)
            ORDER BY rank IS NULL DESC, rank DESC, account = :source DESC LIMIT 1)
        AND (SELECT count(*) FROM {event_score}
            WHERE event = :event AND account IN (:source, :target)) = 2
        """)

    private static let movingScore = Statement(
        """
        UPDATE {event_score} SET account = :target WHERE event = :event AND account = :source
        """)

    private static let movingSubmissions = Statement(
        """
        UPDATE {event_submission} AS s SET account = :target
        WHERE event = :event AND account = :source AND NOT EXISTS (
            SELECT 1 FROM {event_submission} known
            WHERE known.event = s.event AND known.account = :target AND known.id = s.id)
        """)

    private static let joining = Statement(
        """
        INSERT INTO {event_submission} AS known (event, account, id, points, at)
        SELECT event, :target, id, points, at FROM {event_submission}
        WHERE event = :event AND account = :source
        ON CONFLICT (event, account, id) DO UPDATE SET points = excluded.points,
            at = excluded.at WHERE excluded.at < known.at
        """)

    private static let limiting = Statement(
        """
        DELETE FROM {event_submission} WHERE event = :event AND account = :target AND id IN (
            SELECT id FROM (SELECT id, row_number() OVER (ORDER BY at, id) AS place
                FROM {event_submission} WHERE event = :event AND account = :target) AS s
            WHERE s.place > :limit)
        """)

    private static let removingSubmissions = Statement(
        "DELETE FROM {event_submission} WHERE event = :event AND account = :source")

    private static let removingScore = Statement(
        "DELETE FROM {event_score} WHERE event = :event AND account = :source")

    private static let submissions = Statement(
        """
        SELECT points, at FROM {event_submission} WHERE event = :event AND account = :target
        ORDER BY at, id
        """)
}
