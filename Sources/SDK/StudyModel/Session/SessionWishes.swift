public import Underway

/// A learner's wishes for one session, in addition to its purpose: they filter the due questions.
///
/// ```swift
/// var wishes = SessionWishes()
/// wishes.questionsMax = 10
/// let id = try await SessionStart(services).begin(bank, .study, wishes: wishes)
/// ```
public struct SessionWishes: Sendable, Hashable {
    /// The filter of questions; a placement test ignores it.
    public var criteria = QuestionCriteria()
    /// The maximum number of questions; `nil` for the usual one.
    ///
    /// A placement test ignores it.
    public var questionsMax: Int?
    /// The maximum number of new questions a day, for study; `nil` for that of the learner's settings.
    public var newCards: Int?
    /// The day of an exam; study then selects the questions that raise its expected marks most.
    public var deadline: LearningDay?
    /// The questions to study although none is due; `nil` for what is due.
    public var offer: StudyOffer.Kind?

    /// Creates wishes that change nothing.
    public init() {}
}
