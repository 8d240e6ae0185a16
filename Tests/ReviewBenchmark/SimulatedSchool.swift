import ContentModel
import Foundation
import Ledger
import QuestionEngine
import Review
import ServiceAPI

/// Banks of an assumed school, a few of whose keys are wrong, and learners who answer them by their ability.
struct SimulatedSchool {
    /// A question as its answers are made.
    private struct Made {
        var item: Int64
        var right: Int
        var difficulty: Double
    }

    let release: ReviewedRelease
    /// The number of questions with a wrong key.
    let wrongCount: Int
    private let banks: [[Made]]
    private let responses = ["a", "b", "c", "d"].map { StoredTexts.text([$0]) }
    private var generator: SeededRandom
    /// The answers of a learner, all to one bank.
    static let answersPerLearner = 40

    /// Makes banks.
    ///
    /// - Parameters:
    ///   - sizes: The number of questions of each bank.
    ///   - seed: Equal seeds give equal banks and answers.
    init(sizes: [Int], seed: UInt64) {
        generator = SeededRandom(seed: seed)
        var reviewed: [ReviewedBank] = []
        var banks: [[Made]] = []
        var wrongCount = 0
        for (place, size) in sizes.enumerated() {
            let name = "int/bank-\(place)"
            var questions: [Question] = []
            var made: [Made] = []
            for number in 0..<size {
                let right = Int.random(in: 0..<4, using: &generator)
                let isWrong = Int.random(in: 0..<50, using: &generator) == 0
                wrongCount += isWrong ? 1 : 0
                let question = Question(
                    id: "q\(number)", type: .singleChoice, difficulty: 1 + number % 5,
                    stem: "Question \(number) of bank \(place)?",
                    options: ["a", "b", "c", "d"].map { QuestionOption(id: $0, text: $0) },
                    correct: [isWrong ? (right + 1) % 4 : right])
                questions.append(question)
                made.append(
                    Made(
                        item: FirstAnswer.number(
                            bank: name, question: question.id, version: question.contentVersion),
                        right: right, difficulty: Double(question.difficulty - 3) * 0.6))
            }
            reviewed.append(ReviewedBank(name: name, questions: questions))
            banks.append(made)
        }
        release = ReviewedRelease(number: 1, banks: reviewed)
        self.banks = banks
        self.wrongCount = wrongCount
    }

    /// Returns the first answers of a new learner to questions of a bank, drawn by chance.
    ///
    /// - Parameters:
    ///   - bank: The bank's place.
    ///   - count: The number of answers, at most as many as the bank has questions.
    /// - Returns: The answers, each to another question.
    mutating func answers(to bank: Int, count: Int = answersPerLearner) -> [FirstAnswer] {
        // The sum of twelve uniform numbers is about normal.
        let ability = (0..<12).reduce(-6.0) { sum, _ in
            sum + Double.random(in: 0..<1, using: &generator)
        }
        var chosen: Set<Int> = []
        while chosen.count < count {
            chosen.insert(Int.random(in: banks[bank].indices, using: &generator))
        }
        return chosen.sorted().map { place in
            let question = banks[bank][place]
            let chance = 0.2 + 0.8 / (1 + exp(-1.4 * (ability - question.difficulty)))
            let knows = Double.random(in: 0..<1, using: &generator) < chance
            let choice =
                knows
                ? question.right : (question.right + Int.random(in: 1...3, using: &generator)) % 4
            return FirstAnswer(
                item: question.item, response: responses[choice], mode: .study,
                isRandomlySelected: true)
        }
    }

    /// Draws a bank, in proportion to its questions.
    mutating func bank() -> Int {
        var place = Int.random(
            in: 0..<banks.reduce(0) { $0 + $1.count }, using: &generator)
        for (index, bank) in banks.enumerated() {
            if place < bank.count { return index }
            place -= bank.count
        }
        return 0
    }
}
