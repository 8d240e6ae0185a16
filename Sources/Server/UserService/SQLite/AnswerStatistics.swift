import GRDB
import UserData

/// Keeps a user's statistics by day and by domain, within a transaction that the caller opened.
///
/// Answers are counted in the transaction that adds them, so what is read does not grow with their
/// number. Those of an older server's database are counted in steps when they are first asked for.
/// Cost: three or four statements a question of a batch, and one a question and day.
struct AnswerStatistics {
    /// The most answers that one transaction counts.
    static let answersPerStep = 20_000

    let database: Database
    /// The account's number.
    let account: Int64

    init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// Finds the statistics of a user.
    ///
    /// - Throws: `LedgerError` `noAccount`, or an error of the database.
    init(of user: String, in database: Database) throws {
        self.init(database, try AccountRow(user, in: database).number)
    }

    // MARK: Adding

    /// Counts answers that were just added, unless earlier ones of the device wait to be counted.
    ///
    /// - Parameters:
    ///   - rows: The answers; `nil` for what the server did not take.
    ///   - device: The device's number.
    ///   - known: The number of the device's last answer before these.
    /// - Throws: An error of the database.
    func added(_ rows: some Collection<AnswerRow?>, of device: Int64, after known: Int64) throws {
        let counted = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT counted FROM device WHERE number = ?"),
            arguments: [device])
        guard counted == known else { return }
        try count(rows.compactMap(\.self))
        try set(counted: known + Int64(rows.count), of: device)
    }

    private func set(counted: Int64, of device: Int64) throws {
        try database.cachedStatement(sql: "UPDATE device SET counted = ? WHERE number = ?")
            .execute(arguments: [counted, device])
    }

    private func count(_ answers: [AnswerRow]) throws {
        var tally = AnswerTally()
        for answer in answers { tally.add(answer) }
        for (key, days) in tally.questions {
            let number = try number(of: key.question, in: key.bank)
            for day in days.days where try isNew(.day, number, day) {
                tally.days[day]?.questions += 1
            }
            for domain in days.domains where try isNew(.domain, number, domain) {
                tally.domains[.init(bank: key.bank, domain: domain)]?.questions += 1
            }
        }
        try save(tally)
    }

    private func number(of question: String, in bank: String) throws -> Int64 {
        let number = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT number FROM answeredQuestion
                    WHERE account = ? AND bank = ? AND question = ?
                    """),
            arguments: [account, bank, question])
        if let number { return number }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    INSERT INTO answeredQuestion (account, bank, question, number)
                    SELECT ?, ?, ?, coalesce(max(number), 0) + 1 FROM answeredQuestion
                    RETURNING number
                    """),
            arguments: [account, bank, question]) ?? 0
    }

    /// Where a question was seen.
    private struct SeenTable {
        let name: String
        let column: String

        static let day = SeenTable(name: "questionDay", column: "day")
        static let domain = SeenTable(name: "questionDomain", column: "domain")
    }

    private func isNew(
        _ table: SeenTable, _ question: Int64, _ value: any DatabaseValueConvertible
    ) throws -> Bool {
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO \(table.name) (question, \(table.column)) VALUES (?, ?)"
        ).execute(arguments: [question, value])
        return database.changesCount > 0
    }

    private func save(_ tally: AnswerTally) throws {
        let days = try database.cachedStatement(
            sql: """
                INSERT INTO dayStatistics
                    (account, day, answers, correct, questions, takenMilliseconds)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, day) DO UPDATE SET answers = answers + excluded.answers,
                    correct = correct + excluded.correct, questions = questions + excluded.questions,
                    takenMilliseconds = takenMilliseconds + excluded.takenMilliseconds
                """)
        for (day, sum) in tally.days {
            try days.execute(arguments: [
                account, day, sum.answers, sum.correct, sum.questions, sum.taken,
            ])
        }
        let domains = try database.cachedStatement(
            sql: """
                INSERT INTO domainStatistics
                    (account, bank, domain, answers, correct, questions, lastMilliseconds)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, bank, domain) DO UPDATE SET
                    answers = answers + excluded.answers, correct = correct + excluded.correct,
                    questions = questions + excluded.questions,
                    lastMilliseconds = max(lastMilliseconds, excluded.lastMilliseconds)
                """)
        for (key, sum) in tally.domains {
            try domains.execute(arguments: [
                account, key.bank, key.domain, sum.answers, sum.correct, sum.questions,
                sum.last,
            ])
        }
    }

    // MARK: Catching up

    /// True when every answer of the user is counted.
    func isComplete() throws -> Bool { try behind() == nil }

    private func behind() throws -> (device: Int64, counted: Int64)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT number, counted FROM device
                    WHERE account = ? AND counted < lastAnswer LIMIT 1
                    """),
            arguments: [account])
        return row.map { ($0["number"], $0["counted"]) }
    }

    /// Counts up to `answersPerStep` answers that wait.
    ///
    /// - Returns: False when none waits.
    func step() throws -> Bool {
        guard let (device, counted) = try behind() else { return false }
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(StoredAnswer.columns) FROM answer
                WHERE device = ? AND counter > ? ORDER BY counter LIMIT ?
                """)
        let reader = try StoredAnswer(statement)
        let rows = try Row.fetchCursor(
            statement, arguments: [device, counted, Self.answersPerStep])
        var answers: [AnswerRow] = []
        var last = counted
        while let row = try rows.next() {
            last = reader.number(row)
            if let answer = reader.answer(row) { answers.append(answer) }
        }
        guard last > counted else { throw LedgerError.damaged("answers") }
        try count(answers)
        try set(counted: last, of: device)
        return true
    }

    /// Gives up all counts of the user; `step` makes them anew from the answers.
    func reset() throws {
        for table in ["answeredQuestion", "dayStatistics", "domainStatistics"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE account = ?", arguments: [account])
        }
        try database.execute(
            sql: "UPDATE device SET counted = 0 WHERE account = ?", arguments: [account])
    }
}
