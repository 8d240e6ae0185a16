import ContentModel
import Foundation
import Ledger
import Review
import ServiceAPI
import TestSupport

/// A bank some of whose keys are wrong, and learners who answer it by their ability.
struct SimulatedClass {
    static let bank = "int/made"
    let questions: [Question]
    /// The right option of each question.
    let right: [Int]
    /// The ids of the questions with a wrong key.
    let wrong: Set<String>

    /// Makes a bank.
    ///
    /// - Parameters:
    ///   - count: The number of questions.
    ///   - wrongCount: The number of questions with a wrong key, spread over the bank.
    init(count: Int = 60, wrongCount: Int = 3) {
        let step = wrongCount == 0 ? .max : count / wrongCount
        var wrong: Set<String> = []
        right = (0..<count).map { $0 * 7 % 4 }
        questions = right.enumerated().map { place, right in
            let isWrong = place % step == 5 && wrong.count < wrongCount
            let id = "q\(place)"
            if isWrong { wrong.insert(id) }
            return Question(
                id: id, type: .singleChoice, difficulty: 1 + place % 5, stem: "Question \(place)?",
                options: ["a", "b", "c", "d"].map { QuestionOption(id: $0, text: $0) },
                correct: [isWrong ? (right + 1) % 4 : right])
        }
        self.wrong = wrong
    }

    /// The release with this bank, or with other questions.
    func release(_ number: Int = 1, _ questions: [Question]? = nil) -> ReviewedRelease {
        ReviewedRelease(
            number: number,
            banks: [ReviewedBank(name: Self.bank, questions: questions ?? self.questions)])
    }

    /// The questions, with the right keys where they are wrong.
    var corrected: [Question] {
        zip(questions, right).map { question, right in
            var question = question
            question.correct = [right]
            return question
        }
    }

    /// Returns the answers of a learner to all questions: by a logistic curve, with a guessing share of a quarter.
    func answers(
        ability: Double, using generator: inout SeededGenerator
    ) -> [FirstAnswer] {
        zip(questions, right).map { question, right in
            let difficulty = Double(question.difficulty - 3) * 0.6
            let chance = 0.2 + 0.8 / (1 + exp(-1.4 * (ability - difficulty)))
            let knows = Double.random(in: 0..<1, using: &generator) < chance
            let choice = knows ? right : (right + Int.random(in: 1...3, using: &generator)) % 4
            return FirstAnswer(
                item: FirstAnswer.number(
                    bank: Self.bank, question: question.id, version: question.contentVersion),
                response: StoredTexts.text([question.options[choice].id]), mode: .study,
                isRandomlySelected: true)
        }
    }

    /// Returns a normally distributed ability (the sum of twelve uniform numbers).
    static func ability(using generator: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }
}
