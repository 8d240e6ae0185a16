import Ledger
import PostgresDriver
import ServiceAPI
import Tables
import UserData

/// A refresher's access to the boards in PostgreSQL, as the keeper and under the refreshers' lock.
struct PostgresBoardTransaction: BoardTransaction {
    let transaction: PostgresTransaction

    // MARK: Boards

    func definitions() throws -> [BoardDefinition] {
        try transaction.query("SELECT text FROM underway.board_definition ORDER BY name")
            .column("text", as: String.self).compactMap(BoardDefinition.init(text:))
    }

    func boards() throws -> [StoredBoard] {
        try transaction.query("SELECT * FROM underway.board ORDER BY number")
            .compactMap(StoredBoard.init(row:))
    }

    func add(_ board: StoredBoard) throws -> Int64 {
        let rows = try transaction.query(
            """
            INSERT INTO underway.board (name, period, first_day, starts_at, ends_at, scoring,
                filled_through, refreshed_at, is_closed)
            VALUES (\(board.name), \(board.period.rawValue), \(board.window.firstDay),
                \(board.window.start), \(board.window.end), \(board.scoring),
                \(board.filledThrough), \(board.refreshedAt), \(board.isClosed))
            RETURNING number
            """)
        guard let row = rows.first else { throw LedgerError.damaged("boards") }
        return try row.value("number")
    }

    func update(_ board: StoredBoard) throws {
        try transaction.query(
            """
            UPDATE underway.board SET filled_through = \(board.filledThrough),
                refreshed_at = \(board.refreshedAt), is_closed = \(board.isClosed)
            WHERE number = \(board.number)
            """)
    }

    func remove(board: Int64, atMost limit: Int) throws -> Int {
        let count = try transaction.query(
            """
            DELETE FROM underway.board_score WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM underway.board_score WHERE board = \(board) LIMIT \(limit)))
            """
        ).affectedRows
        if count < limit {
            try transaction.query("DELETE FROM underway.board WHERE number = \(board)")
        }
        return count
    }

    // MARK: Members

    /// Removes the changes that this statement sees; one that commits later stays, whatever its number.
    func takeChanges(atMost limit: Int) throws -> (members: [Int64], hasMore: Bool) {
        let members: [Int64] = try transaction.query(
            """
            DELETE FROM underway.board_change WHERE number = ANY (ARRAY(
                SELECT number FROM underway.board_change ORDER BY number LIMIT \(limit)))
            RETURNING member
            """
        ).column("member")
        let changed = Set(members).sorted()
        if !changed.isEmpty {
            try RegradeNotes.write(changed, orGraded: false, in: transaction)
        }
        return (changed, members.count == limit)
    }

    func members(of bank: String, after member: Int64, atMost limit: Int) throws -> [Int64] {
        // One step along the index for each account, however many sessions it has.
        try transaction.query(
            """
            WITH RECURSIVE step AS (
                (SELECT account FROM underway.session_score
                    WHERE bank = \(bank) AND account > \(member) ORDER BY account LIMIT 1)
                UNION ALL
                SELECT (SELECT s.account FROM underway.session_score s
                    WHERE s.bank = \(bank) AND s.account > step.account ORDER BY s.account LIMIT 1)
                FROM step WHERE step.account IS NOT NULL
            )
            SELECT account FROM step WHERE account IS NOT NULL LIMIT \(limit)
            """
        ).column("account")
    }

    func listed(_ members: [Int64]) throws -> Set<Int64> {
        let numbers: [Int64] = try transaction.query(
            """
            SELECT a.number FROM unnest(\(members)::bigint[]) AS m (number)
                JOIN underway.account a ON a.number = m.number AND a.deleted_at IS NULL
                LEFT JOIN underway.board_profile p ON p.account = a.number
            WHERE coalesce(p.is_listed, TRUE)
            """
        ).column("number")
        return Set(numbers)
    }

    func sessions(of members: [Int64], in bank: String) throws -> [Int64: [SessionScore]] {
        let rows = try transaction.query(
            """
            SELECT m.account, s.session, s.mode, s.answers, s.first_answers, s.ended_at,
                s.points + coalesce(r.points, 0) AS points,
                s.first_points + coalesce(r.first_points, 0) AS first_points
            FROM unnest(\(members)::bigint[]) AS m (account)
                CROSS JOIN LATERAL (
                    SELECT session, mode, answers, points, first_answers, first_points, ended_at
                    FROM underway.session_score
                    WHERE account = m.account AND bank = \(bank)
                    ORDER BY ended_at DESC, session LIMIT \(ServiceLimits.boardSessionsMax)) AS s
                LEFT JOIN (
                    SELECT account, session, sum(points) AS points,
                        sum(first_points) AS first_points
                    FROM underway.regraded_answer
                    WHERE account = ANY (\(members)::bigint[]) AND bank = \(bank)
                    GROUP BY account, session) AS r
                    ON r.account = m.account AND r.session = s.session
            """)
        var sessions: [Int64: [SessionScore]] = [:]
        for row in rows {
            sessions[try row.value("account"), default: []].append(
                SessionScore(
                    session: try row.value("session"), bank: bank, mode: try row.value("mode"),
                    answers: try row.value("answers"), points: try row.value("points"),
                    firstAnswers: try row.value("first_answers"),
                    firstPoints: try row.value("first_points"),
                    endedAt: try row.value("ended_at")))
        }
        return sessions
    }

