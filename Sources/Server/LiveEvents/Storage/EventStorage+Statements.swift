import Tables

extension EventStorage {
    // MARK: Events

    private static let columns = """
        e.number, e.id, e.text, e.frozen_at, e.places, coalesce((SELECT CAST(value AS bigint)
            FROM {setting} WHERE name = 'generation'), 0) AS epoch
        """

    static let all = Statement("SELECT \(columns) FROM {event} e ORDER BY e.name")

    static let named = Statement("SELECT \(columns) FROM {event} e WHERE e.name = :name")

    static let hasSubmissions = Statement(
        "SELECT EXISTS (SELECT 1 FROM {event_submission} WHERE event = :event) AS found")

    static let declaring = Statement(
        """
        INSERT INTO {event} (id, name, text) VALUES (:id, :name, :text)
        ON CONFLICT (name) DO UPDATE SET text = excluded.text, frozen_at = NULL, places = 0
        """)

    static let count = Statement("SELECT count(*) AS events FROM {event}")

    static let removing = Statement("DELETE FROM {event} WHERE number = :event")

    // MARK: Locks

    /// The first key of the advisory locks of events, which is this program's own: "evnt" in ASCII.
    static let lock: Int32 = 0x6576_6E74

    /// Waits until no transaction is storing a submission to the event; SQLite has one writer.
    static let exclusively = Statement(
        postgres: "SELECT pg_advisory_xact_lock(\(lock), :event::integer)")

    /// Blocks freezing, changing or removing the event until the end of the transaction.
    static let sharing = Statement(
        postgres: """
            SELECT pg_advisory_xact_lock_shared(\(lock), number::integer) FROM {event}
            WHERE name = :name
            """)

    /// Blocks freezing any event of an account until the end of the transaction.
    static let sharingAll = Statement(
        postgres: """
            SELECT pg_advisory_xact_lock_shared(\(lock), number::integer) FROM {event}
            WHERE \(isOfSource) ORDER BY number
            """)

    // MARK: Moves

    private static let isOfSource = """
        number IN (SELECT event FROM {event_submission} WHERE account = :source
            UNION SELECT event FROM {event_score} WHERE account = :source)
        """

    static let moving = Statement(
        """
        SELECT number, text, frozen_at IS NOT NULL AS is_frozen FROM {event}
        WHERE \(isOfSource) ORDER BY number
        """)

    // MARK: Submissions

    // Statements of their own: PostgreSQL plans one that joins these tables with their policies for longer.
    static let isListed = Statement("SELECT is_listed FROM {board_profile} WHERE account = {me}")

    static let standing = Statement(
        """
        SELECT \(score) FROM {event_score} s
        WHERE s.event = (SELECT number FROM {event} WHERE name = :name) AND s.account = {me}
        """)

    static let isKnown = Statement(
        """
        SELECT EXISTS (SELECT 1 FROM {event_submission}
            WHERE event = (SELECT number FROM {event} WHERE name = :name)
                AND account = {me} AND id = :id) AS found
        """)

    static let submitting = Statement(
        """
        INSERT INTO {event_submission} (event, account, id, points, at)
        VALUES (:event, {me}, :id, :points, :at)
        """)

    /// Numbers a change; on PostgreSQL its transaction does.
    static let counting = Statement(
        sqlite: "UPDATE {event} SET changes = changes + 1 WHERE number = :event")

    static let scoring = Statement(
        sqlite: scoring("(SELECT changes FROM {event} WHERE number = :event)"),
        postgres: scoring("pg_current_xact_id()::text::bigint"))

    private static func scoring(_ change: String) -> String {
        """
        INSERT INTO {event_score} (event, account, score, second, submissions, change)
        VALUES (:event, :account, :score, :second, :submissions, \(change))
        ON CONFLICT (event, account) DO UPDATE SET score = excluded.score,
            second = excluded.second, submissions = excluded.submissions,
            change = excluded.change
        """
    }

    // MARK: Standings

    /// The columns of a standing.
    private static let score = "s.account, s.score, s.second, s.submissions, s.change"

    static let cursor = Statement(
        sqlite: "SELECT changes + 1 AS change FROM {event} WHERE number = :event",
        postgres: "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS change")

    /// The scores of learners who are there and want a place.
    private static let listed = """
        {event_score} s JOIN {account} a ON a.number = s.account AND a.deleted_at IS NULL
            LEFT JOIN {board_profile} p ON p.account = s.account
        WHERE s.event = :event AND coalesce(p.is_listed, TRUE)
        """

    static let changed = Statement(
        """
        SELECT \(score) FROM \(listed)
            AND s.change >= :change AND s.account > :member
        ORDER BY s.account LIMIT :limit
        """)

    static let members = Statement(
        """
        SELECT a.number, p.name, coalesce(p.is_listed, TRUE) AS is_listed
        FROM {account} a LEFT JOIN {board_profile} p ON p.account = a.number
        WHERE a.number {in :numbers} AND a.deleted_at IS NULL
        """)

    static let member = Statement(
        "SELECT number FROM {account} WHERE id = :user AND deleted_at IS NULL")

    static let exported = Statement(
        """
        SELECT \(score), e.name
        FROM {event_score} s JOIN {event} e ON e.number = s.event
        WHERE s.account = {me} ORDER BY e.name
        """)

    // MARK: Final places

    static let isOpen = Statement(
        "SELECT number FROM {event} WHERE number = :event AND frozen_at IS NULL")

    static let ranking = Statement(
        """
        UPDATE {event_score} AS t SET rank = r.place FROM (
            SELECT s.account, row_number() OVER (
                ORDER BY s.score DESC, s.second, s.account) AS place FROM \(listed)) AS r
        WHERE t.event = :event AND t.account = r.account
        """)

    static let freezing = Statement(
        """
        UPDATE {event} SET frozen_at = :now, places =
            (SELECT count(rank) FROM {event_score} WHERE event = :event)
        WHERE number = :event
        """)

    static let unranking = Statement(
        "UPDATE {event_score} SET rank = NULL WHERE event = :event")

    static let reopening = Statement(
        "UPDATE {event} SET frozen_at = NULL, places = 0 WHERE number = :event")

    static let topPlaces = places("s.rank <= :top")

    static let ownPlace = places("s.account = (SELECT number FROM {account} WHERE id = :user)")

    private static func places(_ condition: String) -> Statement {
        Statement(
            """
            SELECT \(score), s.rank, p.name FROM \(listed)
                AND s.rank IS NOT NULL AND \(condition)
            ORDER BY s.rank
            """)
    }
}

extension StoredEvent {
    /// Reads a row; `nil` for a definition that this version cannot read.
    init?(row: TableRow) throws {
        guard let definition = EventDefinition(text: try row.value("text")) else { return nil }
        self.init(
            number: try row.value("number"), id: try row.value("id"), definition: definition,
            frozenAt: try row.value("frozen_at"), places: try row.value("places"),
            epoch: try row.value("epoch"))
    }
}

extension EventStanding {
    init(row: TableRow) throws {
        self.init(
            member: try row.value("account"), score: try row.value("score"),
            second: try row.value("second"), submissions: try row.value("submissions"),
            change: try row.value("change"))
    }
}

extension FinalPlaces.Place {
    init(row: TableRow) throws {
        self.init(
            rank: try row.value("rank"), standing: try EventStanding(row: row),
            name: try row.value("name"))
    }
}
