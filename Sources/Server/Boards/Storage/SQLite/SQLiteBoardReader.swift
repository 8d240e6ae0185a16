import GRDB
import Ledger
import ServiceAPI
import UserData

/// Reads a board for a learner, within one state of the database.
struct SQLiteBoardReader {
    let database: Database

    /// Reads; `nil` when there is no such board.
    func read(_ query: BoardQuery) throws -> BoardReading? {
        let member = try query.user.map { try AccountRow($0, in: database).number } ?? 0
        guard let (board, definition) = try board(query) else { return nil }
        let count = try Int.fetchOne(
            database, sql: "SELECT sum(places) FROM board_bucket WHERE board = ?",
            arguments: [board.number])
        return BoardReading(
            board: board, definition: definition, count: count ?? 0,
            top: try top(query.top, of: board.number),
            member: member, around: try around(member, of: board.number),
            friends: try friends(query.friends, of: board.number))
    }

    private func board(_ query: BoardQuery) throws -> (StoredBoard, BoardDefinition)? {
        let definition = try String.fetchOne(
            database, sql: "SELECT text FROM board_definition WHERE name = ?",
            arguments: [query.name]
        ).flatMap(BoardDefinition.init(text:))
        guard let definition else { return nil }
        let boards = try Row.fetchAll(
            database, sql: "SELECT * FROM board WHERE name = ? AND period = ?",
            arguments: [query.name, query.period.rawValue]
        ).compactMap(StoredBoard.init(row:))
        return query.board(among: boards, definition).map { ($0, definition) }
    }

    private func top(_ count: Int, of board: Int64) throws -> [BoardLine] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT board_score.member, board_score.key, board_profile.name
                FROM board_score LEFT JOIN board_profile ON board_profile.account = board_score.member
                WHERE board = ? ORDER BY key, member LIMIT ?
                """, arguments: [board, count])
        return rows.enumerated().map { index, row in
            BoardLine(member: row[0], key: row[1], name: row[2], rank: index + 1)
        }
    }

    /// Returns the rank and the key of a member; `nil` without a place.
    private func place(_ member: Int64, of board: Int64) throws -> (rank: Int, key: Int64)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    WITH mine AS (SELECT key FROM board_score WHERE board = :board AND member = :member),
                    bucket AS (SELECT max(low) AS low FROM board_bucket
                        WHERE board = :board AND low <= (SELECT key FROM mine))
                    SELECT key, 1
                        + (SELECT coalesce(sum(places), 0) FROM board_bucket
                            WHERE board = :board AND low < (SELECT low FROM bucket))
                        + (SELECT count(*) FROM board_score WHERE board = :board
                            AND key >= (SELECT low FROM bucket)
                            AND (key, member) < ((SELECT key FROM mine), :member)) AS rank
                    FROM mine
                    """), arguments: ["board": board, "member": member])
        return row.map { ($0["rank"], $0["key"]) }
    }

    private func around(_ member: Int64, of board: Int64) throws -> [BoardLine] {
        guard let (rank, key) = try place(member, of: board) else { return [] }
        let count = ServiceLimits.boardNeighbours
        func rows(_ comparison: String, _ order: String, _ limit: Int) throws -> [Row] {
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT board_score.member, board_score.key, board_profile.name
                        FROM board_score LEFT JOIN board_profile
                            ON board_profile.account = board_score.member
                        WHERE board = ? AND (key, member) \(comparison) (?, ?)
                        ORDER BY key \(order), member \(order) LIMIT ?
                        """), arguments: [board, key, member, limit])
        }
        let before = try rows("<", "DESC", count).reversed()
        let lines = try before + rows(">=", "ASC", count + 1)
        return lines.enumerated().map { index, row in
            BoardLine(
                member: row[0], key: row[1], name: row[2], rank: rank - before.count + index)
        }
    }

    private func friends(_ codes: [String], of board: Int64) throws -> [BoardLine] {
        var lines: [BoardLine] = []
        for code in Set(codes) {
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT account, name FROM board_profile WHERE code = ?"),
                arguments: [code])
            guard let row, let (rank, key) = try place(row[0], of: board) else { continue }
            lines.append(
                BoardLine(member: row[0], key: key, name: row[1], code: code, rank: rank))
        }
        return lines.sorted { $0.rank < $1.rank }
    }
}
