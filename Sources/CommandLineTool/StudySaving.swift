import Foundation
import OfflineStorage
import QuestionEngine

/// The saving of a study session: a failure is reported at once, and studying continues.
final class StudySaving {
    private let store: UserStore
    private let bank: QuestionFilter.Bank
    private var failure: StoreError?
    /// The number of the session's answers that are on the disk.
    private var savedCount = 0

    init(store: UserStore, bank: QuestionFilter.Bank) {
        self.store = store
        self.bank = bank
    }

    /// True while saving fails, as on a full disk or in a damaged database.
    var isFailing: Bool { failure != nil }

    /// Continues a session that was saved before.
    func resume(_ session: StudySession) { savedCount = Self.answerCount(session) }

    /// Saves a session with all of its answers, including those that could not be saved before.
    func save(_ session: StudySession) throws {
        try attempt {
            try store.save(session, of: bank, now: Date())
            resume(session)
        }
    }

    /// Verifies that the saved data is on the disk, before the program reports that.
    func confirm() throws {
        guard failure == nil else { return }
        try attempt {
            do {
                try store.confirmSaved()
            } catch {
                savedCount = 0
                throw error
            }
        }
    }

    private static func answerCount(_ session: StudySession) -> Int {
        session.items.count { $0.answer != nil }
    }

    /// Runs a body that needs the disk; a failure of the disk or damage on it is reported, other
    /// errors are thrown.
    func attempt(_ body: () throws -> Void) throws {
        do {
            try body()
            if failure != nil { Console.note("Saved now, with what could not be saved before.") }
            failure = nil
        } catch let error as StoreError where error.code == .storage || error.code == .damaged {
            // Nobody can say what is left of the answers in a damaged database; in a lost one they are lost.
            if error.code == .damaged || error.cause is LostStoreFile { savedCount = 0 }
            Console.note(
                failure == nil
                    ? "underway: Your answers are not saved. \(savedText)\(error.message)"
                    : "(not saved)")
            failure = error
        }
    }

    /// Ends with the exit code of storage when something was not saved.
    func end(_ session: StudySession) throws {
        guard let failure else { return }
        let lost = Self.text(Self.answerCount(session) - savedCount)
        throw CommandFailure(.files, "\(savedText)\(lost) not saved. \(failure.message)")
    }

    /// The text about the answers that were saved before the disk failed.
    private var savedText: String {
        savedCount == 0 ? "" : "\(Self.text(savedCount)) saved before. "
    }

    private static func text(_ count: Int) -> String {
        count == 1 ? "1 answer was" : "\(count) answers were"
    }
}
