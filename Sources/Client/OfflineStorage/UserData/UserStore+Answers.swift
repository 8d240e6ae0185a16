import ContentModel
public import Foundation
import GRDB
public import QuestionEngine
import UserData

extension UserStore {
    /// Keeps a session and its answers, in one transaction.
    ///
    /// Answers that are kept already stay as they are, so the same session may be kept after every
    /// step and again after a crash. A finished session leaves only its answers.
    /// - Parameters:
    ///   - session: The session; times are kept in whole milliseconds.
    ///   - bank: Where its questions belong.
    ///   - now: The wall clock.
    /// - Throws: An error of the database; nothing is kept then.
    public func keep(_ session: StudySession, of bank: QuestionFilter.Bank, now: Date) throws {
        let json = try JSONEncoder().encode(session)
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

    /// Adds answers that were given elsewhere, such as those of an imported deck.
    ///
    /// - Parameters:
    ///   - records: The answers; those that are kept already are left as they are.
    ///   - bank: Where their questions belong.
    ///   - now: The wall clock.
    /// - Returns: How many were new.
    /// - Throws: An error of the database; nothing is added then.
    @discardableResult
    public func add(
        _ records: [AnswerRecord], to bank: QuestionFilter.Bank, now: Date
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
            throw StoreError(.refused, "The answer to \(bad.question) has values out of range.")
        }
        let user = user
        var new: [AnswerRow] = []
        if !rows.isEmpty {
            new = try database.read { database in
                let keeper = ResponseStorage(database: database, user: user)
                return try rows.filter { try !keeper.has($0) }
            }
        }
        try post(
            .answered(count: new.count), now: now, extras: Extras(answers: new), and: more)
        return new.count
    }

    /// All answers to the questions of a bank, of all of the user's devices, in the order in which
    /// they were given.
    public func answers(of bank: QuestionFilter.Bank) throws -> [AnswerRecord] {
        let user = user
        return try database.read { database in
            try ResponseStorage(database: database, user: user).rows(of: bank.name).map(\.record)
        }
    }

    /// The session of a bank that was kept last and has not ended.
    ///
    /// One that an older version kept in another shape is passed over; its answers are kept.
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

    /// Makes sure that what was saved is on the disk, in the file that the next start will open.
    ///
    /// Whoever removes, replaces or overwrites the database of a running program is noticed by this alone.
    /// Cost: reads a database of up to 64 MiB.
    /// - Throws: `StoreError` `storage` or `damaged` when it is not.
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

    /// Forgets the open sessions of a bank; their answers are kept.
    public func dropSessions(of bank: QuestionFilter.Bank, mode: SessionMode) throws {
        let user = user
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM session WHERE user = ? AND bank = ? AND mode = ?",
                arguments: [user, bank.name, mode.rawValue])
        }
    }
}

extension QuestionFilter.Bank {
    /// The bank's name in the store and on the wire.
    var name: String {
        switch self {
        case .placement(let language): language
        case .exam(let region, let exam): "\(region)/\(exam)"
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
            takenMilliseconds: min(
                max(0, Int64((record.timeTaken * 1000).rounded())), Self.takenMillisecondsMax),
            exposuresBefore: Int64(record.exposuresBefore), mode: record.mode.rawValue,
            isRandomlySelected: record.isRandomlySelected,
            // A clock that was never set may stand before 1970.
            milliseconds: max(0, Int64((record.date.timeIntervalSince1970 * 1000).rounded())))
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
