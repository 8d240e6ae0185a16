public import ContentModel
public import Foundation
public import OfflineStorage
public import QuestionEngine
public import UserData

/// The functions of a store for `async` callers, such as the main actor: each does the same as the blocking
/// one of its name, on a thread of its own, and throws the same errors.
///
/// Cancellation does not stop a call that has begun. Calls that are awaited one after the other run in that
/// order; at most four run at the same time.
extension UserStore {
    // MARK: Records

    /// Sets all fields of a record: committed on the device now, sent with the next sync.
    public func put<Value: CollectionRecord>(
        _ value: Value, id: String, now: Date = Date()
    ) async throws {
        try await StoreThreads.run { try self.put(value, id: id, now: now) }
    }

    /// Deletes a record.
    public func delete<Value: CollectionRecord>(
        _ type: Value.Type, id: String, now: Date = Date()
    ) async throws {
        try await StoreThreads.run { try self.delete(type, id: id, now: now) }
    }

    /// Adds to a counter; a negative `step` subtracts.
    public func increment<Value: CollectionRecord>(
        _ type: Value.Type, id: String, field: String, by step: Int64, now: Date = Date()
    ) async throws {
        try await StoreThreads.run {
            try self.increment(type, id: id, field: field, by: step, now: now)
        }
    }

    /// Commits at most 100 changes atomically, on this device and on all others.
    public func write(
        now: Date = Date(), _ body: @escaping @Sendable (inout UserDataWrites) throws -> Void
    ) async throws {
        try await StoreThreads.run { try self.write(now: now, body) }
    }

    /// Returns a record as the user sees it; `nil` for one that is deleted, never was, or cannot be read.
    public func record<Value: CollectionRecord>(
        _ type: Value.Type, id: String
    ) async throws -> Value? {
        try await StoreThreads.run { try self.record(type, id: id) }
    }

    /// Returns all records of a collection, in the order of their ids, pending changes included.
    public func records<Value: CollectionRecord>(
        _ type: Value.Type
    ) async throws -> [IdentifiedRecord<Value>] {
        try await StoreThreads.run { try self.records(type) }
    }

    // MARK: Conflicts, refused changes, notices

    /// Returns the conflicts of all collections, untyped.
    public func conflicts() async throws -> [RecordConflict] {
        try await StoreThreads.run { try self.conflicts() }
    }

    /// Returns the conflicts of a collection, which wait for the user's decision.
    public func conflicts<Value: CollectionRecord>(
        of type: Value.Type
    ) async throws -> [Conflict<Value>] {
        try await StoreThreads.run { try self.conflicts(of: type) }
    }

    /// Resolves a conflict; other devices receive the result as a change.
    public func resolve<Value: CollectionRecord>(
        _ conflict: Conflict<Value>, with resolution: ConflictResolution<Value>, now: Date = Date()
    ) async throws {
        try await StoreThreads.run { try self.resolve(conflict, with: resolution, now: now) }
    }

    /// Resolves a conflict by untyped fields; other devices receive the result as a change.
    public func resolve(
        _ key: RecordKey, _ decision: RecordResolution, shown: String,
        now: Date = Date()
    ) async throws {
        try await StoreThreads.run { try self.resolve(key, decision, shown: shown, now: now) }
    }

    /// Returns the state of the current user's data.
    public func status() async throws -> UserDataStatus {
        try await StoreThreads.run { try self.status() }
    }

    /// Returns the pending changes, the oldest first.
    public func outbox() async throws -> [PendingChange] {
        try await StoreThreads.run { try self.outbox() }
    }

    /// Returns the changes that the server refused, with everything that the user wrote.
    public func rejected() async throws -> [RejectedChange] {
        try await StoreThreads.run { try self.rejected() }
    }

    /// Enqueues a refused change again.
    public func retry(_ id: OperationID, now: Date = Date()) async throws {
        try await StoreThreads.run { try self.retry(id, now: now) }
    }

    /// Returns the writes of this device that a later write replaced without having seen them.
    public func notices() async throws -> [ReplacementNotice] {
        try await StoreThreads.run { try self.notices() }
    }

    /// Discards a refused change, or dismisses a notice.
    public func dismiss(_ id: OperationID, now: Date = Date()) async throws {
        try await StoreThreads.run { try self.dismiss(id, now: now) }
    }

    // MARK: Sessions and answers

    /// Saves a session and its new answers, in one transaction.
    public func save(
        _ session: StudySession, of bank: QuestionFilter.Bank, now: Date = Date()
    ) async throws {
        try await StoreThreads.run { try self.save(session, of: bank, now: now) }
    }

    /// Returns the session of a bank that was saved last and has not ended.
    public func openSession(
        of bank: QuestionFilter.Bank, mode: SessionMode
    ) async throws -> StudySession? {
        try await StoreThreads.run { try self.openSession(of: bank, mode: mode) }
    }

    /// Returns the sessions that have not ended, the one saved last first.
    public func openSessions() async throws -> [SavedSession] {
        try await StoreThreads.run { try self.openSessions() }
    }

