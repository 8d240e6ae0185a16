/// The difficulty of a published question, by which statistics group answers.
package struct QuestionDifficulty: Sendable, Hashable {
    /// The question's bank.
    package var bank: String
    /// The question's id.
    package var question: String
    /// The difficulty from 1, the easiest, to 5.
    package var difficulty: Int

    package init(bank: String, question: String, difficulty: Int) {
        self.bank = bank
        self.question = question
        self.difficulty = difficulty
    }
}
