import AnswerStorage
package import GRDB
import ServiceAPI
import Tables

/// The writer of a user's statistics by day and by domain, within a transaction of the caller.
///
/// Answers are counted in the transaction that adds them, so reading does not grow with their number. Answers of an
/// older server's database are counted in steps on the first request. Cost: three or four statements for each question
/// of a batch, and one for each question and day.
package struct AnswerStatistics {
    /// The most answers that one transaction counts.
    static let answersPerStep = 20_000

    let database: Database
    /// The account's number.
    let account: Int64

    package init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// Finds the statistics of a user.
    ///
    /// - Throws: `StorageError` `noAccount`, or an error of the database.
    init(of user: String, in database: Database) throws {
        self.init(database, try AccountRow(user, in: database).number)
    }

    // MARK: Adding

    /// Counts answers that were just added, unless earlier ones of the device wait to be counted.
    ///
    /// - Parameters:
    ///   - answers: The answers; `nil` for what the server did not take.
    ///   - device: The device's number.
    ///   - known: The number of the device's last answer before these.
    /// - Throws: An error of the database.
    func added(_ answers: EncodedAnswers, of device: Int64, after known: Int64) throws {
        let counted = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT counted FROM device WHERE number = ?"),
            arguments: [device])
        guard counted == known else { return }
        try count(answers)
        try set(counted: known + Int64(answers.rows.count), of: device)
    }

    private func set(counted: Int64, of device: Int64) throws {
        try database.cachedStatement(sql: "UPDATE device SET counted = ? WHERE number = ?")
            .execute(arguments: [counted, device])
    }

    private func count(_ answers: EncodedAnswers) throws {
        var tally = AnswerTally(answers)
        var numbers = try QuestionNumbers(database, account)
        let (byDay, byDomain) = (
            try SeenTable(database, "question_day", "day"),
            try SeenTable(database, "question_domain", "domain")
        )
        for (key, places) in tally.questions {
            let number = try numbers.number(of: key)
            for day in places.days where try byDay.adds(number, { try $0.bind(day, at: 2) }) {
                tally.days[day]?.questions += 1
            }
            for domain in places.domains
            where try byDomain.adds(number, { try $0.bind(domain, at: 2) }) {
                tally.domains[.init(bank: key.bank, domain: domain)]?.questions += 1
            }
        }
        try save(tally)
    }

    /// The numbers of answered questions.
    private struct QuestionNumbers {
        /// The greatest number so far: asking for it with each insertion costs as much as the insertion.
        private var last: Int64
        private let selection: BoundStatement
        private let insertion: BoundStatement

        init(_ database: Database, _ account: Int64) throws {
            let greatest = try BoundStatement(
                database, "SELECT coalesce(max(number), 0) FROM answered_question")
            last = try greatest.integer() ?? 0
            selection = try BoundStatement(
                database,
                """
                SELECT number FROM answered_question
                WHERE account = ? AND bank = ? AND question = ?
                """)
            insertion = try BoundStatement(
                database,
                """
                INSERT INTO answered_question (account, bank, question, number)
                VALUES (?, ?, ?, ?)
                """)
            for statement in [selection, insertion] { try statement.bind(account, at: 1) }
        }

        /// Returns the number of a question, which gets one if it has none.
        mutating func number(of key: AnswerTally.QuestionKey) throws -> Int64 {
            try selection.bind(key.bank, at: 2)
            try selection.bind(key.question, at: 3)
            if let number = try selection.integer() { return number }
            try insertion.bind(key.bank, at: 2)
            try insertion.bind(key.question, at: 3)
            try insertion.bind(last + 1, at: 4)
            try insertion.run()
            last += 1
            return last
        }
    }

    /// A table of the days or domains in which questions were seen.
    private struct SeenTable {
        private let insertion: BoundStatement

        init(_ database: Database, _ name: String, _ column: String) throws {
            insertion = try BoundStatement(
                database, "INSERT OR IGNORE INTO \(name) (question, \(column)) VALUES (?, ?)")
        }

        /// Adds a question with a value, and returns true when it was not there.
        func adds(_ question: Int64, _ bind: (BoundStatement) throws -> Void) throws -> Bool {
            try insertion.bind(question, at: 1)
            try bind(insertion)
            try insertion.run()
            return insertion.changesCount > 0
        }
    }

    private func save(_ tally: AnswerTally) throws {
        let days = try database.cachedStatement(
            sql: """
                INSERT INTO day_statistics
                    (account, day, answers, correct, questions, taken_milliseconds)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, day) DO UPDATE SET answers = answers + excluded.answers,
                    correct = correct + excluded.correct, questions = questions + excluded.questions,
                    taken_milliseconds = taken_milliseconds + excluded.taken_milliseconds
                """)
        for (day, sum) in tally.days {
            try days.execute(arguments: [
                account, day, sum.answers, sum.correct, sum.questions, sum.taken,
            ])
        }
        let domains = try database.cachedStatement(
            sql: """
                INSERT INTO domain_statistics
                    (account, bank, domain, answers, correct, questions, last_milliseconds)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, bank, domain) DO UPDATE SET
                    answers = answers + excluded.answers, correct = correct + excluded.correct,
                    questions = questions + excluded.questions,
                    last_milliseconds = max(last_milliseconds, excluded.last_milliseconds)
                """)
        for (key, sum) in tally.domains {
            try domains.execute(arguments: [
                account, key.bank, key.domain, sum.answers, sum.correct, sum.questions,
                sum.last,
            ])
        }
    }

    // MARK: Catching up

    /// Returns true when every answer of the user is counted.
    package func isComplete() throws -> Bool { try behind() == nil }

    private func behind() throws -> (device: Int64, counted: Int64)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT number, counted FROM device
                    WHERE account = ? AND counted < last_answer LIMIT 1
                    """),
            arguments: [account])
        return row.map { ($0["number"], $0["counted"]) }
    }

    /// Counts up to `answersPerStep` answers that wait.
    ///
    /// - Returns: False when none waits.
    func step() throws -> Bool {
        guard let (device, counted) = try behind() else { return false }
        let last = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT max(counter) FROM (SELECT counter FROM answerRow
                        WHERE device = ? AND counter > ? ORDER BY counter LIMIT ?)
                    """),
            arguments: [device, counted, Self.answersPerStep])
        guard let last else { throw StorageError.damaged("answers") }
        let answers = try AnswerReader(database)
            .answers(of: device, from: counted + 1, through: last).answers
        try count(withoutRetracted(answers, of: device, after: counted))
        try set(counted: last, of: device)
        return true
    }

    /// Gives up all counts of the user; `step` makes them anew from the answers.
    func reset() throws {
        for table in ["answered_question", "day_statistics", "domain_statistics"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE account = ?", arguments: [account])
        }
        try database.execute(
            sql: "UPDATE device SET counted = 0 WHERE account = ?", arguments: [account])
    }
}
