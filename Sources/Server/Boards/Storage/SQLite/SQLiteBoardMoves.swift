package import Accounts
package import GRDB
import Tables

extension MovedRows<Database> {
    /// The places on closed boards, and the profile.
    package static var boards: MovedRows<Database> {
        MovedRows(
            closing: [{ try SQLiteBoardMoves(database: $0).keepClosedPlaces(of: $1, as: $2) }],
            finishing: [{ try SQLiteBoardMoves(database: $0).moveProfile(from: $1, to: $2) }])
    }
}

/// Rows of boards when an account moves, within a transaction that the caller opened.
private struct SQLiteBoardMoves {
    let database: Database

    /// Keeps the better of both accounts' places on closed boards, under the account that stays.
    func keepClosedPlaces(of source: Int64, as target: Int64) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT own.board AS board, own.key AS key, other.key AS otherKey
                FROM board_score AS own JOIN board ON board.number = own.board AND board.is_closed
                    LEFT JOIN board_score AS other
                        ON other.board = own.board AND other.member = ?
                WHERE own.member = ?
                """, arguments: [target, source])
        for row in rows {
            let (board, key, other): (Int64, Int64, Int64?) = (
                row["board"], row["key"], row["otherKey"]
            )
            try database.execute(
                cached: "DELETE FROM board_score WHERE board = ? AND member IN (?, ?)",
                [board, source, target])
            try database.execute(
                cached: "INSERT INTO board_score (board, member, key) VALUES (?, ?, ?)",
                [board, target, min(key, other ?? key)])
            guard let other else { continue }
            try database.execute(
                cached: """
                    UPDATE board_bucket SET places = places - 1 WHERE board = :board AND low =
                        (SELECT max(low) FROM board_bucket WHERE board = :board AND low <= :key)
                    """, ["board": board, "key": max(key, other)])
        }
    }

    /// Moves a profile to an account without one; where both have one, it is listed only if both say so.
    func moveProfile(from source: Int64, to target: Int64) throws {
        try database.execute(
            cached: """
                UPDATE board_profile SET is_listed = is_listed AND
                    coalesce((SELECT is_listed FROM board_profile WHERE account = ?), 1)
                WHERE account = ?
                """, [source, target])
        try database.execute(
            cached: """
                UPDATE board_profile SET account = ? WHERE account = ?
                    AND NOT EXISTS (SELECT 1 FROM board_profile WHERE account = ?)
                """, [target, source, target])
    }
}
