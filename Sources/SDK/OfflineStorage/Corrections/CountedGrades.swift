import GRDB
import QuestionEngine
import ServiceAPI

/// The grades of a run of answers for counts: corrected if a correction is stored.
///
/// Cost: one search a bank where it has no corrections.
struct CountedGrades {
    private let answers: EncodedAnswers
    /// The corrections of each question of the run; `nil` if there are none.
    private let corrections: [GradeCorrections?]

    init(_ answers: EncodedAnswers, in database: Database) throws {
        self.answers = answers
        let storage = CorrectionStorage(database: database)
        var banks: [String: GradeCorrections] = [:]
        for (bank, questions) in Dictionary(grouping: answers.questions, by: \.bank) {
            banks[bank] = try storage.corrections(
                of: bank, questions: Set(questions.map(\.question)))
        }
        corrections = answers.questions.map { question in
            guard let known = banks[question.bank],
                known.question(question.question, version: question.version) != nil
            else { return nil }
            return known
        }
    }

    /// Returns the grade of an answer of the run.
    func grade(_ row: EncodedAnswers.Row) -> CountedGrade {
        let stored = CountedGrade(isCorrect: row.isCorrect, rating: row.rating)
        guard let corrections = corrections[Int(row.question)] else { return stored }
        let question = answers.questions[Int(row.question)]
        return corrections.grade(
            of: question.question, version: question.version,
            answers.responses[Int(row.response)], stored) ?? stored
    }
}
