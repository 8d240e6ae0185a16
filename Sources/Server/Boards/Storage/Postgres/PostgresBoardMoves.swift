package import Accounts
package import PostgresDriver

extension MovedRows<PostgresTransaction> {
    /// The places on closed boards, and the profile.
    package static var boards: MovedRows<PostgresTransaction> {
        MovedRows(
            closing: [{ try PostgresBoardMoves(transaction: $0).keepClosedPlaces(of: $1, as: $2) }],
            finishing: [{ try PostgresBoardMoves(transaction: $0).moveProfile(from: $1, to: $2) }])
    }
}

/// Rows of boards when an account moves, as upkeep, within a transaction that the caller opened.
private struct PostgresBoardMoves {
    let transaction: PostgresTransaction

    /// Keeps the better of both accounts' places on closed boards, under the account that stays.
    func keepClosedPlaces(of source: Int64, as target: Int64) throws {
        try transaction.pipeline([
            // Who was below the worse of two places moves up.
            """
            UPDATE underway.board_bucket b SET places = b.places - 1
            FROM underway.board_score own
                JOIN underway.board ON number = own.board AND is_closed
                JOIN underway.board_score other
                    ON other.board = own.board AND other.member = \(target)
            WHERE own.member = \(source) AND b.board = own.board
                AND b.low = (SELECT max(low) FROM underway.board_bucket
                    WHERE board = own.board AND low <= greatest(own.key, other.key))
            """,
            """
            DELETE FROM underway.board_score worse
            USING underway.board_score better, underway.board
            WHERE number = worse.board AND is_closed AND better.board = worse.board
                AND worse.member = ANY (ARRAY[\(source), \(target)]::bigint[])
                AND better.member = ANY (ARRAY[\(source), \(target)]::bigint[])
                AND worse.member <> better.member
                AND (worse.key, worse.member = \(source)) > (better.key, better.member = \(source))
            """,
            """
            UPDATE underway.board_score SET member = \(target) WHERE member = \(source)
                AND board IN (SELECT number FROM underway.board WHERE is_closed)
            """,
        ])
    }

    /// Moves a profile to an account without one; where both have one, it is listed only if both say so.
    func moveProfile(from source: Int64, to target: Int64) throws {
        try transaction.pipeline([
            """
            UPDATE underway.board_profile SET is_listed = is_listed AND coalesce(
                (SELECT is_listed FROM underway.board_profile WHERE account = \(source)), TRUE)
            WHERE account = \(target)
            """,
            """
            UPDATE underway.board_profile SET account = \(target) WHERE account = \(source)
                AND NOT EXISTS (SELECT FROM underway.board_profile WHERE account = \(target))
            """,
        ])
    }
}
