import GRDB
import Ledger
import ServiceAPI
import UserData

/// A refresher's access to the boards in SQLite, within the writer's transaction.
struct SQLiteBoardTransaction: BoardTransaction {
    let database: Database

    // MARK: Boards

    func definitions() throws -> [BoardDefinition] {
        try String.fetchAll(database, sql: "SELECT text FROM board_definition ORDER BY name")
            .compactMap(BoardDefinition.init(text:))
    }

    func boards() throws -> [StoredBoard] {
        try Row.fetchAll(database, sql: "SELECT * FROM board ORDER BY number")
            .compactMap(StoredBoard.init(row:))
    }

    func add(_ board: StoredBoard) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO board (name, period, first_day, starts_at, ends_at, scoring, filled_through,
                    refreshed_at, is_closed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                board.name, board.period.rawValue, board.window.firstDay, board.window.start,
                board.window.end, board.scoring, board.filledThrough, board.refreshedAt,
                board.isClosed,
            ])
        return database.lastInsertedRowID
    }

    func update(_ board: StoredBoard) throws {
        try database.execute(
            sql: """
                UPDATE board SET filled_through = ?, refreshed_at = ?, is_closed = ? WHERE number = ?
                """,
            arguments: [board.filledThrough, board.refreshedAt, board.isClosed, board.number])
    }

    func remove(board: Int64, atMost limit: Int) throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM board_score WHERE (member, board) IN
                    (SELECT member, board FROM board_score WHERE board = ? LIMIT ?)
                """, arguments: [board, limit])
        let count = database.changesCount
        if count < limit {
            try database.execute(sql: "DELETE FROM board WHERE number = ?", arguments: [board])
        }
        return count
    }

    // MARK: Members

    func takeChanges(atMost limit: Int) throws -> (members: [Int64], hasMore: Bool) {
        let rows = try Row.fetchAll(
            database, sql: "SELECT number, member FROM board_change ORDER BY number LIMIT ?",
            arguments: [limit])
        guard let last = rows.last else { return ([], false) }
        let end: Int64 = last["number"]
        try database.execute(
            sql: "DELETE FROM board_change WHERE number <= ?", arguments: [end])
        let members = Set(rows.map { $0["member"] as Int64 }).sorted()
        try RegradeNotes.write(members, orGraded: false, in: database)
        return (members, rows.count == limit)
    }

    func members(of bank: String, after member: Int64, atMost limit: Int) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT DISTINCT account FROM session_score INDEXED BY session_score_by_bank
                WHERE bank = ? AND account > ? ORDER BY account LIMIT ?
                """, arguments: [bank, member, limit])
    }

    func listed(_ members: [Int64]) throws -> Set<Int64> {
        let statement = try database.cachedStatement(
            sql: """
                SELECT 1 FROM account LEFT JOIN board_profile ON board_profile.account = account.number
                WHERE account.number = ? AND deleted_at IS NULL AND coalesce(is_listed, 1)
                """)
        return try Set(
            members.filter { try Int.fetchOne(statement, arguments: [$0]) != nil })
    }

    func sessions(of members: [Int64], in bank: String) throws -> [Int64: [SessionScore]] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT session, mode, answers, points, first_answers, first_points, ended_at
                FROM session_score WHERE account = ? AND bank = ?
                ORDER BY ended_at DESC, session LIMIT ?
                """)
        var sessions: [Int64: [SessionScore]] = [:]
        for member in members {
            let rows = try Row.fetchCursor(
                statement, arguments: [member, bank, ServiceLimits.boardSessionsMax])
            while let row = try rows.next() {
                sessions[member, default: []].append(
                    SessionScore(
                        session: row[0], bank: bank, mode: row[1], answers: row[2],
                        points: row[3], firstAnswers: row[4], firstPoints: row[5],
                        endedAt: row[6]))
            }
            if var own = sessions[member] {
                try addRegrades(to: &own, of: member, in: bank)
                sessions[member] = own
            }
        }
        return sessions
    }

    /// Adds what new grades change to the sums of a member's sessions.
    private func addRegrades(to sessions: inout [SessionScore], of member: Int64, in bank: String)
        throws
    {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT session, sum(points), sum(first_points) FROM regraded_answer
                    WHERE account = ? AND bank = ? GROUP BY session
                    """), arguments: [member, bank])
        for row in rows {
            let session: Int64 = row[0]
            guard let index = sessions.firstIndex(where: { $0.session == session }) else {
                continue
            }
            sessions[index].points += row[1] as Int
            sessions[index].firstPoints += row[2] as Int
        }
    }

    // MARK: Places

    func places(of members: [Int64]) throws -> [BoardPlace] {
        let statement = try database.cachedStatement(
            sql: "SELECT board, key FROM board_score WHERE member = ?")
        var places: [BoardPlace] = []
        for member in members {
            let rows = try Row.fetchCursor(statement, arguments: [member])
            while let row = try rows.next() {
                places.append(BoardPlace(board: row[0], member: member, key: row[1]))
            }
        }
        return places
    }

    func write(_ places: [BoardPlace]) throws {
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO board_score (board, member, key) VALUES (?, ?, ?)
                ON CONFLICT (member, board) DO UPDATE SET key = excluded.key
                """)
        let delete = try database.cachedStatement(
            sql: "DELETE FROM board_score WHERE board = ? AND member = ?")
        for place in places {
            if let key = place.key {
                try insert.execute(arguments: [place.board, place.member, key])
            } else {
                try delete.execute(arguments: [place.board, place.member])
            }
        }
    }

    // MARK: Buckets

    func buckets(of board: Int64) throws -> [BucketTable.Bucket] {
        try Row.fetchAll(
            database, sql: "SELECT low, places FROM board_bucket WHERE board = ?",
            arguments: [board]
        ).map { BucketTable.Bucket(low: $0[0], count: $0[1]) }
    }

    func write(
        _ buckets: [BucketTable.Bucket], removing lows: [Int64], of board: Int64
    ) throws {
        for low in lows {
            try database.cachedStatement(
                sql: "DELETE FROM board_bucket WHERE board = ? AND low = ?"
            ).execute(arguments: [board, low])
        }
        for bucket in buckets {
            try database.cachedStatement(
                sql: """
                    INSERT INTO board_bucket (board, low, places) VALUES (?, ?, ?)
                    ON CONFLICT (board, low) DO UPDATE SET places = excluded.places
                    """
            ).execute(arguments: [board, bucket.low, bucket.count])
        }
    }

    func cut(_ part: BucketTable.Overfull, of board: Int64) throws -> (key: Int64, before: Int)? {
        let range: StatementArguments = [board, part.low, part.end]
        let middle = try Int64.fetchOne(
            database,
            sql: """
                SELECT key FROM board_score WHERE board = ? AND key >= ? AND key < ?
                ORDER BY key LIMIT 1 OFFSET ?
                """, arguments: range + [part.half])
        var key = middle
        if middle == part.low {
            key = try Int64.fetchOne(
                database,
                sql: "SELECT min(key) FROM board_score WHERE board = ? AND key > ? AND key < ?",
                arguments: range)
        }
        guard let key else { return nil }
        let before = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM board_score WHERE board = ? AND key >= ? AND key < ?",
            arguments: [board, part.low, key])
        return (key, before ?? 0)
    }
}

extension StoredBoard {
    /// Reads a row; `nil` for a period of a later version.
    init?(row: Row) {
        guard let period = BoardPeriod(rawValue: row["period"]) else { return nil }
        self.init(
            number: row["number"], name: row["name"], period: period,
            window: BoardWindow(
                firstDay: row["first_day"], start: row["starts_at"], end: row["ends_at"]),
            scoring: row["scoring"], filledThrough: row["filled_through"],
            refreshedAt: row["refreshed_at"], isClosed: row["is_closed"])
    }
}
