public import Foundation
import QuestionEngine

/// The result of a finished session whose points changed because keys of its questions were corrected.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let content = try OfflineStore.inMemory()
/// for result in try store.applyCorrections(of: content) {
///     print("Now", result.correctCount, "of", result.questionCount, "right, not", result.formerCorrectCount)
/// }
/// ```
public struct CorrectedResult: Sendable, Hashable, Identifiable {
    /// The session's id.
    public var id: String
    /// The bank of its questions.
    public var bank: QuestionFilter.Bank
    /// The time at which it began.
    public var startedAt: Date
    /// The number of right answers before this correction.
    public var formerCorrectCount: Int
    /// The number of right answers now.
    public var correctCount: Int
    /// The number of questions.
    public var questionCount: Int

    /// Compares a session's grades before and after a correction; `nil` when its points are the same.
    init?(_ saved: SavedSession, former: StudySession, _ now: StudySession) {
        let (before, after) = (SessionResult(former).total, SessionResult(now).total)
        guard before.correctCount != after.correctCount else { return nil }
        id = saved.id
        bank = saved.bank
        startedAt = saved.session.startedAt
        formerCorrectCount = before.correctCount
        correctCount = after.correctCount
        questionCount = after.questionCount
    }
}
