import ServiceAPI
import Tables
import UserData

extension BoardStorage {
    /// Reads a board from one state of the database; `nil` for none.
    ///
    /// - Throws: `StorageError`, including `noAccount` for the requesting account.
    package func read(_ query: BoardQuery) async throws -> BoardReading? {
        try await database.read(as: .keeper) { transaction in
            let rows = try transaction.run([
                Self.member(["user": query.user]), Self.definition(["name": query.name]),
                Self.boards(["name": query.name, "period": query.period.rawValue]),
            ])
            let number: Int64? = try rows[0].first?.value("number")
            guard let member = query.user == nil ? 0 : number else { throw StorageError.noAccount }
            guard let definition = try rows[1].first.flatMap({ try BoardDefinition(row: $0) }),
                let board = query.board(
                    among: try rows[2].compactMap { try StoredBoard(row: $0) }, definition)
            else { return nil }
            return try Self.read(board, definition, member, query, in: transaction)
        }
    }

    private static func read(
        _ board: StoredBoard, _ definition: BoardDefinition, _ member: Int64, _ query: BoardQuery,
        in transaction: TableTransaction
    ) throws -> BoardReading {
        let own: [String: any TableValue] = ["board": board.number, "member": member]
        let friends = query.friends.isEmpty ? [] : [query.friends]
        let rows = try transaction.commit(
            after: [
                places(["board": board.number]),
                top(["board": board.number, "top": query.top]), rank(own), around(own),
            ] + friends.map { Self.friends(["board": board.number, "codes": $0]) })
        let rank: Int? = try rows[2].first?.value("rank")
        return BoardReading(
            board: board, definition: definition,
            count: try rows[0].first?.value("places") ?? 0,
            top: try rows[1].enumerated().map { try BoardLine(row: $1, rank: $0 + 1) },
            member: member, around: try lines(around: member, rank: rank, rows[3]),
            friends: try rows.dropFirst(4).first?.map { row in
                var line = try BoardLine(row: row, rank: row.value("rank"))
                line.code = try row.value("code")
                return line
            } ?? [])
    }

    private static func lines(
        around member: Int64, rank: Int?, _ rows: Rows
    ) throws -> [BoardLine] {
        let place = try rows.firstIndex { try $0.value("member") == member }
        guard let rank, let place else { return [] }
        return try rows.enumerated().map { try BoardLine(row: $1, rank: rank - place + $0) }
    }

    // MARK: Statements

    private static let member = Statement(
        "SELECT number FROM {account} WHERE id = :user AND deleted_at IS NULL")

    private static let definition = Statement(
        "SELECT text FROM {board_definition} WHERE name = :name")

    private static let boards = Statement(
        "SELECT * FROM {board} WHERE name = :name AND period = :period")

    private static let places = Statement(
        "SELECT coalesce(sum(places), 0) AS places FROM {board_bucket} WHERE board = :board")

    private static let top = Statement(
        """
        SELECT s.member, s.key, p.name FROM (
            SELECT member, key FROM {board_score} WHERE board = :board
            ORDER BY key, member LIMIT :top) AS s
            LEFT JOIN {board_profile} p ON p.account = s.member
        ORDER BY s.key, s.member
        """)

    private static let rank = Statement(
        """
        SELECT \(rankOfMine) AS rank FROM {board_score} AS mine
        WHERE mine.member = :member AND mine.board = :board
        """)

    /// Adds the places before the own bucket and those before the own key within it.
    private static let rankOfMine = """
        1 + (SELECT coalesce(sum(b.places), 0) FROM {board_bucket} b
                WHERE b.board = mine.board AND b.low < \(lowOfMine))
            + (SELECT count(*) FROM {board_score} s
                WHERE s.board = mine.board AND s.key >= \(lowOfMine)
                    AND (s.key, s.member) < (mine.key, mine.member))
        """

    private static let lowOfMine = """
        (SELECT max(l.low) FROM {board_bucket} l
            WHERE l.board = mine.board AND l.low <= mine.key)
        """

    private static let around = Statement(
        """
        WITH mine AS (SELECT key, member FROM {board_score}
            WHERE member = :member AND board = :board)
        SELECT s.member, s.key, p.name FROM (
            SELECT * FROM (SELECT s.member, s.key FROM {board_score} s WHERE s.board = :board
                AND (s.key, s.member) < ((SELECT key FROM mine), (SELECT member FROM mine))
                ORDER BY s.key DESC, s.member DESC LIMIT \(ServiceLimits.boardNeighbours)) AS better
            UNION ALL
            SELECT * FROM (SELECT s.member, s.key FROM {board_score} s WHERE s.board = :board
                AND (s.key, s.member) >= ((SELECT key FROM mine), (SELECT member FROM mine))
                ORDER BY s.key, s.member LIMIT \(ServiceLimits.boardNeighbours + 1)) AS others
        ) AS s LEFT JOIN {board_profile} p ON p.account = s.member
        ORDER BY s.key, s.member
        """)

    private static let friends = Statement(
        """
        SELECT mine.member, mine.key, p.name, p.code, \(rankOfMine) AS rank
        FROM {board_profile} p
            JOIN {board_score} mine ON mine.member = p.account AND mine.board = :board
        WHERE p.code {in :codes} ORDER BY rank
        """)
}

extension BoardLine {
    fileprivate init(row: TableRow, rank: Int) throws {
        self.init(
            member: try row.value("member"), key: try row.value("key"),
            name: try row.value("name"), rank: rank)
    }
}
