public import ContentModel

extension StudySession {
    /// A question to add to a session.
    public struct Entry: Sendable, Identifiable {
        /// The question.
        public var question: Question
        /// The version of its content, see `Question.contentVersion`.
        public var contentVersion: String
        /// The number of times that the learner has seen it.
        public var exposuresBefore: Int
        /// True when chance alone selected it.
        public var isRandomlySelected: Bool

        /// The question's id.
        public var id: String { question.id }

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - question: The question.
        ///   - contentVersion: The version of its content; `nil` to compute it.
        ///   - exposuresBefore: The number of times that the learner has seen it, such as `StudyPlan.Card.answerCount`.
        ///     Only first answers are evidence about a question, so it has no default.
        ///   - isRandomlySelected: True when chance alone selected it.
        public init(
            _ question: Question, contentVersion: String? = nil, exposuresBefore: Int,
            isRandomlySelected: Bool = false
        ) {
            self.question = question
            self.contentVersion = contentVersion ?? question.contentVersion
            self.exposuresBefore = exposuresBefore
            self.isRandomlySelected = isRandomlySelected
        }
    }

    /// Appends a question, as an adaptive test does.
    public mutating func append(
        _ entry: Entry, using generator: inout some RandomNumberGenerator
    ) {
        items.append(
            Item(
                questionID: entry.question.id, contentVersion: entry.contentVersion,
                domain: entry.question.domain,
                optionOrder: entry.question.optionsInRandomOrder(using: &generator).map(\.id),
                exposuresBefore: max(0, entry.exposuresBefore),
                isRandomlySelected: entry.isRandomlySelected))
    }
}
