import ContentModel
public import Foundation
import GRDB
public import QuestionEngine
import UserData

extension UserStore {
    /// Saves a session, its new answers and the retractions of undone ones in one transaction.
    ///
    /// Answers are deduplicated, so the app may save the same session after every step and again after a crash. The
    /// store retains the newest ``finishedSessionsMax`` finished sessions, which are final.
    ///
    /// The store refuses a second save of a session that two processes or a repeated request changed, if it would lose
    /// an answer or give a question two answers at the same number of exposures. Only answers of an exam may change
    /// until its end. An undo continues a finished session.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let bank = QuestionFilter.Bank.placement(language: "es")
    /// var random = SystemRandomNumberGenerator()
    /// let session = StudySession(id: "s1", mode: .study, entries: [], now: Date(), using: &random)
    /// try store.save(session, of: bank)
    /// print(try store.openSession(of: bank, mode: .study) == session)
    /// ```
    /// - Parameters:
    ///   - session: The session; times are saved in whole milliseconds.
    ///   - bank: The bank of its questions.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`; `refused` for values out of range, and when the saved session
    ///   has other answers or has ended: read it by ``session(id:)`` and continue from there. Nothing is saved then.
    public func save(
        _ session: StudySession, of bank: QuestionFilter.Bank, now: Date = Date()
    ) throws {
        let json = try Self.json(session)
        let rows = try Self.rows(session.records, bank)
        var attemptsLeft = 3
        while true {
            attemptsLeft -= 1
            let new = try newRows(of: session, rows, bank)
            do {
                return try post(
                    .answered(count: new.count), now: now,
                    extras: Extras(answers: new.answers, retractions: new.retractions)
                ) { database, user in
                    try SessionStorage(database: database, user: user)
                        .write(session, json: json, bank: bank.name, now: now)
                    try new.checkAreOnly(of: session.id, in: database, user: user)
                }
            } catch is ConcurrentAnswerError where attemptsLeft > 0 {
                // Another process saved answers since they were read: they are read again.
            } catch is ConcurrentAnswerError {
                throw SessionReplacement.refusal
            }
        }
    }

    /// Returns the rows that are not saved yet.
    ///
    /// - Throws: `StoreError` `refused` when another answer is saved under a key of the session.
    private func newRows(
        of session: StudySession, _ rows: [AnswerRow], _ bank: QuestionFilter.Bank
    ) throws -> SessionRows {
        let user = user
        return try database.read { database in
            try SessionRows(session, rows, bank: bank.name, in: database, user: user)
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

    /// Adds answers given elsewhere, such as those of an imported deck.
    ///
    /// - Parameters:
    ///   - records: The answers; those that the store already has are skipped.
    ///   - bank: The bank of their questions.
    ///   - now: The wall clock.
    /// - Returns: The number of new answers.
    /// - Throws: ``StoreError`` `storage` or `damaged`; `refused` for values out of range. Nothing is added
    ///   then.
    @discardableResult
    public func add(
        _ records: [AnswerRecord], to bank: QuestionFilter.Bank, now: Date = Date()
    ) throws -> Int {
        let rows = try Self.rows(records, bank)
        let user = user
        var new: [AnswerRow] = []
        if !rows.isEmpty {
            new = try database.read { database in
                let storage = ResponseStorage(database: database, user: user)
                return try rows.filter { try !storage.has($0) }
            }
        }
        try post(.answered(count: new.count), now: now, extras: Extras(answers: new))
        return new.count
    }

    private static func rows(
        _ records: [AnswerRecord], _ bank: QuestionFilter.Bank
    ) throws -> [AnswerRow] {
        let rows = records.map { AnswerRow($0, bank: bank.name) }
        if let bad = rows.first(where: { !$0.isValid }) {
            throw StoreError(
                .refused,
                "The answer to \(bad.question) has values out of range. Give ids, finite numbers and a time"
                    + " since 1970."
            )
        }
        return rows
    }

    /// Returns all answers to the questions of a bank, from all of the user's devices, in the order in which they were
    /// given.
    ///
    /// Each device numbers its answers in order. If its clock dated an answer later than one that follows, the answer
    /// gets the date of that one. So an answer by the right clock corrects those before it. Answers that were undone are
    /// left out.
    ///
    /// Grades follow the applied corrections, see ``applyCorrections(of:now:)-(Blueprint,_)``. The credit of a regraded
    /// answer follows the scoring policy of its session if this device has it. Otherwise a right answer gets full
    /// credit and a wrong one none, and an answer whose grade did not change retains its credit.
    ///
    /// Cost: O(answers), about 250 bytes each.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func answers(of bank: QuestionFilter.Bank) throws -> [AnswerRecord] {
        let user = user
        return try database.read { database in
            let records = try ResponseStorage(database: database, user: user)
                .rows(of: bank.name).map(\.record)
            return try CorrectedRecords(database, user: user, bank: bank.name).regraded(records)
        }
    }

    /// Verifies that saved data is on the disk, in the file that the next launch opens.
    ///
    /// A write detects a file that was removed or replaced; only this detects one that was overwritten.
    /// Cost: reads a database of up to 64 MiB.
    /// - Throws: ``StoreError`` `storage` or `damaged` if it is not.
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
                record.date.timeIntervalSince1970, atMost: 2 * FieldValue.integerMax),
            offsetMinutes: record.offsetMinutes)
    }

    /// Returns whole milliseconds from 0 to a maximum; -1 for NaN, which `isValid` rejects.
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
            mode: AnswerMode(rawValue: mode) ?? .study, isRandomlySelected: isRandomlySelected,
            date: Date(timeIntervalSince1970: Double(milliseconds) / 1000),
            offsetMinutes: offsetMinutes)
    }
}
