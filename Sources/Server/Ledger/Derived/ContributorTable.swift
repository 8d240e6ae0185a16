package import GRDB
package import ServiceAPI
import UserData

/// What one account contributes to the review of keys: first answers, if it agreed, and reports.
package struct ContributorTable {
    private let database: Database
    /// The account's number.
    private let account: Int64

    package init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// The contributor's number; `nil` for an account that did not agree.
    var number: Int64? {
        get throws {
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT number FROM contributor WHERE account = ?"),
                arguments: [account])
        }
    }

    /// Adds first answers; of several to one version of a question the one that came first stays.
    func add(_ answers: [FirstAnswer]) throws {
        guard !answers.isEmpty, let number = try number else { return }
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO first_answer (contributor, item, response, flags) VALUES (?, ?, ?, ?)
                ON CONFLICT (contributor, item) DO NOTHING
                """)
        for answer in answers {
            try insert.execute(arguments: [number, answer.item, answer.response, answer.flags])
        }
    }

    /// Applies the account's consents and reports as its records have them now.
    package func apply(now: Int64) throws {
        let records = try readRecords()
        let isGiven = records.consent.map { Consent.isGiven($0.values) } ?? false
        let isContributor = try number != nil
        if isGiven, !isContributor { try join(now: now) }
        if !isGiven, isContributor { try leave() }
        try replaceReports(records.reports, now: now)
    }

    private func join(now: Int64) throws {
        try database.execute(
            sql: "INSERT INTO contributor (account, since) VALUES (?, ?)",
            arguments: [account, now])
        // One transaction, for which all other writers wait.
        var left = ServiceLimits.firstAnswersPerConsent
        try SQLiteAnswers(database, account).forEachRun { answers in
            guard left > 0 else { return }
            let first = FirstAnswer.all(in: answers).prefix(left)
            try add(Array(first))
            left -= first.count
        }
    }

    private func leave() throws {
        try database.execute(
            sql: "DELETE FROM contributor WHERE account = ?", arguments: [account])
    }

    // MARK: Records

    private func readRecords() throws -> (consent: UserRecord?, reports: [QuestionReport]) {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT collection, id, json FROM record WHERE account = ? AND deleted_at IS NULL
                        AND collection IN ('consents', 'questionReports')
                    ORDER BY position DESC
                    """), arguments: [account])
        return ReviewRecords.read(
            rows.map { (collection: $0["collection"], id: $0["id"], json: $0["json"]) })
    }

    /// Replaces the reports; one that was there keeps the time at which it came.
    private func replaceReports(_ reports: [QuestionReport], now: Int64) throws {
        let known = try Row.fetchAll(
            database,
            sql: "SELECT bank, question, at FROM question_report WHERE account = ?",
            arguments: [account])
        guard !known.isEmpty || !reports.isEmpty else { return }
        let times = Dictionary(
            known.map { (ReviewRecords.Place(bank: $0[0], question: $0[1]), $0[2] as Int64) },
            uniquingKeysWith: { first, _ in first })
        try database.execute(
            sql: "DELETE FROM question_report WHERE account = ?", arguments: [account])
        for report in reports {
            let place = ReviewRecords.Place(bank: report.bank, question: report.question)
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO question_report
                        (account, bank, question, version, reason, text, at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    account, report.bank, report.question, report.version,
                    report.reason.rawValue, report.text, times[place] ?? now,
                ])
        }
    }
}

extension SQLiteAnswers {
    /// The number of answers that are in memory at once.
    private static let runMax = 10_000

    /// Reads all answers of the account, a part at a time, device by device.
    package func forEachRun(_ body: (EncodedAnswers) throws -> Void) throws {
        for (client, last) in try lastAnswers() {
            for first in stride(from: 1, through: Int(last), by: Self.runMax) {
                let span = AnswerSpan(
                    client: client, first: UInt64(first),
                    count: min(Self.runMax, Int(last) - first + 1))
                for run in try page([span], bytesMax: .max).runs { try body(run.encoded) }
            }
        }
    }
}
