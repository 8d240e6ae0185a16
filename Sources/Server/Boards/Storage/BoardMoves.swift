package import Accounts
import Tables

extension MovedRows {
    /// The steps that move places on closed boards, and the profile.
    package static let boards = BoardMoves.rows
}

/// Rows of boards when an account moves, as upkeep, within a transaction that the caller opened.
private enum BoardMoves {
    static let rows = MovedRows(
        closing: [step([keepingCount, keepingBetter, keepingOwn])],
        finishing: [step([joiningProfile, movingProfile])])

    private static func step(_ statements: [Statement]) -> MovedRows.Step {
        { transaction, source, target in
            try transaction.run(statements.map { $0(["source": source, "target": target]) })
        }
    }

    // MARK: The better of two places on closed boards

    private static let closed = "(SELECT number FROM {board} WHERE is_closed)"

    /// Moves up the places below the worse of two places.
    private static let keepingCount = Statement(
        """
        UPDATE {board_bucket} AS b SET places = b.places - 1
        FROM {board_score} own JOIN {board_score} other
            ON other.board = own.board AND other.member = :target
        WHERE own.member = :source AND b.board = own.board AND own.board IN \(closed)
            AND b.low = (SELECT max(low) FROM {board_bucket} l WHERE l.board = own.board
                AND low <= CASE WHEN own.key > other.key THEN own.key ELSE other.key END)
        """)

    private static let keepingBetter = Statement(
        """
        DELETE FROM {board_score} AS worse
        WHERE worse.member IN (:source, :target) AND worse.board IN \(closed) AND EXISTS (
            SELECT 1 FROM {board_score} better WHERE better.board = worse.board
                AND better.member IN (:source, :target) AND better.member <> worse.member
                AND (worse.key > better.key OR worse.key = better.key AND worse.member = :source))
        """)

    private static let keepingOwn = Statement(
        """
        UPDATE {board_score} SET member = :target WHERE member = :source AND board IN \(closed)
        """)

    // MARK: The profile

    /// Merges two profiles: listed only if both are, without a name that an operator removed.
    private static let joiningProfile = Statement(
        """
        UPDATE {board_profile} SET is_listed = is_listed AND coalesce(
            (SELECT is_listed FROM {board_profile} WHERE account = :source), TRUE),
            is_name_blocked = is_name_blocked OR EXISTS (\(blocked)),
            name = CASE WHEN EXISTS (\(blocked)) THEN NULL ELSE name END
        WHERE account = :target
        """)

    private static let blocked =
        "SELECT 1 FROM {board_profile} AS b WHERE b.account = :source AND b.is_name_blocked"

    private static let movingProfile = Statement(
        """
        UPDATE {board_profile} SET account = :target WHERE account = :source
            AND NOT EXISTS (SELECT 1 FROM {board_profile} WHERE account = :target)
        """)
}
