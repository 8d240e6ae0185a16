public import Foundation
import GRDB
public import QuestionEngine

extension OfflineStore {
    /// Keeps a session and its answers, in one transaction.
    ///
    /// Answers that are kept already stay as they are, so the same session may be kept after every
    /// step and again after a crash. A finished session leaves only its answers.
    public func keep(_ session: StudySession, of bank: QuestionFilter.Bank, now: Date) throws {
        let encoder = JSONEncoder()
        let json = try encoder.encode(session)
        try database.write { database in
            try Self.add(session.records, Self.name(of: bank), encoder, in: database)
            guard session.state != .finished else {
                try database.execute(
                    sql: "DELETE FROM session WHERE id = ?", arguments: [session.id])
                return
            }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO session (id, bank, mode, savedAt, json)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    session.id, Self.name(of: bank), session.mode.rawValue,
                    now.timeIntervalSince1970, json,
                ])
        }
    }

    /// Adds answers that were given elsewhere, such as those of an imported deck.
    ///
    /// - Parameters:
    ///   - records: The answers; those that are kept already are left as they are.
    ///   - bank: Where their questions belong.
    /// - Returns: How many were new.
    /// - Throws: An error of the database; nothing is added then.
    @discardableResult
    public func add(_ records: [AnswerRecord], to bank: QuestionFilter.Bank) throws -> Int {
        try database.write { database in
            let before = database.totalChangesCount
            try Self.add(records, Self.name(of: bank), JSONEncoder(), in: database)
            return database.totalChangesCount - before
        }
    }

    private static func add(
        _ records: [AnswerRecord], _ bank: String, _ encoder: JSONEncoder, in database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO answer (bank, question, session, answeredAt, json)
                VALUES (?, ?, ?, ?, ?)
                """)
        for record in records {
            try statement.execute(arguments: [
                bank, record.questionID, record.sessionID, record.date.timeIntervalSince1970,
                try encoder.encode(record),
            ])
        }
    }

    /// All answers to the questions of a bank, in the order in which they were kept.
    public func answers(of bank: QuestionFilter.Bank) throws -> [AnswerRecord] {
        let rows = try database.read { database in
            try Data.fetchAll(
                database, sql: "SELECT json FROM answer WHERE bank = ? ORDER BY position",
                arguments: [Self.name(of: bank)])
        }
        let decoder = JSONDecoder()
        return try rows.map { try decoder.decode(AnswerRecord.self, from: $0) }
    }

    /// The session of a bank that was kept last and has not ended.
    ///
    /// One that an older version kept in another shape is passed over; its answers are kept.
    public func openSession(
        of bank: QuestionFilter.Bank, mode: SessionMode
    ) throws -> StudySession? {
        let json = try database.read { database in
            try Data.fetchOne(
                database,
                sql: """
                    SELECT json FROM session WHERE bank = ? AND mode = ?
                    ORDER BY savedAt DESC LIMIT 1
                    """,
                arguments: [Self.name(of: bank), mode.rawValue])
        }
        return json.flatMap { try? JSONDecoder().decode(StudySession.self, from: $0) }
    }

    /// Forgets the open sessions of a bank; their answers are kept.
    public func dropSessions(of bank: QuestionFilter.Bank, mode: SessionMode) throws {
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM session WHERE bank = ? AND mode = ?",
                arguments: [Self.name(of: bank), mode.rawValue])
        }
    }

    private static func name(of bank: QuestionFilter.Bank) -> String {
        switch bank {
        case .placement(let language): language
        case .exam(let region, let exam): "\(region)/\(exam)"
        }
    }
}
