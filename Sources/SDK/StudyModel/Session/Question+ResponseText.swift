import Underway

extension Question {
    /// Returns a response as text, on one line: the options in the learner's order, or the number with its unit; empty for none.
    func text(of response: QuestionResponse) -> String {
        switch response {
        case .options(let ids):
            ids.compactMap { id in options.first { $0.id == id }?.shownText }
                .map { richText($0).plainText }.joined(separator: ", ")
        case .number(let number):
            [number.description, correctNumber?.unit].compactMap(\.self).joined(separator: " ")
        case .unknown: ""
        }
    }
}
