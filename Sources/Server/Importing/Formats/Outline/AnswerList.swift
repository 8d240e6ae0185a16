/// A list of answers at the end of a document, apart from its questions.
struct AnswerList {
    /// Its first line; `nil` where there is none.
    private(set) var beginning: String?

    /// Finds the list below the last option with a mark, or in a table.
    ///
    /// It has a title, or pairs of number and letter, or as many lines as there are questions, each of which names an
    /// option of its question.
    ///
    /// - Parameters:
    ///   - lines: The lines of the document.
    ///   - questions: Its questions.
    ///   - marks: The marks that every list has.
    ///   - cells: The texts of its tables that are no questions.
    init(
        _ lines: [OutlineLine], _ questions: [OutlineQuestions.Question],
        marks: Set<OutlineLine.Mark>, cells: [String]
    ) {
        let isMarked = { (line: OutlineLine) in !line.marks.isDisjoint(with: marks) }
        guard let last = questions.last?.options, let marked = last.lastIndex(where: isMarked),
            let end = lines.lastIndex(where: { $0.item != nil && isMarked($0) })
        else { return }
        let below = lines[(end + 1)...].dropFirst(last.count - 1 - marked)
        let texts = below.map(\.text) + cells
        beginning =
            texts.first { $0.utf8.count < 1_000 && $0.wholeMatch(of: Pattern.answersTitle) != nil }
            ?? ([cells.joined(separator: " ")] + texts).first {
                $0.utf8.count < 20_000 && $0.wholeMatch(of: Pattern.answerPairs) != nil
            } ?? Self.list(below.map(\.text), questions)
    }

    private static func list(
        _ lines: [String], _ questions: [OutlineQuestions.Question]
    ) -> String? {
        let answers = lines.suffix(questions.count)
        guard questions.count > 1, answers.count == questions.count else { return nil }
        let fits = zip(answers, questions).allSatisfy { text, question in
            let bare = text.replacing(Pattern.typedNumber, with: "").trimmed
            return !AnswerLine(bare, options: question.options.map(\.text)).fit.isEmpty
        }
        return fits ? answers.first : nil
    }
}
