public import Underway

/// An author's feedback on an option that the learner chose.
public struct ChoiceFeedback: Sendable, Hashable, Identifiable {
    /// The option's id.
    public var id: String
    /// The title of the feedback: the text of the option, or "Your answer" for the only choice.
    public var title: String
    /// True when the title is the author's text.
    public var isTitleContent: Bool
    /// The feedback.
    public var text: String

    /// Returns the feedback on a response, in the author's order.
    ///
    /// - Parameters:
    ///   - response: The learner's response; `nil` for none.
    ///   - question: The question.
    ///   - words: The words of the language.
    /// - Returns: The feedback of each chosen option that has one.
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
                id: option.id,
                title: isOne
                    ? words["session.yourAnswer"]
                    : question.richText(option.shownText).plainText,
                isTitleContent: !isOne, text: text)
        }
    }
}
