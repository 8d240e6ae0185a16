public import Foundation
public import Underway

/// The learner's data for screens: a `UserStore`, or a store whose sessions continue while the disk fails.
public protocol StudyUserData: Sendable {
    /// The user whose data is shown.
    var user: String { get }
    /// Calls functions of the store on a thread of its own, as `UserStore` does.
    ///
    /// - Throws: An error of `body`.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (UserStore) throws -> Value
    ) async throws -> Value
    /// Returns a session, open or finished; `nil` when there is none.
    func savedSession(id: String) async throws -> SavedSession?
    /// Saves a session and its new answers, in one transaction.
    func saveSession(_ session: StudySession, of bank: QuestionFilter.Bank, now: Date) async throws
}

extension StudyUserData {
    /// Returns a session of the store; `nil` when there is none.
    public func savedSession(id: String) async throws -> SavedSession? {
        try await perform { try $0.session(id: id) }
    }

    /// Saves a session and its new answers in the store, in one transaction.
    public func saveSession(
        _ session: StudySession, of bank: QuestionFilter.Bank, now: Date
    ) async throws {
        try await perform { try $0.save(session, of: bank, now: now) }
    }
}

extension UserStore: StudyUserData {}

extension StudyServices {
    /// Returns the schedules of the questions of a bank that the learner has answered, by the question's id.
    func schedules(
        of bank: QuestionFilter.Bank, now: Date
    ) async throws -> [String: StudiedQuestion] {
        try await userData.perform {
            try $0.schedules(of: bank, by: $0.scheduler(of: bank), now: now)
        }
    }

    /// Changes the learner's data at the time of the clock.
    func change(_ body: @escaping @Sendable (UserStore, Date) throws -> Void) async throws {
        let now = clock()
        try await userData.perform { try body($0, now) }
    }
}
