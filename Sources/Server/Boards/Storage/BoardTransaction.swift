package import Ledger
import ServiceAPI
import Tables
import UserData

/// The access of a refresh to the tables of boards, within its exclusive transaction.
///
/// It reads and writes rows; `BoardRefresh` makes all decisions.
package struct BoardTransaction {
    let transaction: TableTransaction

    // MARK: Boards

    /// Reads the definitions in the order of names, and all boards.
    package func all() throws -> (definitions: [BoardDefinition], boards: [StoredBoard]) {
        let rows = try transaction.run([Self.definitions(), Self.boards()])
        return (
            try rows[0].compactMap { try BoardDefinition(row: $0) },
            try rows[1].compactMap { try StoredBoard(row: $0) }
        )
    }

    static let definitions = Statement("SELECT text FROM {board_definition} ORDER BY name")

    private static let boards = Statement("SELECT * FROM {board} ORDER BY number")

    /// Adds a board, whose number is ignored, and returns its number.
    func add(_ board: StoredBoard) throws -> Int64 {
        let rows = try transaction.run([
            Self.adding([
                "name": board.name, "period": board.period.rawValue,
                "first_day": board.window.firstDay, "starts_at": board.window.start,
                "ends_at": board.window.end, "scoring": board.scoring,
                "filled_through": board.filledThrough, "refreshed_at": board.refreshedAt,
                "is_closed": board.isClosed,
            ])
        ])[0]
        guard let row = rows.first else { throw StorageError.damaged("boards") }
        return try row.value("number")
    }

    private static let adding = Statement(
        """
        INSERT INTO {board} (name, period, first_day, starts_at, ends_at, scoring, filled_through,
            refreshed_at, is_closed)
        VALUES (:name, :period, :first_day, :starts_at, :ends_at, :scoring, :filled_through,
            :refreshed_at, :is_closed)
        RETURNING number
        """)

    /// Writes what changes of a board: how far it is filled, when it was refreshed, whether it is closed.
    func update(_ board: StoredBoard) throws {
        try transaction.run([
            Self.updating([
                "board": board.number, "filled_through": board.filledThrough,
                "refreshed_at": board.refreshedAt, "is_closed": board.isClosed,
            ])
        ])
    }

    private static let updating = Statement(
        """
        UPDATE {board} SET filled_through = :filled_through, refreshed_at = :refreshed_at,
            is_closed = :is_closed
        WHERE number = :board
        """)

    /// Deletes at most so many places of a board, and the board with its buckets once none is left.
    ///
    /// - Returns: The number of deleted places.
    func remove(board: Int64, atMost limit: Int) throws -> Int {
        let removed = try transaction.run([Self.emptying(["board": board, "limit": limit])])[0]
        if removed.count < limit { try transaction.run([Self.removing(["board": board])]) }
        return removed.count
    }

    private static let emptying = Statement(
        sqlite: """
            DELETE FROM {board_score} WHERE (member, board) IN
                (SELECT member, board FROM {board_score} WHERE board = :board LIMIT :limit)
            RETURNING member
            """,
        // By the place of each row: a join with the key would read the whole table.
        postgres: """
            DELETE FROM {board_score} WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM {board_score} WHERE board = :board LIMIT :limit))
            RETURNING member
            """)

    private static let removing = Statement("DELETE FROM {board} WHERE number = :board")

    // MARK: Members

    /// Removes the oldest changes, and returns their members, each once, and whether there are more.
    ///
    /// A change that commits later stays, whatever its number: one statement finds and removes them. In the same transaction
    /// it notes those whose answers are to be graded again, see `RegradeNotes`.
    func takeChanges(atMost limit: Int) throws -> (members: [Int64], hasMore: Bool) {
        let rows = try transaction.run([Self.taking(["limit": limit])])[0]
        let members = try Set(rows.map { try $0.value("member", as: Int64.self) }).sorted()
        if !members.isEmpty {
            try transaction.run([RegradeNotes.noting(members, orGraded: false)])
        }
        return (members, rows.count == limit)
    }

    private static let taking = Statement(
        """
        DELETE FROM {board_change} WHERE number <= (SELECT max(number) FROM
            (SELECT number FROM {board_change} ORDER BY number LIMIT :limit) AS oldest)
        RETURNING member
        """)

    /// Returns the next accounts that have sessions of a bank, in the order of numbers.
    func members(of bank: String, after member: Int64, atMost limit: Int) throws -> [Int64] {
        try transaction.run([Self.members(["bank": bank, "member": member, "limit": limit])])[0]
            .map { try $0.value("account") }
    }

    /// One step along the index for each account, however many sessions it has.
    private static let members = Statement(
        """
        WITH RECURSIVE step AS (
            SELECT min(account) AS account FROM {session_score}
            WHERE bank = :bank AND account > :member
            UNION ALL
            SELECT (SELECT min(s.account) FROM {session_score} s
                WHERE s.bank = :bank AND s.account > step.account)
            FROM step WHERE step.account IS NOT NULL
        )
        SELECT account FROM step WHERE account IS NOT NULL LIMIT :limit
        """)

    /// Returns the accounts that exist and want to be listed.
    package func listed(_ members: [Int64]) throws -> Set<Int64> {
        try Set(
            transaction.run([Self.listed(["members": members])])[0].map { try $0.value("number") })
    }

    private static let listed = Statement(
        """
        SELECT a.number FROM {account} a LEFT JOIN {board_profile} p ON p.account = a.number
        WHERE a.number {in :members} AND a.deleted_at IS NULL AND coalesce(p.is_listed, TRUE)
        """)

    /// Returns the newest `ServiceLimits.boardSessionsMax` sessions of each member in a bank, adjusted by regrades.
    package func sessions(
        of members: [Int64], in bank: String
    ) throws -> [Int64: [SessionScore]] {
        let rows = try transaction.run([
            Self.regrades(["members": members, "bank": bank]),
            Self.sessions(["bank": bank], columns: ["member"], rows: members.map { [$0] }),
        ])
        let regrades = try Dictionary(
            rows[0].map { row in
                ([try row.value("account"), try row.value("session")] as [Int64], row)
            }, uniquingKeysWith: { $1 })
        var sessions: [Int64: [SessionScore]] = [:]
        for row in rows[1] {
            let account: Int64 = try row.value("account")
            var score = try SessionScore(row: row, bank: bank)
            if !regrades.isEmpty, let regraded = regrades[[account, score.session]] {
                score.points += try regraded.value("points")
                score.firstPoints += try regraded.value("first_points")
            }
            sessions[account, default: []].append(score)
        }
        return sessions
    }

    /// Either stops behind the newest sessions by the index; a window would read and sort all of each member.
    private static let sessions = Statement(
        sqlite: "SELECT \(scores) \(newest(":member"))",
        postgres: """
            SELECT \(scores) FROM unnest(:member) AS m (account)
                CROSS JOIN LATERAL (SELECT * \(newest("m.account"))) AS s
            """)

    private static let scores = """
        s.account, s.session, s.mode, s.answers, s.points, s.first_answers, s.first_points, s.ended_at
        """

    private static func newest(_ account: String) -> String {
        """
        FROM {session_score} s WHERE s.account = \(account) AND s.bank = :bank
        ORDER BY ended_at DESC, session LIMIT \(ServiceLimits.boardSessionsMax)
        """
    }

    private static let regrades = Statement(
        """
        SELECT account, session, sum(points) AS points, sum(first_points) AS first_points
        FROM {regraded_answer} WHERE account {in :members} AND bank = :bank
        GROUP BY account, session
        """)

    // MARK: Places

    /// Returns the places that members have on any board.
    func places(of members: [Int64]) throws -> [BoardPlace] {
        try transaction.run([Self.places(["members": members])])[0].map { row in
            BoardPlace(
                board: try row.value("board"), member: try row.value("member"),
                key: try row.value("key"))
        }
    }

    private static let places = Statement(
        "SELECT board, member, key FROM {board_score} WHERE member {in :members}")

    /// Writes places.
    func write(_ places: [BoardPlace]) throws {
        guard !places.isEmpty else { return }
        let removed = Dictionary(grouping: places.filter { $0.key == nil }, by: \.board)
        let kept = places.compactMap { place in place.key.map { [place.board, place.member, $0] } }
        try transaction.run(
            removed.map { Self.leaving(["board": $0, "members": $1.map(\.member)]) }
                + [Self.placing(columns: ["board", "member", "key"], rows: kept)])
    }

    private static let leaving = Statement(
        "DELETE FROM {board_score} WHERE board = :board AND member {in :members}")

    private static let placing = Statement(
        sqlite: placing("VALUES (:board, :member, :key)"),
        postgres: placing("SELECT * FROM unnest(:board, :member, :key)"))

    private static func placing(_ rows: String) -> String {
        """
        INSERT INTO {board_score} (board, member, key) \(rows)
        ON CONFLICT (member, board) DO UPDATE SET key = excluded.key
        """
    }

    // MARK: Buckets

    /// Reads the buckets of a board.
    func buckets(of board: Int64) throws -> [BucketTable.Bucket] {
        try transaction.run([Self.buckets(["board": board])])[0].map { row in
            BucketTable.Bucket(low: try row.value("low"), count: try row.value("places"))
        }
    }

    private static let buckets = Statement(
        "SELECT low, places FROM {board_bucket} WHERE board = :board")

    /// Writes buckets of a board.
    func write(
        _ buckets: [BucketTable.Bucket], removing lows: [Int64], of board: Int64
    ) throws {
        guard !buckets.isEmpty || !lows.isEmpty else { return }
        try transaction.run([
            Self.dropping(["board": board, "lows": lows]),
            Self.filling(
                ["board": board], columns: ["low", "places"],
                rows: buckets.map { [$0.low, Int64($0.count)] }),
        ])
    }

    private static let dropping = Statement(
        "DELETE FROM {board_bucket} WHERE board = :board AND low {in :lows}")

    private static let filling = Statement(
        sqlite: filling("VALUES (:board, :low, :places)"),
        postgres: filling("SELECT :board, * FROM unnest(:low, :places)"))

    private static func filling(_ rows: String) -> String {
        """
        INSERT INTO {board_bucket} (board, low, places) \(rows)
        ON CONFLICT (board, low) DO UPDATE SET places = excluded.places
        """
    }

    /// Finds the key in the middle of a bucket, or else the first one greater than its least.
    ///
    /// - Returns: A key greater than the bucket's least, and the number of places before it; `nil` when all places have
    ///   one key.
    func cut(_ part: BucketTable.Overfull, of board: Int64) throws -> (key: Int64, before: Int)? {
        let rows = try transaction.run([
            Self.cutting(["board": board, "low": part.low, "end": part.end, "half": part.half])
        ])[0]
        return try rows.first.map { (try $0.value("key"), try $0.value("smaller")) }
    }

    private static let cutting = Statement(
        """
        WITH middle AS (
            SELECT key FROM {board_score} WHERE board = :board AND key >= :low AND key < :end
            ORDER BY key LIMIT 1 OFFSET :half
        ), cut AS (
            SELECT CASE WHEN middle.key > :low THEN middle.key ELSE (
                SELECT min(key) FROM {board_score}
                WHERE board = :board AND key > :low AND key < :end) END AS key
            FROM middle
        )
        SELECT key, (SELECT count(*) FROM {board_score} s
            WHERE s.board = :board AND s.key >= :low AND s.key < cut.key) AS smaller
        FROM cut WHERE key IS NOT NULL
        """)
}

extension SessionScore {
    fileprivate init(row: TableRow, bank: String) throws {
        self.init(
            session: try row.value("session"), bank: bank, mode: try row.value("mode"),
            answers: try row.value("answers"), points: try row.value("points"),
            firstAnswers: try row.value("first_answers"),
            firstPoints: try row.value("first_points"), endedAt: try row.value("ended_at"))
    }
}
