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

    func saveSession(
        _ session: StudySession, of bank: QuestionFilter.Bank, now: Date
    ) async throws {
        let known = SavedSession(session, of: bank, savedAt: now)
        state.withLock { $0.session = known }
        try await attempt {
            try await self.store.perform { try $0.save(session, of: bank, now: now) }
            self.state.withLock { $0.savedCount = Self.answerCount(session) }
        }
    }

    func savedSession(id: String) async throws -> SavedSession? {
        let (session, isFailing) = state.withLock { ($0.session, $0.failure != nil) }
        let known = session?.id == id ? session : nil
        if isFailing, let known { return known }
        var saved = known
        do {
            saved = try await store.perform { try $0.session(id: id) }
        } catch let error as StoreError where Self.isOfDisk(error) {
            // What is known stays, when the disk fails between two steps.
        }
        state.withLock { [saved] state in
            if state.session == nil, let saved {
                state.savedCount = Self.answerCount(saved.session)
            }
            state.session = saved
        }
        return saved
    }

    // MARK: The store

    var user: String { store.user }

    /// Calls the store; what cannot be read counts as not there, so that every question is new.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (UserStore) throws -> Value
    ) async throws -> Value {
        do {
            return try await store.perform(body)
        } catch let error as StoreError where Self.isOfDisk(error) {
            // A call without a result is a write, and in memory it would be lost.
            guard Value.self != Void.self else { throw error }
            return try await UserStore.inMemory().perform(body)
        }
    }

    private static func isOfDisk(_ error: StoreError) -> Bool {
        error.code == .storage || error.code == .damaged
    }

    // MARK: What was not saved

    /// Verifies that the saved data is on the disk, before the program reports that.
    func confirm() async throws {
        guard !isFailing else { return }
        try await attempt {
            do {
                try await self.store.perform { try $0.confirmSaved() }
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
        } catch let error as StoreError where Self.isOfDisk(error) {
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
        session.undone.count + session.items.count { $0.answer != nil }
    }

    /// Returns the text about the answers that were saved before the disk failed.
    private static func savedText(_ count: Int) -> String {
        count == 0 ? "" : "\(text(count)) saved before. "
    }

    private static func text(_ count: Int) -> String {
        count == 1 ? "1 answer was" : "\(count) answers were"
    }
}
