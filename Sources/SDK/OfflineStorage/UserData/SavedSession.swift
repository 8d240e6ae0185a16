public import Foundation
public import QuestionEngine

/// A session with its bank, as last saved.
///
/// ```swift
/// var random = SystemRandomNumberGenerator()
/// let session = StudySession(id: "s1", mode: .study, entries: [], now: Date(), using: &random)
/// let saved = SavedSession(session, of: .placement(language: "es"), savedAt: Date())
/// print(saved.id, saved.bank.name)
/// ```
public struct SavedSession: Sendable, Hashable, Identifiable {
    /// The session.
    public var session: StudySession
    /// The bank of its questions.
    public var bank: QuestionFilter.Bank
    /// The time of its last save.
    public var savedAt: Date
    /// The session with its answers regraded, for its result and review; `nil` when no correction changes a grade.
    public var regraded: StudySession?

    /// The session's id.
    public var id: String { session.id }

    /// Creates a saved session.
    public init(
        _ session: StudySession, of bank: QuestionFilter.Bank, savedAt: Date,
        regraded: StudySession? = nil
    ) {
        self.session = session
        self.bank = bank
        self.savedAt = savedAt
        self.regraded = regraded
    }
}
