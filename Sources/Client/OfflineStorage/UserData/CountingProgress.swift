import GRDB
import UserData

/// The progress of counting a user's answers; the rest is counted in bounded steps, within a transaction
/// that the caller opened.
///
/// Answers are counted as they are added. The rest are those of a store that an older version wrote, and
/// those that were moved from device to device or removed, after which all are counted anew.
struct CountingProgress {
    /// The largest number of answers that one transaction counts.
    static let answersPerStep = 20_000

    let database: Database
    let user: String

    // MARK: Adding

    /// Counts answers that were just added, unless earlier ones of the device are pending.
    func added(_ answers: [CountedAnswer], of client: ClientID, first: UInt64, last: UInt64) throws
    {
        guard last >= first, try !mustStartAnew() else { return }
        let (number, counted) = try self.counted(client)
        guard counted + 1 == Int64(first) else { return }
        try count(answers, of: (number, client), last: Int64(last))
    }

    private func counted(_ client: ClientID) throws -> (number: Int64, counted: Int64) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT number, counted FROM countedClient WHERE user = ? AND client = ?"),
            arguments: [user, client.text])
        if let row { return (row[0], row[1]) }
        try database.cachedStatement(
            sql: "INSERT INTO countedClient (user, client) VALUES (?, ?)"
        ).execute(arguments: [user, client.text])
        return (database.lastInsertedRowID, 0)
    }

    private func count(
        _ answers: [CountedAnswer], of client: (number: Int64, id: ClientID), last: Int64
    ) throws {
        var counting = try AnswerCounting(database, user: user, client: client)
        try counting.add(answers)
        try database.cachedStatement(
            sql: "UPDATE countedClient SET counted = ? WHERE number = ?"
        ).execute(arguments: [last, client.number])
    }

    private func mustStartAnew() throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM uncounted WHERE user = ?)"),
            arguments: [user]) ?? false
    }

    // MARK: Catching up

    /// Returns true when every answer is counted.
    ///
    /// Cost: a few searches a device.
    func isComplete() throws -> Bool { try !mustStartAnew() && behind() == nil }

    /// Counts up to `answersPerStep` pending answers.
    ///
    /// - Returns: False when none is pending.
    func step() throws -> Bool {
        if try mustStartAnew() { try startAnew() }
        guard let client = try behind() else { return false }
        let (number, counted) = try counted(client)
        let answers = try answers(of: client, after: counted)
        guard let last = answers.last?.counter else { return false }
        try count(answers.compactMap(\.answer), of: (number, client), last: last)
        return true
    }

    private func startAnew() throws {
        for table in ["card", "countedClient", "studyDay", "studyZone", "uncounted"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE user = ?", arguments: [user])
        }
    }

    /// Finds a device with answers that are not counted; one search a device.
    private func behind() throws -> ClientID? {
        let statement = try database.cachedStatement(
            sql: """
                WITH RECURSIVE device (client) AS (
                    SELECT * FROM (
                        SELECT client FROM answer WHERE user = :user ORDER BY client LIMIT 1)
                    UNION ALL
                    SELECT (
                        SELECT answer.client FROM answer
                        WHERE answer.user = :user AND answer.client > device.client
                        ORDER BY answer.client LIMIT 1)
                    FROM device WHERE device.client IS NOT NULL
                )
                SELECT client FROM device WHERE client IS NOT NULL
                    AND (SELECT max(counter) FROM answer
                        WHERE answer.user = :user AND answer.client = device.client)
                    > coalesce((SELECT counted FROM countedClient AS known
                        WHERE known.user = :user AND known.client = device.client), 0)
                LIMIT 1
                """)
        return try String.fetchOne(statement, arguments: ["user": user]).map { ClientID($0) }
    }

    private func answers(
        of client: ClientID, after counter: Int64
    ) throws -> [(counter: Int64, answer: CountedAnswer?)] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT counter, bank, question, domain, isCorrect, rating, milliseconds
                    FROM answer WHERE user = ? AND client = ? AND counter > ?
                    ORDER BY counter LIMIT ?
                    """),
            arguments: [user, client.text, counter, Self.answersPerStep])
        var answers: [(Int64, CountedAnswer?)] = []
        while let row = try rows.next() {
            let counter: Int64 = row[0]
            let bank: String? = row[1]
            answers.append(
                (
                    counter,
                    bank.map {
                        CountedAnswer(
                            counter: counter, bank: $0, question: row[2], domain: row[3],
                            isCorrect: row[4], rating: row[5], milliseconds: row[6])
                    }
                ))
        }
        return answers
    }
}

extension CountedAnswer {
    init(_ row: AnswerRow, counter: Int64) {
        self.init(
            counter: counter, bank: row.bank, question: row.question, domain: row.domain,
            isCorrect: row.isCorrect, rating: row.rating, milliseconds: row.milliseconds)
    }
}
