import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import StudyModel
import Synchronization
import UserData

/// The user data of a session in the terminal: what the disk refuses stays in memory, so that studying goes on.
///
/// A failure is reported at once. The next step saves everything again, with what could not be saved before.
final class UnsavedStudyData: StudyUserData {
    private struct State {
        var session: SavedSession?
        var failure: StoreError?
        /// The number of the session's answers that are on the disk.
        var savedCount = 0
    }

    private let store: UserStore
    private let state = Mutex(State())

    init(_ store: UserStore) { self.store = store }

    /// True while saving fails, as on a full disk or in a damaged database.
    var isFailing: Bool { state.withLock { $0.failure != nil } }

    // MARK: The session

    func save(_ session: StudySession, of bank: QuestionFilter.Bank, now: Date) async throws {
        let known = SavedSession(session, of: bank, savedAt: now)
        state.withLock { $0.session = known }
        try await attempt {
            try self.store.save(session, of: bank, now: now)
            self.state.withLock { $0.savedCount = Self.answerCount(session) }
        }
    }

    func session(id: String) async throws -> SavedSession? {
        let unsaved = state.withLock { $0.failure == nil ? nil : $0.session }
        if let unsaved, unsaved.id == id { return unsaved }
        // What is known stays, when the disk fails between two steps.
        let known = state.withLock { $0.session }
        let saved = try reading(known?.id == id ? known : nil) { try store.session(id: id) }
        state.withLock { state in
            if state.session == nil, let saved {
                state.savedCount = Self.answerCount(saved.session)
            }
            state.session = saved
        }
        return saved
    }

    /// Verifies that the saved data is on the disk, before the program reports that.
    func confirm() async throws {
        guard !isFailing else { return }
        try await attempt {
            do {
                try self.store.confirmSaved()
            } catch {
                self.state.withLock { $0.savedCount = 0 }
                throw error
            }
        }
    }

    /// Ends with the exit code of storage when something was not saved.
    func throwIfUnsaved() throws {
        let state = state.withLock { $0 }
        guard let failure = state.failure else { return }
        let count = state.session.map { Self.answerCount($0.session) } ?? 0
        throw CommandFailure(
            .files,
            Self.savedText(state.savedCount) + Self.text(count - state.savedCount)
                + " not saved. \(failure.message)")
    }

    /// Runs a body that needs the disk; a failure of the disk or damage on it is reported, other errors are thrown.
    private func attempt(_ body: () async throws -> Void) async throws {
        do {
            try await body()
            let wasFailing = state.withLock { state in
                defer { state.failure = nil }
                return state.failure != nil
            }
            if wasFailing { Console.note("Saved now, with what could not be saved before.") }
        } catch let error as StoreError where error.code == .storage || error.code == .damaged {
            let (isFirst, savedCount) = state.withLock { state in
                // Nobody can say what is left of the answers in a damaged database; in a lost one they are lost.
                if error.code == .damaged || error.cause is LostStoreFile { state.savedCount = 0 }
                defer { state.failure = error }
                return (state.failure == nil, state.savedCount)
            }
            Console.note(
                isFirst
                    ? "underway: Your answers are not saved. \(Self.savedText(savedCount))"
                        + error.message
                    : "(not saved)")
        }
    }

    private static func answerCount(_ session: StudySession) -> Int {
        session.items.count { $0.answer != nil }
    }

    /// The text about the answers that were saved before the disk failed.
    private static func savedText(_ count: Int) -> String {
        count == 0 ? "" : "\(text(count)) saved before. "
    }

    private static func text(_ count: Int) -> String {
        count == 1 ? "1 answer was" : "\(count) answers were"
    }

    // MARK: What is read

    var user: String { store.user }

    /// Reads something; what cannot be read does not prevent studying.
    private func reading<Value>(_ missing: Value, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as StoreError {
            guard error.code == .storage || error.code == .damaged else { throw error }
            return missing
        }
    }

    func openSessions() async throws -> [SavedSession] {
        try reading([]) { try store.openSessions() }
    }
    func finishedSessions(limit: Int) async throws -> [SavedSession] {
        try reading([]) { try store.finishedSessions(limit: limit) }
    }
    func correctedSessions() async throws -> [SavedSession] {
        try reading([]) { try store.correctedSessions() }
    }
    func answers(of bank: QuestionFilter.Bank) async throws -> [AnswerRecord] {
        try reading([]) { try store.answers(of: bank) }
    }
    /// Every question is new where its answers cannot be read.
    func schedules(
        of bank: QuestionFilter.Bank, by scheduler: ReviewScheduler, now: Date
    ) async throws -> [String: StudiedQuestion] {
        try reading([:]) { try store.schedules(of: bank, by: scheduler, now: now) }
    }
    func usage(
        on day: LearningDay, in bank: QuestionFilter.Bank, now: Date?
    ) async throws -> DueQueue.Usage {
        try reading(DueQueue.Usage()) { try store.usage(on: day, in: bank, now: now) }
    }
    func progressByDay(limit: Int) async throws -> [UserStore.Progress] {
        try reading([]) { try store.progressByDay(limit: limit) }
    }
    func progressByDomain() async throws -> [UserStore.Progress] {
        try reading([]) { try store.progressByDomain() }
    }
    func record<Value: CollectionRecord>(_ type: Value.Type, id: String) async throws -> Value? {
        try reading(nil) { try store.record(type, id: id) }
    }
    func records<Value: CollectionRecord>(
        _ type: Value.Type
    ) async throws -> [IdentifiedRecord<Value>] { try reading([]) { try store.records(type) } }

    func applyCorrections(of bank: Blueprint, now: Date) async throws -> [CorrectedResult] {
        try reading([]) { try store.applyCorrections(of: bank, now: now) }
    }
    func conflicts() async throws -> [RecordConflict] { try reading([]) { try store.conflicts() } }
    func rejected() async throws -> [RejectedChange] { try reading([]) { try store.rejected() } }
    func notices() async throws -> [ReplacementNotice] {
        try reading([]) { try store.notices() }
    }

    // MARK: What is written as it is

    func put<Value: CollectionRecord>(_ value: Value, id: String, now: Date) async throws {
        try store.put(value, id: id, now: now)
    }
    func delete<Value: CollectionRecord>(_ type: Value.Type, id: String, now: Date) async throws {
        try store.delete(type, id: id, now: now)
    }
    func status() async throws -> UserDataStatus { try store.status() }
    func resolve(
        _ key: RecordKey, _ decision: RecordResolution, shown: String, now: Date
    ) async throws { try store.resolve(key, decision, shown: shown, now: now) }
    func retry(_ id: OperationID, now: Date) async throws { try store.retry(id, now: now) }
    func dismiss(_ id: OperationID, now: Date) async throws {
        try store.dismiss(id, now: now)
    }
}