    /// Returns the sessions that ended, the newest first.
    public func finishedSessions(limit: Int) async throws -> [SavedSession] {
        try await StoreThreads.run { try self.finishedSessions(limit: limit) }
    }

    /// Returns the sessions that ended and that a corrected key grades otherwise, the newest first.
    public func correctedSessions() async throws -> [SavedSession] {
        try await StoreThreads.run { try self.correctedSessions() }
    }

    /// Returns a session, open or finished; `nil` when there is none.
    public func session(id: String) async throws -> SavedSession? {
        try await StoreThreads.run { try self.session(id: id) }
    }

    /// Returns the last state of a board that the current user received on this device.
    public func seenBoard(_ name: String, _ period: BoardPeriod) async throws -> SeenBoard? {
        try await StoreThreads.run { try self.seenBoard(name, period) }
    }

    /// Deletes a session, open or finished, but not its answers.
    public func dropSession(id: String) async throws {
        try await StoreThreads.run { try self.dropSession(id: id) }
    }

    /// Deletes a session, open or finished, but not its answers; one that awaits its rating is saved as good.
    public func dropSession(id: String, now: Date) async throws {
        try await StoreThreads.run { try self.dropSession(id: id, now: now) }
    }

    /// Deletes the open sessions of a bank, but not their answers.
    public func dropSessions(
        of bank: QuestionFilter.Bank, mode: SessionMode, now: Date = Date()
    ) async throws {
        try await StoreThreads.run { try self.dropSessions(of: bank, mode: mode, now: now) }
    }

    /// Adds answers that were given elsewhere, and returns the number of new ones.
    @discardableResult
    public func add(
        _ records: [AnswerRecord], to bank: QuestionFilter.Bank, now: Date = Date()
    ) async throws -> Int {
        try await StoreThreads.run { try self.add(records, to: bank, now: now) }
    }

    /// Returns all answers to the questions of a bank, in the order in which they were given.
    public func answers(of bank: QuestionFilter.Bank) async throws -> [AnswerRecord] {
        try await StoreThreads.run { try self.answers(of: bank) }
    }

    /// Grades stored answers again by the corrections of all banks on the device.
    @discardableResult
    public func applyCorrections(
        of content: OfflineStore, now: Date = Date()
    ) async throws -> [CorrectedResult] {
        try await StoreThreads.run { try self.applyCorrections(of: content, now: now) }
    }

    /// Grades stored answers again by the corrections of a bank.
    @discardableResult
    public func applyCorrections(
        of bank: Blueprint, now: Date = Date()
    ) async throws -> [CorrectedResult] {
        try await StoreThreads.run { try self.applyCorrections(of: bank, now: now) }
    }

    /// Returns the schedules of all questions of a bank that were answered, by the question's id.
    public func schedules(
        of bank: QuestionFilter.Bank, by scheduler: ReviewScheduler, now: Date = Date()
    ) async throws -> [String: StudiedQuestion] {
        try await StoreThreads.run { try self.schedules(of: bank, by: scheduler, now: now) }
    }

    /// Counts the new and the reviewed cards of a bank on a learner's day, for the limits of a `DueQueue`.
    public func usage(
        on day: LearningDay, in bank: QuestionFilter.Bank, now: Date? = nil
    ) async throws -> DueQueue.Usage {
        try await StoreThreads.run { try self.usage(on: day, in: bank, now: now) }
    }

    /// Returns the counts of the last days with answers, the newest first.
    public func progressByDay(limit: Int = 366) async throws -> [Progress] {
        try await StoreThreads.run { try self.progressByDay(limit: limit) }
    }

    /// Returns the counts of each domain; answers to questions without one are under an empty name.
    public func progressByDomain() async throws -> [Progress] {
        try await StoreThreads.run { try self.progressByDomain() }
    }

    // MARK: Users

    /// Moves the data of another user of this device to the current one.
    public func bring(from other: String, now: Date = Date()) async throws {
        try await StoreThreads.run { try self.bring(from: other, now: now) }
    }

    /// Returns the other users with data on this device.
    public func otherUsers() async throws -> [OtherUser] {
        try await StoreThreads.run { try self.otherUsers() }
    }

    /// Removes the data of another user from this device.
    public func erase(user: String, lossIsAccepted: Bool = false) async throws {
        try await StoreThreads.run { try self.erase(user: user, lossIsAccepted: lossIsAccepted) }
    }

    /// Returns true when other devices can sign in to the current user's account.
    public func hasSignInMethod() async throws -> Bool {
        try await StoreThreads.run { try self.hasSignInMethod() }
    }

    /// Returns true when the current user has data that could move to another account.
    public func hasData() async throws -> Bool {
        try await StoreThreads.run { try self.hasData() }
    }

    /// Returns all data of a user on this device as JSON.
    public func export(user: String) async throws -> Data {
        try await StoreThreads.run { try self.export(user: user) }
    }

    /// Signs the current user out on this device.
    public func signOut(erasing: Bool, lossIsAccepted: Bool = false) async throws {
        try await StoreThreads.run {
            try self.signOut(erasing: erasing, lossIsAccepted: lossIsAccepted)
        }
    }
}
