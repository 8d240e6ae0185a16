import ContentModel
public import Foundation
import GRDB
public import QuestionEngine
import UserData

extension UserStore {
    /// Saves a session and its new answers, in one transaction.
    ///
    /// Answers that were saved before are not saved twice, so the same session may be saved after every
    /// step and again after a crash. A finished session leaves only its answers.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let bank = QuestionFilter.Bank.placement(language: "es")
    /// var random = SystemRandomNumberGenerator()
    /// let session = StudySession(id: "s1", mode: .study, entries: [], now: Date(), using: &random)
    /// try await store.save(session, of: bank)
    /// print(try await store.openSession(of: bank, mode: .study) == session)
    /// ```
    /// - Parameters:
    ///   - session: The session; times are saved in whole milliseconds.
    ///   - bank: The bank of its questions.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`; `refused` for values out of range. Nothing is saved
    ///   then.
    public func save(
        _ session: StudySession, of bank: QuestionFilter.Bank, now: Date = Date()
    ) throws {
        let json = try Self.json(session)
        try post(session.records, bank, now) { database, user in
            guard session.state != .finished else {
                return try database.execute(
                    sql: "DELETE FROM session WHERE user = ? AND id = ?",
                    arguments: [user, session.id])
            }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO session (user, id, bank, mode, savedAt, json)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, session.id, bank.name, session.mode.rawValue, now.timeIntervalSince1970,
                    json,
                ])
        }
    }

    private static func json(_ session: StudySession) throws -> Data {
        do {
            return try JSONEncoder().encode(session)
        } catch {
            throw StoreError(
                .refused,
                "The session has a number that is not finite. Give it finite credits and times.",
                cause: error)
        }
    }

    /// Adds answers that were given elsewhere, such as those of an imported deck.
    ///
    /// - Parameters:
    ///   - records: The answers; those that were saved before are skipped.
    ///   - bank: The bank of their questions.
    ///   - now: The wall clock.
    /// - Returns: The number of new answers.
    /// - Throws: ``StoreError`` `storage` or `damaged`; `refused` for values out of range. Nothing is added
    ///   then.
    @discardableResult
    public func add(
        _ records: [AnswerRecord], to bank: QuestionFilter.Bank, now: Date = Date()
    ) throws -> Int {
        try post(records, bank, now)
    }

    @discardableResult
    private func post(
        _ records: [AnswerRecord], _ bank: QuestionFilter.Bank, _ now: Date,
        and more: (Database, _ user: String) throws -> Void = { _, _ in }
    ) throws -> Int {
        let rows = records.map { AnswerRow($0, bank: bank.name) }
        if let bad = rows.first(where: { !$0.isValid }) {
            throw StoreError(
                .refused,
                "The answer to \(bad.question) has values out of range. Give ids, finite numbers and a time"
                    + " since 1970."
            )
        }
        let user = user
        var new: [AnswerRow] = []
        if !rows.isEmpty {
            new = try database.read { database in
                let storage = ResponseStorage(database: database, user: user)
                return try rows.filter { try !storage.has($0) }
            }
        }
        try post(
            .answered(count: new.count), now: now, extras: Extras(answers: new), and: more)
        return new.count
    }

    /// Returns all answers to the questions of a bank, of all of the user's devices, in the order in which
    /// they were given.
    ///
    /// Cost: O(answers), about 250 bytes each.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func answers(of bank: QuestionFilter.Bank) throws -> [AnswerRecord] {
        let user = user
        return try database.read { database in
            try ResponseStorage(database: database, user: user).rows(of: bank.name).map(\.record)
        }
    }

    /// Returns the session of a bank that was saved last and has not ended.
    ///
    /// - Returns: `nil` also for a session in the format of another version; its answers are there.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func openSession(
        of bank: QuestionFilter.Bank, mode: SessionMode
    ) throws -> StudySession? {
        let user = user
        let json = try database.read { database in
            try Data.fetchOne(
                database,
                sql: """
                    SELECT json FROM session WHERE user = ? AND bank = ? AND mode = ?
                    ORDER BY savedAt DESC LIMIT 1
                    """,
                arguments: [user, bank.name, mode.rawValue])
        }
        return json.flatMap { try? JSONDecoder().decode(StudySession.self, from: $0) }
    }

    /// Verifies that saved data is on the disk, in the file that the next start will open.
    ///
    /// Only this detects that the database of a running program was removed, replaced or overwritten.
    /// Cost: reads a database of up to 64 MiB.
    /// - Throws: ``StoreError`` `storage` or `damaged` when it is not.
    package func confirmSaved() throws {
        let user = user
        try database.confirm { database in
            try [
                Int.fetchOne(
                    database, sql: "SELECT version FROM person WHERE user = ?", arguments: [user]),
                Int.fetchOne(
                    database, sql: "SELECT count(*) FROM answer WHERE user = ?", arguments: [user]),
            ]
        }
    }

    /// Deletes the open sessions of a bank, but not their answers.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func dropSessions(of bank: QuestionFilter.Bank, mode: SessionMode) throws {
        let user = user
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM session WHERE user = ? AND bank = ? AND mode = ?",
                arguments: [user, bank.name, mode.rawValue])
        }
    }
}

extension AnswerRow {
    init(_ record: AnswerRecord, bank: String) {
        self.init(
            bank: bank, session: record.sessionID, question: record.questionID,
            domain: record.domain, version: record.contentVersion,
            options: record.response.texts,
            isCorrect: record.isCorrect, credit: record.credit, rating: record.rating?.rawValue,
            takenMilliseconds: Self.milliseconds(
                record.timeTaken, atMost: Self.takenMillisecondsMax),
            exposuresBefore: Int64(record.exposuresBefore), mode: record.mode.rawValue,
            isRandomlySelected: record.isRandomlySelected,
            // A clock that was never set may be before 1970.
            milliseconds: Self.milliseconds(
                record.date.timeIntervalSince1970, atMost: 2 * FieldValue.integerMax))
    }

    /// Returns whole milliseconds from 0 to a maximum; for NaN -1, which `isValid` refuses.
    private static func milliseconds(_ seconds: TimeInterval, atMost limit: Int64) -> Int64 {
        let milliseconds = (seconds * 1000).rounded()
        return milliseconds.isNaN ? -1 : Int64(min(max(0, milliseconds), Double(limit)))
    }

    var record: AnswerRecord {
        AnswerRecord(
            sessionID: session, questionID: question, domain: domain, contentVersion: version,
            response: QuestionResponse(texts: options),
            isCorrect: isCorrect, credit: credit, rating: rating.flatMap(Rating.init),
            timeTaken: Double(takenMilliseconds) / 1000, exposuresBefore: Int(exposuresBefore),
            // A mode of a newer version is some kind of study.
            mode: SessionMode(rawValue: mode) ?? .study, isRandomlySelected: isRandomlySelected,
            date: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
