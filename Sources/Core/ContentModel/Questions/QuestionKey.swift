/// The published right response to a question.
public enum QuestionKey: Hashable, Sendable {
    /// The indices of the right options, from 0; for `ordering` all of them in the right order.
    case options([Int])
    /// The numbers that are right.
    case number(NumericKey)
}