    // MARK: Places

    func places(of members: [Int64]) throws -> [BoardPlace] {
        try transaction.query(
            """
            SELECT board, member, key FROM underway.board_score
            WHERE member = ANY (\(members)::bigint[])
            """
        ).map { row in
            BoardPlace(
                board: try row.value("board"), member: try row.value("member"),
                key: try row.value("key"))
        }
    }

    func write(_ places: [BoardPlace]) throws {
        let (kept, removed) = (places.filter { $0.key != nil }, places.filter { $0.key == nil })
        var statements: [PostgresStatement] = []
        if !removed.isEmpty {
            statements.append(
                """
                DELETE FROM underway.board_score s
                USING unnest(\(removed.map(\.board))::bigint[], \(removed.map(\.member))::bigint[])
                    AS u (board, member)
                WHERE s.member = u.member AND s.board = u.board
                """)
        }
        if !kept.isEmpty {
            statements.append(
                """
                INSERT INTO underway.board_score (board, member, key)
                SELECT * FROM unnest(\(kept.map(\.board))::bigint[],
                    \(kept.map(\.member))::bigint[], \(kept.compactMap(\.key))::bigint[])
                ON CONFLICT (member, board) DO UPDATE SET key = excluded.key
                """)
        }
        if !statements.isEmpty { try transaction.pipeline(statements) }
    }

    // MARK: Buckets

    func buckets(of board: Int64) throws -> [BucketTable.Bucket] {
        try transaction.query(
            "SELECT low, places FROM underway.board_bucket WHERE board = \(board)"
        ).map { row in
            BucketTable.Bucket(low: try row.value("low"), count: try row.value("places"))
        }
    }

    func write(
        _ buckets: [BucketTable.Bucket], removing lows: [Int64], of board: Int64
    ) throws {
        try transaction.pipeline([
            """
            DELETE FROM underway.board_bucket
            WHERE board = \(board) AND low = ANY (\(lows)::bigint[])
            """,
            """
            INSERT INTO underway.board_bucket (board, low, places)
            SELECT \(board)::bigint, * FROM unnest(\(buckets.map(\.low))::bigint[],
                \(buckets.map { Int32(clamping: $0.count) })::integer[])
            ON CONFLICT (board, low) DO UPDATE SET places = excluded.places
            """,
        ])
    }

    func cut(_ part: BucketTable.Overfull, of board: Int64) throws -> (key: Int64, before: Int)? {
        let row = try transaction.query(
            """
            WITH middle AS (
                SELECT key FROM underway.board_score
                WHERE board = \(board) AND key >= \(part.low) AND key < \(part.end)
                ORDER BY key OFFSET \(part.half) LIMIT 1
            ), cut AS (
                SELECT CASE WHEN middle.key > \(part.low) THEN middle.key ELSE (
                    SELECT min(key) FROM underway.board_score
                    WHERE board = \(board) AND key > \(part.low) AND key < \(part.end)) END AS key
                FROM middle
            )
            SELECT key, (SELECT count(*) FROM underway.board_score s
                WHERE s.board = \(board) AND s.key >= \(part.low) AND s.key < cut.key) AS before
            FROM cut WHERE key IS NOT NULL
            """
        ).first
        return try row.map { (try $0.value("key"), try $0.value("before")) }
    }
}

extension StoredBoard {
    /// Reads a row; `nil` for a period of a later version.
    init?(row: PostgresRow) throws {
        guard let period = BoardPeriod(rawValue: try row.value("period")) else { return nil }
        self.init(
            number: try row.value("number"), name: try row.value("name"), period: period,
            window: BoardWindow(
                firstDay: try row.value("first_day"), start: try row.value("starts_at"),
                end: try row.value("ends_at")),
            scoring: try row.value("scoring"), filledThrough: try row.value("filled_through"),
            refreshedAt: try row.value("refreshed_at"), isClosed: try row.value("is_closed"))
    }
}
