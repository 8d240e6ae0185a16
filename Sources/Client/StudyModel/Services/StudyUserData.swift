public import Foundation
public import Underway

/// The learner's data as screens read and write it.
public protocol StudyUserData: Sendable {
    /// The user whose data is shown.
    var user: String { get }

    // MARK: Sessions and answers

    /// Returns the sessions that have not ended, the one saved last first.
    func openSessions() async throws -> [SavedSession]
    /// Returns the sessions that ended, the newest first.
    func finishedSessions(limit: Int) async throws -> [SavedSession]
    /// Returns the sessions that ended and that a corrected key grades otherwise, the newest first.
    func correctedSessions() async throws -> [SavedSession]
    /// Returns a session, open or finished.
    func session(id: String) async throws -> SavedSession?
    /// Saves a session and its new answers, in one transaction.
    func save(_ session: StudySession, of bank: QuestionFilter.Bank, now: Date) async throws
    /// Returns all answers to the questions of a bank, in the order in which they were given.
    func answers(of bank: QuestionFilter.Bank) async throws -> [AnswerRecord]
    /// Grades stored answers again by the corrections of a bank.
    @discardableResult
    func applyCorrections(of bank: Blueprint, now: Date) async throws -> [CorrectedResult]
    /// Returns the schedule of each question that was answered.
    func schedules(
        of bank: QuestionFilter.Bank, by scheduler: ReviewScheduler, now: Date
    ) async throws -> [String: StudiedQuestion]
    /// Returns the cards that were started and reviewed on a learner's day.
    func usage(
        on day: LearningDay, in bank: QuestionFilter.Bank, now: Date?
    ) async throws -> DueQueue.Usage
    /// Returns the answers of each day.
    func progressByDay(limit: Int) async throws -> [UserStore.Progress]
    /// Returns the answers of each domain of each bank.
    func progressByDomain() async throws -> [UserStore.Progress]

    // MARK: Records

    /// Returns a record as the learner sees it; `nil` when there is none.
    func record<Value: CollectionRecord>(_ type: Value.Type, id: String) async throws -> Value?
    /// Returns all records of a collection, in the order of their ids.
    func records<Value: CollectionRecord>(
        _ type: Value.Type
    ) async throws -> [IdentifiedRecord<Value>]
    /// Sets all fields of a record: saved now, sent with the next sync.
    func put<Value: CollectionRecord>(_ value: Value, id: String, now: Date) async throws
    /// Deletes a record.
    func delete<Value: CollectionRecord>(_ type: Value.Type, id: String, now: Date) async throws

    // MARK: Sync and inbox

    /// Returns what waits for the learner or for the network.
    func status() async throws -> UserDataStatus
    /// Returns the conflicts of all collections, untyped.
    func conflicts() async throws -> [RecordConflict]
    /// Resolves the conflict of a record, if both sides are still as they were shown.
    func resolve(
        _ key: RecordKey, _ decision: RecordResolution, shown: String, now: Date) async throws
    /// Returns the changes that the server refused.
    func rejected() async throws -> [RejectedChange]
    /// Sends a refused change again.
    func retry(_ id: OperationID, now: Date) async throws
    /// Returns the writes of this device that later ones replaced.
    func notices() async throws -> [ReplacementNotice]
    /// Removes a refused change or a notice from the inbox.
    func dismiss(_ id: OperationID, now: Date) async throws
}

extension UserStore: StudyUserData {}
