import Foundation
import GRDB
import QuestionEngine
import ServiceAPI

/// The storage of a user's sessions, within a transaction that the caller opened.
struct SessionStorage {
    let database: Database
    let user: String

    // MARK: Reading

    /// Returns sessions, the last saved first, without those that this version cannot read.
    func sessions(areFinished: Bool, limit: Int) throws -> [SavedSession] {
        guard limit > 0 else { return [] }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT bank, savedAt, json FROM session WHERE user = ? AND isFinished = ?
                ORDER BY savedAt DESC, rowid DESC
                """, arguments: [user, areFinished])
        var sessions: [SavedSession] = []
        while sessions.count < limit, let row = try rows.next() {
            if let session = SavedSession(row) { sessions.append(session) }
        }
        return try regraded(sessions)
    }

    /// Returns sessions of a bank, open and finished, the last saved first, without those that this version cannot
    /// read; at most `limit` rows are read.
    func sessions(of bank: String, limit: Int, offset: Int) throws -> [SavedSession] {
        // The inner query sorts without the documents of the sessions.
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT bank, savedAt, json FROM session WHERE rowid IN (
                    SELECT rowid FROM session WHERE user = ? AND bank = ?
                    ORDER BY savedAt DESC, rowid DESC LIMIT ? OFFSET ?)
                ORDER BY savedAt DESC, rowid DESC
                """, arguments: [user, bank, max(0, limit), max(0, offset)])
        return try regraded(rows.compactMap(SavedSession.init))
    }

    /// Returns the number of sessions of a bank, open and finished.
    func count(of bank: String) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT count(*) FROM session WHERE user = ? AND bank = ?",
            arguments: [user, bank]) ?? 0
    }

    /// Returns a session; `nil` when there is none that this version can read.
    func session(_ id: String) throws -> SavedSession? {
        let saved = try Row.fetchOne(
            database, sql: "SELECT bank, savedAt, json FROM session WHERE user = ? AND id = ?",
            arguments: [user, id]
        ).flatMap(SavedSession.init)
        return try regraded(saved.map { [$0] } ?? []).first
    }

    /// Returns the finished sessions of a bank with an answer to one of some versions, the newest first.
    func finishedSessions(of bank: String, versions: Set<String>) throws -> [SavedSession] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT bank, savedAt, json FROM session
                WHERE user = ? AND bank = ? AND isFinished = 1 AND EXISTS (
                    SELECT 1 FROM answerAccount
                        JOIN answerSession ON answerSession.account = answerAccount.number
                        JOIN answerRow ON answerRow.session = answerSession.number
                        JOIN answerQuestion ON answerQuestion.number = answerRow.question
                    WHERE answerAccount.user = session.user AND answerSession.session = session.id
                        AND answerQuestion.version IN (SELECT value FROM json_each(?)))
                ORDER BY savedAt DESC, rowid DESC
                """, arguments: [user, bank, StoredTexts.text(Array(versions))]
        ).compactMap(SavedSession.init)
    }

    /// Returns the finished sessions in which a correction changes a grade, the newest first.
    func correctedSessions() throws -> [SavedSession] {
        let sessions = try Row.fetchAll(
            database,
            sql: """
                SELECT bank, savedAt, json FROM session
                WHERE user = ? AND isFinished = 1 AND EXISTS (
                    SELECT 1 FROM gradeCorrection
                        JOIN answerQuestion ON answerQuestion.bank = gradeCorrection.bank
                            AND answerQuestion.question = gradeCorrection.question
                            AND answerQuestion.version = gradeCorrection.version
                        JOIN answerRow ON answerRow.question = answerQuestion.number
                        JOIN answerSession ON answerSession.number = answerRow.session
                        JOIN answerAccount ON answerAccount.number = answerSession.account
                    WHERE gradeCorrection.bank = session.bank
                        AND answerAccount.user = session.user AND answerSession.session = session.id)
                ORDER BY savedAt DESC, rowid DESC
                """, arguments: [user]
        ).compactMap(SavedSession.init)
        return try regraded(sessions).filter { $0.regraded != nil }
    }

    /// Adds the sessions with grades by the stored corrections.
    private func regraded(_ sessions: [SavedSession]) throws -> [SavedSession] {
        let storage = CorrectionStorage(database: database)
        let banks = Dictionary(grouping: sessions, by: \.bank)
        let corrections = try banks.mapValues { sessions in
            let questions = Set(sessions.flatMap { $0.session.items.map(\.questionID) })
            return try storage.corrections(of: sessions[0].bank.name, questions: questions)
        }
        return sessions.map { saved in
            var saved = saved
            saved.regraded = corrections[saved.bank].flatMap(saved.session.regraded)
            return saved
        }
    }

    /// Returns the open session of a bank that was saved last; `nil` also when this version cannot read it.
    func openSession(bank: String, mode: SessionMode) throws -> StudySession? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT bank, savedAt, json FROM session
                WHERE user = ? AND bank = ? AND mode = ? AND isFinished = 0
                ORDER BY savedAt DESC, rowid DESC LIMIT 1
                """, arguments: [user, bank, mode.rawValue]
        ).flatMap(SavedSession.init)?.session
    }

    // MARK: Writing

    /// Writes a session over its former state, unless that has answers that would be lost.
    ///
    /// - Throws: `StoreError` `refused` then.
    func write(_ session: StudySession, json: Data, bank: String, now: Date) throws {
        let isFinished = try Bool.fetchOne(
            database, sql: "SELECT isFinished FROM session WHERE user = ? AND id = ?",
            arguments: [user, session.id])
        let stored = try self.session(session.id)?.session
        switch SessionReplacement(of: stored, isFinished: isFinished == true, by: session) {
        case .refused: throw SessionReplacement.refusal
        case .unnecessary: return
        case .allowed: break
        }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO session (user, id, bank, mode, savedAt, json, isFinished)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                user, session.id, bank, session.mode.rawValue, now.timeIntervalSince1970, json,
                session.state == .finished,
            ])
        if session.state == .finished { try limitFinished(keeping: session.id) }
    }

    /// Deletes the oldest finished sessions above the limit, except a newly saved one, which a clock that was set back
    /// dates before the others.
    func limitFinished(keeping id: String? = nil) throws {
        try database.execute(
            sql: """
                DELETE FROM session WHERE rowid IN (
                    SELECT rowid FROM session WHERE user = ? AND isFinished = 1
                    ORDER BY id IS ? DESC, savedAt DESC, rowid DESC LIMIT -1 OFFSET ?)
                """, arguments: [user, id, UserStore.finishedSessionsMax])
    }

    /// Deletes a session.
    func delete(_ id: String) throws {
        try database.execute(
            sql: "DELETE FROM session WHERE user = ? AND id = ?", arguments: [user, id])
    }

    /// Deletes the open sessions of a bank.
    func deleteOpen(bank: String, mode: SessionMode) throws {
        try database.execute(
            sql: """
                DELETE FROM session WHERE user = ? AND bank = ? AND mode = ? AND isFinished = 0
                """, arguments: [user, bank, mode.rawValue])
    }
}

extension SavedSession {
    /// Reads a row; `nil` for a session in the format of another version.
    fileprivate init?(_ row: Row) {
        // Another version may have saved it: it is left out, and its answers are there.
        guard let session = try? JSONDecoder().decode(StudySession.self, from: row["json"]),
            let bank = QuestionFilter.Bank(name: row["bank"])
        else { return nil }
        self.init(session, of: bank, savedAt: Date(timeIntervalSince1970: row["savedAt"]))
    }
}
