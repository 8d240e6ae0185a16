package import PostgresDriver

/// The statements that write sums of sessions in the role of their user.
package struct SessionSums {
    private let sums: [SessionScore]

    package init(_ sums: [SessionScore]) { self.sums = sums }

    /// The statement that adds the sums of new answers, and notes the change for the boards.
    package var addition: PostgresStatement {
        """
        WITH change AS (INSERT INTO underway.board_change (member) VALUES (underway.claim()))
        INSERT INTO underway.session_score AS known (account, bank, session, mode, answers, points,
            first_answers, first_points, ended_at)
        SELECT underway.claim(), * FROM unnest(\(sums.map(\.bank))::text[],
            \(sums.map(\.session))::bigint[], \(sums.map(\.mode))::text[],
            \(sums.map { Int32(clamping: $0.answers) })::integer[],
            \(sums.map { Int32(clamping: $0.points) })::integer[],
            \(sums.map { Int32(clamping: $0.firstAnswers) })::integer[],
            \(sums.map { Int32(clamping: $0.firstPoints) })::integer[],
            \(sums.map(\.endedAt))::bigint[])
        ON CONFLICT (account, bank, session) DO UPDATE SET
            answers = known.answers + excluded.answers, points = known.points + excluded.points,
            first_answers = known.first_answers + excluded.first_answers,
            first_points = known.first_points + excluded.first_points,
            ended_at = greatest(known.ended_at, excluded.ended_at)
        """
    }

    /// The statements that replace all sums of the user.
    package var replacement: [PostgresStatement] {
        let deletion: PostgresStatement =
            "DELETE FROM underway.session_score WHERE account = underway.claim()"
        return [deletion, sums.isEmpty ? Self.change : addition]
    }

    /// The statement that has the next refresh look at the user.
    private static let change: PostgresStatement =
        "INSERT INTO underway.board_change (member) VALUES (underway.claim())"
}
