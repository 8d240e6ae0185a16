public import Underway

/// A question that a learner reports, or has reported.
public struct ReportScreen: Sendable, Hashable {
    /// The screen from which the learner came.
    public enum Origin: String, Sendable, Hashable {
        /// The question after its check.
        case question
        /// The review of a session that has ended.
        case review
    }

    /// The session's id.
    public var session: String
    /// The place of the question in its session, from 0.
    public var index: Int
    /// The screen from which the learner came.
    public var origin: Origin
    /// The bank.
    public var bank: QuestionFilter.Bank
    /// The question as it was shown.
    public var question: Question
    /// The learner's report; `nil` for none.
    public var report: QuestionReport?
    /// True while the report is unsent.
    public var isWaiting: Bool

    /// The first line of the question's code, which distinguishes questions with the same words; `nil` without code.
    public var codeLine: String? { question.firstCodeLine }

    /// Returns the report that a draft makes of the shown version.
    ///
    /// - Throws: ``ReportDraft/Refusal``.
    func report(_ draft: ReportDraft) throws(ReportDraft.Refusal) -> QuestionReport {
        let (reason, text) = try draft.checked()
        return QuestionReport(
            bank: bank.name, question: question.id, version: question.contentVersion,
            reason: reason, text: text)
    }

    /// The id of the report's record, whether there is one or not.
    var recordID: String {
        QuestionReport(bank: bank.name, question: question.id, version: "", reason: .other).recordID
    }
}
