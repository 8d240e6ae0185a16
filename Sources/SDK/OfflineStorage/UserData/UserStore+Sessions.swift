public import Foundation
public import QuestionEngine

/// The sessions of a user on this device, open and finished.
extension UserStore {
    /// The maximum number of sessions that ``openSessions()`` returns.
    public static let openSessionsMax = 50
    /// The maximum number of a user's finished sessions; the oldest ones are deleted, but not their answers.
    public static let finishedSessionsMax = 100

    /// Returns the sessions that have not ended, the last saved first, at most ``openSessionsMax``.
    ///
    /// Omits sessions in the format of another version.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// for saved in try store.openSessions() {
    ///     print(saved.bank.name, saved.session.position, saved.session.items.count)
    /// }
    /// ```
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func openSessions() throws -> [SavedSession] {
        try readSessions { try $0.sessions(areFinished: false, limit: Self.openSessionsMax) }
    }

    /// Returns the finished sessions, the newest first.
    ///
    /// Omits sessions in the format of another version.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// if let last = try store.finishedSessions(limit: 1).first {
    ///     print(SessionResult(last.session).total.correctCount)
    /// }
    /// ```
    /// - Parameter limit: The maximum number of sessions; there are at most ``finishedSessionsMax``.
    /// - Returns: The sessions.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func finishedSessions(limit: Int) throws -> [SavedSession] {
        try readSessions { try $0.sessions(areFinished: true, limit: limit) }
    }

    /// Returns a page of the sessions of a bank, open and finished, the last saved first.
    ///
    /// Omits sessions in the format of another version, so that a page may have fewer than `limit`. It reads at most
    /// `limit` sessions.
    /// - Parameters:
    ///   - bank: The bank.
    ///   - limit: The maximum number of sessions.
    ///   - offset: The number of newer sessions before the page.
    /// - Returns: The sessions.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func sessions(
        of bank: QuestionFilter.Bank, limit: Int, offset: Int
    ) throws -> [SavedSession] {
        try readSessions { try $0.sessions(of: bank.name, limit: limit, offset: offset) }
    }

    /// Returns the number of sessions of a bank, open and finished.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func sessionCount(of bank: QuestionFilter.Bank) throws -> Int {
        try readSessions { try $0.count(of: bank.name) }
    }

    /// Returns the finished sessions in which a corrected key changes a grade, the newest first.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// for saved in try store.correctedSessions() {
    ///     print(saved.id, saved.regraded == nil)
    /// }
    /// ```
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func correctedSessions() throws -> [SavedSession] {
        try readSessions { try $0.correctedSessions() }
    }

    /// Returns a session, open or finished.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let saved = try store.session(id: "s1")
    /// print(saved?.session.state == .finished)
    /// ```
    /// - Returns: `nil` when it does not exist, or has the format of another version.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func session(id: String) throws -> SavedSession? {
        try readSessions { try $0.session(id) }
    }

    /// Returns the last saved session of a bank that has not ended.
    ///
    /// - Returns: `nil` also for a session in the format of another version; its answers remain.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func openSession(
        of bank: QuestionFilter.Bank, mode: SessionMode
    ) throws -> StudySession? {
        try readSessions { try $0.openSession(bank: bank.name, mode: mode) }
    }

    /// Deletes a session, open or finished, but not its answers.
    ///
    /// An answer that awaits its rating is first saved, rated as good. Deleting a session that does not exist has no
    /// effect.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// try store.dropSession(id: "s1")
    /// ```
    /// - Parameters:
    ///   - id: The session's id.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`; `refused` when another process saved the session at the same
    ///   time: it is not deleted then.
    public func dropSession(id: String, now: Date = Date()) throws {
        if let saved = try session(id: id) { try saveUnratedAnswer(of: saved, now: now) }
        try writeSessions { try $0.delete(id) }
    }

    /// Deletes the open sessions of a bank, but not their answers.
    ///
    /// An answer that awaits its rating is first saved, rated as good.
    /// - Parameters:
    ///   - bank: The bank.
    ///   - mode: The purpose of the sessions.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`; `refused` when another process saved one of them at the same
    ///   time: none is deleted then.
    public func dropSessions(
        of bank: QuestionFilter.Bank, mode: SessionMode, now: Date = Date()
    ) throws {
        let open = try readSessions { try $0.sessions(areFinished: false, limit: .max) }
        let dropped = open.filter { $0.bank == bank && $0.session.mode == mode }
        for saved in dropped { try saveUnratedAnswer(of: saved, now: now) }
        try writeSessions { storage in
            // Saving an unrated answer has finished its session.
            for saved in dropped { try storage.delete(saved.id) }
            try storage.deleteOpen(bank: bank.name, mode: mode)
        }
    }

    /// Saves the session as finished if one of its answers awaits a rating.
    private func saveUnratedAnswer(of saved: SavedSession, now: Date) throws {
        guard saved.session.awaitingRating != nil else { return }
        var session = saved.session
        session.finish(now: now)
        try save(session, of: saved.bank, now: now)
    }

    private func readSessions<Value: Sendable>(
        _ body: (SessionStorage) throws -> Value
    ) throws -> Value {
        let user = user
        return try database.read { try body(SessionStorage(database: $0, user: user)) }
    }

    private func writeSessions(_ body: (SessionStorage) throws -> Void) throws {
        let user = user
        try database.write { try body(SessionStorage(database: $0, user: user)) }
    }
}
