import AnswerStorage
import GRDB
import ServiceAPI
import UserData

/// The storage of a user's answers, within a transaction that the caller opened.
struct ResponseStorage {
    let database: Database
    let user: String

    /// Returns true when an answer to that question is stored for that moment of the session.
    func has(_ row: AnswerRow) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM answerAccount
                    JOIN answerSession ON answerSession.account = answerAccount.number
                    JOIN answerRow ON answerRow.session = answerSession.number
                    JOIN answerQuestion ON answerQuestion.number = answerRow.question
                    WHERE answerAccount.user = ? AND answerSession.session = ?
                        AND answerRow.milliseconds = ? AND answerQuestion.bank = ?
                        AND answerQuestion.question = ?)
                """)
        return try Bool.fetchOne(
            statement, arguments: [user, row.session, row.milliseconds, row.bank, row.question])
            ?? false
    }

    // MARK: Adding

    /// Adds answers with their numbers, and counts them in schedules and statistics.
    func add(_ answers: EncodedAnswers, _ client: ClientID, first: UInt64) throws {
        let account = try addedAccount()
        let device = try addedDevice(client, of: account)
        try AnswerWriter(database, account: account)
            .append(answers, to: device, first: Int64(first))
        try CountingProgress(database: database, user: user)
            .added(answers, of: client, first: first)
    }

    /// Returns the number of the user, creating it if needed.
    func addedAccount() throws -> Int64 {
        if let number = try account() { return number }
        try database.cachedStatement(sql: "INSERT INTO answerAccount (user) VALUES (?)")
            .execute(arguments: [user])
        return database.lastInsertedRowID
    }

    /// Returns the number of a device of the user, creating it if needed.
    func addedDevice(_ client: ClientID, of account: Int64) throws -> Int64 {
        if let number = try device(client) { return number }
        try database.cachedStatement(
            sql: "INSERT INTO answerDevice (account, client) VALUES (?, ?)"
        ).execute(arguments: [account, client.text])
        return database.lastInsertedRowID
    }

    /// Returns the number of the user; `nil` for one without answers.
    func account() throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM answerAccount WHERE user = ?"),
            arguments: [user])
    }

    /// Returns the number of a device of the user; `nil` for one without answers.
    func device(_ client: ClientID) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT answerDevice.number FROM answerDevice
                    JOIN answerAccount ON answerAccount.number = answerDevice.account
                    WHERE user = ? AND client = ?
                    """),
            arguments: [user, client.text])
    }

    // MARK: Digests

    /// Computes the digests that a state lacks from the answers; memory does not grow with their number.
    func addDigests(to machine: inout DeviceMachine) throws {
        for (client, last) in machine.state.answers.lasts
        where machine.state.answerDigests[client] == nil {
            for first in stride(from: UInt64(1), through: last, by: 10_000) {
                let count = Int(min(last, first + 9_999) - first + 1)
                let span = AnswerSpan(client: client, first: first, count: count)
                machine.stored(try columns(span).digest, of: client)
            }
        }
    }

    // MARK: Reading

    /// Returns the answers of a run.
    ///
    /// - Throws: `StoreError` `storage` when one is missing.
    func columns(_ span: AnswerSpan) throws -> AnswerColumns {
        let answers = try device(span.client).map { device in
            try AnswerReader(database).answers(
                of: device, from: Int64(span.first), through: Int64(span.last)
            ).answers
        }
        guard let answers, answers.rows.count == span.count else {
            throw StoreError(
                .storage,
                "Answers are missing in the store. Restore it from a backup, or go on with what the server has."
            )
        }
        return AnswerColumns(span: span, encoded: answers)
    }

    /// Returns all answers to a bank that hold, at the times at which they count, in the order of a replay.
    func rows(of bank: String) throws -> [AnswerRow] {
        let retracted = try RetractionStorage(database: database, user: user).holding(in: bank)
        let rows = try DeviceClock(database: database, user: user).rows()
        let statement = try BoundStatement(
            database,
            """
            SELECT \(AnswerReader.columns) FROM \(rows)
                JOIN answerDevice ON answerDevice.number = answerRow.device
                JOIN answerAccount ON answerAccount.number = answerDevice.account
                JOIN answerQuestion ON answerQuestion.number = answerRow.question
            WHERE user = :user AND bank = :bank
                AND ltrim(client) || ' ' || counter NOT IN (SELECT value FROM json_each(:retracted))
                AND NOT EXISTS (SELECT 1 FROM retraction
                    WHERE retraction.device = answerRow.device
                        AND retraction.counter = answerRow.counter)
            ORDER BY answerRow.milliseconds, client, counter
            """)
        try statement.bind(user, at: 1)
        try statement.bind(bank, at: 2)
        let names = retracted.keys.map { "\($0.client.text) \($0.number)" }
        try statement.bind(StoredTexts.text(names), at: 3)
        return try AnswerReader(database).answers(statement).answers.answers.compactMap { $0 }
    }
}
