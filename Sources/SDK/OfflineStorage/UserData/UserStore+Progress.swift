import GRDB
import QuestionEngine

extension UserStore {
    /// The counts of one day, or of one domain of a bank.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// for day in try store.progressByDay(limit: 7) {
    ///     print(day.name, day.correct, "of", day.answers)
    /// }
    /// ```
    public struct Progress: Sendable, Hashable {
        /// The day as `2026-11-21`, or the domain.
        public var name: String
        /// The ``QuestionFilter/Bank/name`` of the bank; `nil` for a day.
        public var bank: String?
        /// The number of answers.
        public var answers: Int
        /// The number of right answers.
        public var correct: Int
        /// The number of distinct questions; equal ids in two banks are two questions.
        public var questions: Int

        /// Creates the counts of a day, or of a domain of a bank.
        public init(
            name: String, bank: String? = nil, answers: Int, correct: Int, questions: Int
        ) {
            self.name = name
            self.bank = bank
            self.answers = answers
            self.correct = correct
            self.questions = questions
        }
    }

    /// Returns the counts of the last days with answers, the newest first.
    ///
    /// A day is a learner's day: it begins at the rollover hour, in the time zone of the device when the answer was
    /// given. The counts are updated as answers arrive.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func progressByDay(limit: Int = 366) throws -> [Progress] {
        try countAnswers()
        let days = try progress(
            """
            SELECT CAST(day AS TEXT), NULL, answers, correct, questions FROM studyDay WHERE user = ?
            ORDER BY studyDay.day DESC LIMIT ?
            """, [user, limit])
        return days.map { day in
            var day = day
            day.name = Int(day.name).map { LearningDay($0).date } ?? day.name
            return day
        }
    }

    /// Returns the counts of each domain; answers to questions without a domain have an empty name.
    ///
    /// Cost: O(questions), independent of the number of answers.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
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
