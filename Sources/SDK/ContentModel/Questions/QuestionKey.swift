/// The key of a question: its published right response.
public enum QuestionKey: Hashable, Sendable {
    /// The indices of the right options, from 0; for `ordering` all of them in the right order.
    case options([Int])
    /// The right numbers.
    case number(NumericKey)
}
