import GRDB
package import Ledger
package import Tables
import UserData

/// The storage of the review of keys: first answers, reports and proposals.
package struct ReviewStorage: Sendable {
    let database: any TableDatabase

    package init(_ database: any TableDatabase) { self.database = database }

    // MARK: What users sent

    /// Applies users' changes of their consents and reports since the last call, up to a limit.
    ///
    /// A user who agreed becomes a contributor, and earlier first answers are added. After a withdrawal the user is no
    /// longer a contributor, and the answers are removed. A call that is killed leaves its changes to the next one.
    /// - Parameters:
    ///   - limit: The maximum number of changes.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: True when more changes are pending.
    /// - Throws: `StorageError`.
    package func applyChanges(atMost limit: Int, now: Int64) async throws -> Bool {
        let changes = try await read(Self.changes(["limit": limit])) {
            (
                number: try $0.value("number", as: Int64.self),
                user: try $0.value("id", as: String?.self)
            )
        }
        for user in Set(changes.compactMap(\.user)).sorted() {
            do { try await apply(user, now: now) } catch StorageError.noAccount {
                // Deleted meanwhile, with all that it contributed.
            }
        }
        if !changes.isEmpty {
            let applied = Self.applied(["numbers": changes.map(\.number)])
            _ = try await database.write(as: .keeper) { try $0.commit(after: [applied]).count }
        }
        return changes.count == limit
    }

    /// Applies the consents and reports of an account as its records have them now.
    private func apply(_ user: String, now: Int64) async throws {
        try await database.write(as: .user(user)) { transaction in
            let rows = try transaction.run([Self.records(), Self.membership(), Self.ownReports()])
            let records = ReviewRecords.read(
                try rows[0].map {
                    (try $0.value("collection"), try $0.value("id"), try $0.value("json"))
                })
            let known = try rows[2].map(QuestionReport.init)
            let changes = ReportChanges(from: known, to: records.reports)
            let batch =
                changes.gone.map(Self.removing) + changes.written.map { Self.adding($0, now) }
            switch (records.contributes, !rows[1].isEmpty) {
            case (true, false):
                try transaction.run(batch + [Self.joining(["now": now])])
                try transaction.addEarlierAnswers()
            case (false, true): try transaction.commit(after: batch + [Self.leaving()])
            default: try transaction.commit(after: batch)
            }
        }
    }

    /// Reads first answers in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: The number of the last known answer; 0 for none.
    ///   - limit: The maximum number of answers.
    /// - Returns: The answers; fewer than `limit` are the last.
    /// - Throws: `StorageError`.
    package func firstAnswers(after number: Int64, limit: Int) async throws -> [StoredFirstAnswer] {
        let known = try await page(after: number, limit: limit)
        guard known.waits, known.answers.count < limit else { return known.answers }
        try await numberNewAnswers(atMost: limit)
        return try await page(after: number, limit: limit).answers
    }

    /// Reads answers, and tells whether others have no number yet.
    private func page(
        after number: Int64, limit: Int
    ) async throws -> (answers: [StoredFirstAnswer], waits: Bool) {
        try await database.read(as: .keeper) { transaction in
            // A server that starts reads millions: SQLite's are decoded as they come, by their places.
            let answers = Self.answers(["number": number, "limit": limit])
            if case .sqlite(let database) = transaction.connection,
                let (sql, arguments) = answers.inSQLite()
            {
                return (try Self.answers(sql, arguments, in: database), false)
            }
            let rows = try transaction.commit(after: [answers, Self.waiting()])
            return (try rows[0].map(StoredFirstAnswer.init), !rows[1].isEmpty)
        }
    }

    private static func answers(
        _ sql: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [StoredFirstAnswer] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: sql), arguments: arguments)
        var answers: [StoredFirstAnswer] = []
        while let row = try rows.next() {
            answers.append(
                StoredFirstAnswer(
                    number: row[0], contributor: row[1],
                    answer: FirstAnswer(item: row[2], response: row[3], flags: row[4])))
        }
        return answers
    }

    /// Moves new answers into the numbered table, unless another process does so now; SQLite needs no numbering.
    ///
    /// It waits for a contributor who is leaving, and discards their answers.
    private func numberNewAnswers(atMost limit: Int) async throws {
        try await database.write(as: .keeper) { transaction in
            let isFree = try transaction.run([Self.numberingAlone()])[0].first?.value(
                "taken", as: Bool.self)
            guard isFree == true else { return }
            try transaction.commit(after: [
                Self.numbering(["limit": limit]), Self.retracting(["limit": limit]),
            ])
        }
    }

    /// Counts the contributors.
    ///
    /// - Parameter highest: The highest number to count; `nil` for all.
    /// - Returns: Their number, and the highest number among them.
    /// - Throws: `StorageError`.
    package func contributorCount(through highest: Int64?) async throws -> ContributorCount {
        try await read(Self.contributorCount(["highest": highest ?? .max])) {
            ContributorCount(count: try $0.value("count"), highest: try $0.value("highest"))
        }[0]
    }

    /// Reads the numbers of all contributors.
    ///
    /// - Throws: `StorageError`.
    package func contributors() async throws -> Set<Int64> {
        Set(try await read(Self.contributors()) { try $0.value("number") })
    }

    // MARK: Reports

    /// Counts the learners who reported each version of a question.
    ///
    /// - Throws: `StorageError`.
    package func reportCounts() async throws -> [ReportCount] {
        try await read(Self.reportCounts()) { row in
            ReportCount(
                bank: try row.value("bank"), question: try row.value("question"),
                version: try row.value("version"), learners: try row.value("learners"))
        }
    }

    /// Reads reports, the newest first.
    ///
    /// - Parameters:
    ///   - bank: The bank; `nil` for all.
    ///   - question: The question; `nil` for all.
    ///   - limit: The maximum number of reports.
    /// - Returns: The reports.
    /// - Throws: `StorageError`.
    package func reports(
        bank: String?, question: String?, limit: Int
    ) async throws -> [ReceivedReport] {
        try await read(Self.reports(["bank": bank, "question": question, "limit": limit])) { row in
            ReceivedReport(
                bank: try row.value("bank"), question: try row.value("question"),
                version: try row.value("version"), reason: try row.value("reason"),
                text: try row.value("text"), at: try row.value("at"))
        }
    }

    // MARK: Transactions

    func read<Value: Sendable>(
        _ statement: Bound, _ decode: @escaping @Sendable (TableRow) throws -> Value
    ) async throws -> [Value] {
        try await database.read(as: .keeper) {
            try $0.commit(after: [statement])[0].map(decode)
        }
    }
}
