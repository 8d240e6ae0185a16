import GRDB

extension UserStore {
    /// What was done on one day, or in one domain of a bank.
    public struct Progress: Sendable, Hashable {
        /// The day as `2026-11-21`, or the domain.
        public var name: String
        /// The bank; `nil` for a day.
        public var bank: String?
        /// Answers given.
        public var answers: Int
        /// Answers that were right.
        public var correct: Int
        /// Different questions; those of two banks are different, whatever they are called.
        public var questions: Int
    }

    /// Returns what was done on each of the last days, the newest first.
    ///
    /// A day is one of the calendar where the device is now. The counts are kept as answers arrive;
    /// after a journey to another time zone they are counted once more.
    /// - Throws: An error of the database.
    public func progressByDay(limit: Int = 366) throws -> [Progress] {
        try countAnswers()
        let user = user
        if try database.read({ try !StudyDays($0, user: user).areCurrent() }) {
            try database.write { database in
                var days = StudyDays(database, user: user)
                try days.rebuild()
            }
        }
        return try progress(
            """
            SELECT day, NULL, answers, correct, questions FROM studyDay WHERE user = ?
            ORDER BY day DESC LIMIT ?
            """, [user, limit])
    }

    /// Returns what was done in each domain; answers to questions without one are under an empty name.
    ///
    /// Cost: O(questions), however many answers there are.
    /// - Throws: An error of the database.
    public func progressByDomain() throws -> [Progress] {
        try countAnswers()
        return try progress(
            """
            SELECT domain, bank, sum(cardDomain.answers), sum(correct), count(*)
            FROM card JOIN cardDomain ON cardDomain.card = card.number
            WHERE user = ? GROUP BY bank, domain ORDER BY bank, domain
            """, [user])
    }

    func progress(
        _ sql: String, _ arguments: StatementArguments
    ) throws -> [Progress] {
        try database.read { database in
            try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
                Progress(
                    name: row[0], bank: row[1], answers: row[2], correct: row[3], questions: row[4])
            }
        }
    }
}
