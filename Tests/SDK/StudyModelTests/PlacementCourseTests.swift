import Foundation
import Testing
import Underway

@testable import StudyModel

/// The length of a placement test, and what it costs: simulated learners answer by the model of the test.
@Suite struct PlacementCourseTests {
    private static let seed: UInt64 = 20_261_123
    private static let learners = 200

    /// A bank with as many questions of each difficulty as the sample's Spanish one.
    static let blueprint: Blueprint = {
        let counts = [1: 5, 2: 8, 3: 13, 4: 10, 5: 4]
        let questions = counts.sorted { $0.key < $1.key }.flatMap { difficulty, count in
            (0..<count).map { number in
                Question(
                    id: "q\(difficulty)-\(number)", type: .singleChoice, difficulty: difficulty,
                    stem: "?",
                    options: ["a", "b", "c", "d"].map { QuestionOption(id: $0, text: $0) },
                    correct: [0])
            }
        }
        return Blueprint(
            kind: .placement, id: "xx", title: "X", version: "1",
            levels: [1: "A1", 2: "A2", 3: "B1", 4: "B2", 5: "C1"], questions: questions)
    }()

    private struct Outcome {
        var questions = 0
        /// The levels between the learner's and the one that was found.
        var distance = 0
    }

    private func place(
        _ ability: Double, _ settings: AdaptivePlacement.Settings,
        _ random: inout SeededRandom
    ) throws -> Outcome {
        var test = AdaptivePlacement(blueprint: Self.blueprint, settings: settings)
        let parameters = Dictionary(uniqueKeysWithValues: test.items.map { ($0.id, $0.parameters) })
        while let choice = test.next(using: &random) {
            let item = try #require(parameters[choice.id])
            let isRight =
                Double.random(in: 0..<1, using: &random) < item.probability(ability: ability)
            try test.record(choice.id, isRight: isRight)
        }
        let names = test.levels.cuts.map(\.level)
        let places = [ability, test.estimate.ability].map { ability in
            names.firstIndex(of: test.levels.level(of: ability) ?? "") ?? 0
        }
        return Outcome(questions: test.answers.count, distance: abs(places[0] - places[1]))
    }

    private func outcomes(_ settings: AdaptivePlacement.Settings) throws -> [Outcome] {
        var random = SeededRandom(seed: Self.seed)
        return try (0..<Self.learners).map { _ in
            // The sum of twelve uniform numbers, less 6, is nearly normal with a deviation of 1.
            let ability = (0..<12).reduce(-6.0) { sum, _ in
                sum + Double.random(in: 0..<1, using: &random)
            }
            return try place(ability, settings, &random)
        }
    }

    @Test func twentyQuestionsPlaceLearnersNearlyAsWellAsThirty() throws {
        let short = try outcomes(PlacementCourse.settings)
        let long = try outcomes(AdaptivePlacement.Settings())
        let counts = [short, long].map { $0.reduce(0.0) { $0 + Double($1.questions) } }
        let exact = [short, long].map { $0.count { $0.distance == 0 } }
        print(
            "placement, seed \(Self.seed): \(counts.map { $0 / Double(Self.learners) }) questions,",
            "\(exact) of \(Self.learners) at their level")
        #expect(counts[0] <= Double(Self.learners) * 20)
        #expect(counts[1] >= Double(Self.learners) * 27)
        #expect(exact[0] >= Self.learners * 52 / 100)
        #expect(exact[0] >= exact[1] - Self.learners * 15 / 100)
        #expect(short.count { $0.distance <= 1 } >= Self.learners * 97 / 100)
    }

    @Test func theCourseEndsByTheseRules() throws {
        var answers: [(question: String, isCorrect: Bool)] = []
        while let entry = try PlacementCourse(Self.blueprint, answers: answers).next(
            seed: 5, seen: [:])
        {
            answers.append((entry.question.id, answers.count.isMultiple(of: 2)))
        }
        let course = try PlacementCourse(Self.blueprint, answers: answers)
        #expect(course.isOver)
        #expect(course.estimate.standardError <= 0.6)
        #expect((10...20).contains(answers.count), "\(answers.count)")
        #expect(answers.count == 20 || course.estimate.standardError <= 0.5)
    }
}
