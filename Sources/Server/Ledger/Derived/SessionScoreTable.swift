package import GRDB

/// The sums of one account's sessions.
package struct SessionScoreTable {
    private let database: Database
    /// The account's number.
    private let account: Int64

    package init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// Adds the sums of new answers, and notes the change for the boards.
    package func add(_ sums: [SessionScore]) throws {
        guard !sums.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO session_score (account, bank, session, mode, answers, points, first_answers,
                    first_points, ended_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, bank, session) DO UPDATE SET
                    answers = answers + excluded.answers, points = points + excluded.points,
                    first_answers = first_answers + excluded.first_answers,
                    first_points = first_points + excluded.first_points,
                    ended_at = max(ended_at, excluded.ended_at)
                """)
        for sum in sums {
            try statement.execute(arguments: [
                account, sum.bank, sum.session, sum.mode, sum.answers, sum.points,
                sum.firstAnswers, sum.firstPoints, sum.endedAt,
            ])
        }
        try noteChange()
    }

    /// Replaces all sums with those of all answers.
    package func replace(by sums: [SessionScore]) throws {
        try database.execute(
            sql: "DELETE FROM session_score WHERE account = ?", arguments: [account])
        try add(sums)
        if sums.isEmpty { try noteChange() }
    }

    /// Has the next refresh look at the account.
    private func noteChange() throws {
        try database.cachedStatement(sql: "INSERT INTO board_change (member) VALUES (?)")
            .execute(arguments: [account])
    }
}
