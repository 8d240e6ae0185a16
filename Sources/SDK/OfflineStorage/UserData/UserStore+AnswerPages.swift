import AnswerStorage
import GRDB
package import QuestionEngine
import ServiceAPI
import UserData

/// A place among a user's answers, from which ``UserStore/answers(after:limit:)`` continues.
package struct AnswerCursor: Sendable {
    /// The user; `nil` before the first page.
    var user: String?
    /// The number of each device's last answer that was read, by the number of the device.
    var counters: [Int64: Int64] = [:]

    /// Creates the place before the first answer.
    package init() {}
}

/// Some of a user's answers, in the order in which they were given.
package struct AnswerPage: Sendable {
    /// An answer with the bank of its question.
    package struct Answer: Sendable {
        /// The bank.
        package var bank: QuestionFilter.Bank
        /// The answer, with its corrected grade.
        package var record: AnswerRecord
    }

    /// The answers.
    package var answers: [Answer]
    /// The place after them; `nil` after the last answer.
    package var next: AnswerCursor?
}

extension UserStore {
    /// The number of answers of a page.
    package static let answerPageMax = 500

    /// Returns the answers of the current user to all banks that follow a place, without those that are taken back.
    ///
    /// The answers of each device come in the order of their numbers. Between devices the recorded times decide, which
    /// a wrong clock may have set. Grades follow the applied corrections. An answer that arrives between two pages is
    /// read if its number follows those that were read.
    ///
    /// Cost: O(`limit` × devices), with at most `limit` answers in memory.
    /// - Parameters:
    ///   - cursor: The place: the start, or that of the last page.
    ///   - limit: The maximum number of answers, at least 1.
    /// - Returns: The answers, and the next place.
    /// - Throws: ``StoreError`` `refused` if another user is shown since the last page; `storage` or `damaged`.
    package func answers(
        after cursor: AnswerCursor = AnswerCursor(), limit: Int = answerPageMax
    ) throws -> AnswerPage {
        try database.read { database in
            let user = try Self.currentUser(in: database)
            guard cursor.user == nil || cursor.user == user else {
                throw StoreError(
                    .refused, "Another user is shown now. Begin again to read that user's answers.")
            }
            let storage = ResponseStorage(database: database, user: user)
            var next = AnswerCursor()
            (next.user, next.counters) = (user, cursor.counters)
            let (rows, isLast) = try storage.rows(after: &next, limit: limit)
            return AnswerPage(answers: try storage.regraded(rows), next: isLast ? nil : next)
        }
    }
}

extension ResponseStorage {
    /// The name of an answer with the time at which it was given.
    private struct Given {
        var device: Int64
        var counter: Int64
        var milliseconds: Int64
    }

    /// Returns the rows after a place, and moves it behind them.
    fileprivate func rows(
        after cursor: inout AnswerCursor, limit: Int
    ) throws -> (rows: [AnswerRow], isLast: Bool) {
        let reader = try AnswerReader(database)
        let chosen = try merged(cursor, limit: limit)
        var rows: [Int64: ArraySlice<AnswerRow?>] = [:]
        for (device, own) in Dictionary(grouping: chosen, by: \.device) {
            guard let first = own.first, let last = own.last else { continue }
            let retracted = try retracted(of: device, from: first.counter, through: last.counter)
            let read = try reader.answers(
                of: device, from: first.counter, through: last.counter
            ).answers.answers.compactMap(\.self)
            rows[device] =
                zip(own, read).map { given, row in
                    row.retracts == nil && !retracted.contains(given.counter) ? row : nil
                }[...]
            cursor.counters[device] = last.counter
        }
        return (chosen.compactMap { rows[$0.device]?.popFirst() ?? nil }, chosen.count < limit)
    }

    /// Returns the numbers of a device's answers in a range that are taken back.
    private func retracted(
        of device: Int64, from first: Int64, through last: Int64
    ) throws -> Set<Int64> {
        let name = try String.fetchOne(
            database.cachedStatement(sql: "SELECT client FROM answerDevice WHERE number = ?"),
            arguments: [device])
        let storage = RetractionStorage(database: database, user: user)
        let targets = try storage.targets(of: ClientID(name ?? ""), from: first, through: last)
        return Set(try storage.retracted(among: targets).map { Int64($0.id.number) })
    }

    /// Merges the next answers of all devices by their times.
    private func merged(_ cursor: AnswerCursor, limit: Int) throws -> [Given] {
        guard let account = try account() else { return [] }
        let devices = try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT number FROM answerDevice WHERE account = ? ORDER BY number"),
            arguments: [account])
        var queues = try devices.map { device in
            try next(of: device, after: cursor.counters[device] ?? 0, limit: limit)[...]
        }
        var result: [Given] = []
        while result.count < limit {
            let heads = queues.indices.filter { !queues[$0].isEmpty }
            let earliest = heads.min {
                (queues[$0].first?.milliseconds ?? 0) < (queues[$1].first?.milliseconds ?? 0)
            }
            guard let earliest, let given = queues[earliest].popFirst() else { break }
            result.append(given)
        }
        return result
    }

    private func next(of device: Int64, after counter: Int64, limit: Int) throws -> [Given] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT counter, milliseconds FROM answerRow
                    WHERE device = ? AND counter > ? AND question IS NOT NULL
                    ORDER BY counter LIMIT ?
                    """),
            arguments: [device, counter, limit]
        ).map { Given(device: device, counter: $0[0], milliseconds: $0[1]) }
    }

    /// Returns rows as answers graded by the corrections that the store knows.
    fileprivate func regraded(_ rows: [AnswerRow]) throws -> [AnswerPage.Answer] {
        var corrections: [String: CorrectedRecords] = [:]
        return try rows.compactMap { row in
            guard let bank = QuestionFilter.Bank(name: row.bank) else { return nil }
            let known =
                try corrections[row.bank]
                ?? CorrectedRecords(
                    database, user: user, bank: row.bank)
            corrections[row.bank] = known
            let record = try known.regraded([row.record]).first ?? row.record
            return AnswerPage.Answer(bank: bank, record: record)
        }
    }
}
