import PostgresDriver
import ServiceAPI
import Tables
import UserData

/// Reads a board for a learner, in a transaction that sees one state of the database.
struct PostgresBoardReader {
    let transaction: PostgresTransaction

    /// Reads in two round trips; `nil` when there is no such board.
    ///
    /// - Throws: `LedgerError` `noAccount` for an account that does not exist.
    func read(_ query: BoardQuery) throws -> BoardReading? {
        let results = try transaction.pipeline([
            UserClaims.keeper,
            "SELECT number FROM underway.account WHERE id = \(query.user) AND deleted_at IS NULL",
            "SELECT text FROM underway.board_definition WHERE name = \(query.name)",
            """
            SELECT * FROM underway.board
            WHERE name = \(query.name) AND period = \(query.period.rawValue)
            """,
        ])
        let number = try results[1].column("number", as: Int64.self).first
        guard let member = query.user == nil ? 0 : number else { throw LedgerError.noAccount }
        let definition = try results[2].column("text", as: String.self).first
            .flatMap(BoardDefinition.init(text:))
        let boards = try results[3].compactMap { try StoredBoard(row: $0) }
        guard let definition, let board = query.board(among: boards, definition) else { return nil }
        return try read(board, definition, member, query)
    }

    private func read(
        _ board: StoredBoard, _ definition: BoardDefinition, _ member: Int64, _ query: BoardQuery
    ) throws -> BoardReading {
        let friends = query.friends.isEmpty ? [] : [Self.friends(query.friends, of: board.number)]
        let results = try transaction.commit(
            after: [
                """
                SELECT coalesce(sum(places), 0)::bigint AS places FROM underway.board_bucket
                WHERE board = \(board.number)
                """,
                Self.top(query.top, of: board.number), Self.rank(of: member, on: board.number),
                Self.around(member, on: board.number),
            ] + friends)
        let rank = try results[2].column("rank", as: Int.self).first
        return BoardReading(
            board: board, definition: definition,
            count: try results[0].column("places", as: Int.self).first ?? 0,
            top: try results[1].enumerated().map { try Self.line($1, rank: $0 + 1) },
            member: member, around: try Self.around(results[3], rank: rank, member),
            friends: try results.dropFirst(4).first.map(Self.friends) ?? [])
    }

    // MARK: Statements

    private static func top(_ count: Int, of board: Int64) -> PostgresStatement {
        """
        SELECT s.member, s.key, p.name FROM (
            SELECT member, key FROM underway.board_score WHERE board = \(board)
            ORDER BY key, member LIMIT \(count)) AS s
            LEFT JOIN underway.board_profile p ON p.account = s.member
        ORDER BY s.key, s.member
        """
    }

    /// Adds the places before the own bucket and those before the own key within it.
    private static func rank(of member: Int64, on board: Int64) -> PostgresStatement {
        """
        SELECT \(sql: rank("mine"))::bigint AS rank
        FROM underway.board_score AS mine WHERE mine.member = \(member) AND mine.board = \(board)
        """
    }

    /// The rank of a row of scores as an expression.
    private static func rank(_ row: String) -> String {
        """
        1 + coalesce((SELECT sum(b.places) FROM underway.board_bucket b
                WHERE b.board = \(row).board AND b.low < \(low(row))), 0)
            + (SELECT count(*) FROM underway.board_score s
                WHERE s.board = \(row).board AND s.key >= \(low(row))
                    AND (s.key, s.member) < (\(row).key, \(row).member))
        """
    }

    private static func low(_ row: String) -> String {
        """
        (SELECT max(l.low) FROM underway.board_bucket l
            WHERE l.board = \(row).board AND l.low <= \(row).key)
        """
    }

    private static func around(_ member: Int64, on board: Int64) -> PostgresStatement {
        let count = ServiceLimits.boardNeighbours
        return """
            WITH mine AS (SELECT key, member FROM underway.board_score
                WHERE member = \(member) AND board = \(board))
            SELECT s.member, s.key, p.name FROM (
                (SELECT s.member, s.key FROM underway.board_score s
                    WHERE s.board = \(board)
                        AND (s.key, s.member) < ((SELECT key FROM mine), (SELECT member FROM mine))
                    ORDER BY s.key DESC, s.member DESC LIMIT \(count))
                UNION ALL
                (SELECT s.member, s.key FROM underway.board_score s
                    WHERE s.board = \(board)
                        AND (s.key, s.member) >= ((SELECT key FROM mine), (SELECT member FROM mine))
                    ORDER BY s.key, s.member LIMIT \(count + 1))) AS s
                LEFT JOIN underway.board_profile p ON p.account = s.member
            ORDER BY s.key, s.member
            """
    }

    private static func friends(_ codes: [String], of board: Int64) -> PostgresStatement {
        """
        SELECT mine.member, mine.key, p.name, p.code, (\(sql: rank("mine")))::bigint AS rank
        FROM underway.board_profile p
            JOIN underway.board_score mine ON mine.member = p.account AND mine.board = \(board)
        WHERE p.code = ANY (\(codes)::text[]) ORDER BY rank
        """
    }

    // MARK: Rows

    private static func friends(_ rows: PostgresResult) throws -> [BoardLine] {
        try rows.map { row in
            var line = try line(row, rank: try row.value("rank"))
            line.code = try row.value("code")
            return line
        }
    }

    private static func line(_ row: PostgresRow, rank: Int) throws -> BoardLine {
        BoardLine(
            member: try row.value("member"), key: try row.value("key"),
            name: try row.value("name"), rank: rank)
    }

    private static func around(
        _ rows: PostgresResult, rank: Int?, _ member: Int64
    ) throws -> [BoardLine] {
        let members: [Int64] = try rows.column("member")
        guard let rank, let place = members.firstIndex(of: member) else { return [] }
        return try rows.enumerated().map { try line($1, rank: rank - place + $0) }
    }
}
