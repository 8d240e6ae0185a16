public import Underway

/// An author's feedback on an option that the learner chose.
public struct ChoiceFeedback: Sendable, Hashable, Identifiable {
    /// The option's id.
    public var id: String
    /// What the feedback is about: the option by its text, or the one choice as "Your answer".
    public var title: String
    /// True where the title is the author's text.
    public var isTitleContent: Bool
    /// The feedback.
    public var text: String

    /// Returns the feedback on a response, in the author's order.
    ///
    /// - Parameters:
    ///   - response: The learner's response; `nil` for none.
    ///   - question: The question.
    ///   - words: The words of the language.
    /// - Returns: One for each chosen option that has feedback.
    public static func all(
        on response: QuestionResponse?, to question: Question, _ words: StudyText
    ) -> [ChoiceFeedback] {
        let chosen = Set(response?.optionIDs ?? [])
        let isOne = question.type == .singleChoice || question.type == .codeSnippet
        return question.options.compactMap { option in
            guard chosen.contains(option.id), let text = option.feedback, !text.isEmpty else {
                return nil
            }
            return ChoiceFeedback(
                id: option.id, title: isOne ? words["session.yourAnswer"] : option.shownText,
                isTitleContent: !isOne, text: text)
        }
    }
}
