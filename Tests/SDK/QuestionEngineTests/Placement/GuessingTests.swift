import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

/// Placement of learners who guess: the stated error is the true one.
@Suite struct GuessingTests {
    private static let levels = AbilityLevels(
        labels: [1: "A1", 2: "A2", 3: "B1", 4: "B2", 5: "C1"])

    /// What 20 questions tell about simulated learners.
    private struct Outcome {
        var exact = 0.0
        var near = 0.0
        var error = 0.0
        var stated = 0.0
    }

    private func outcome(model: Double, seed: UInt64) throws -> Outcome {
        let learners = 1_000.0
        let items = (0..<100).map {
            AdaptivePlacement.Item(
                id: "q\($0)", parameters: ItemParameters(label: $0 % 5 + 1, guessing: model))
        }
        let settings = AdaptivePlacement.Settings(
            questionsMax: 20, standardErrorMax: 0, stopsWhenLevelIsClear: false)
        var random = SeededGenerator(seed: seed)
        var outcome = Outcome()
        for _ in 0..<Int(learners) {
            let ability = random.nextNormal()
            var test = AdaptivePlacement(items: items, levels: Self.levels, settings: settings)
            while let choice = test.next(using: &random) {
                let label = try #require(Int(choice.id.dropFirst())) % 5 + 1
                let p = ItemParameters(label: label, guessing: 0.25).probability(ability: ability)
                try test.record(choice.id, isRight: Double.random(in: 0..<1, using: &random) < p)
            }
            let names = Self.levels.cuts.map(\.level)
            let places = try [ability, test.estimate.ability].map {
                try #require(names.firstIndex(of: Self.levels.level(of: $0) ?? ""))
            }
            let distance = abs(places[0] - places[1])
            outcome.exact += (distance == 0 ? 1 : 0) / learners
            outcome.near += (distance <= 1 ? 1 : 0) / learners
            outcome.error += pow(test.estimate.ability - ability, 2) / learners
            outcome.stated += pow(test.estimate.standardError, 2) / learners
        }
        return outcome
    }

    @Test func theStatedErrorIsTheTrueOneWithGuessing() throws {
        let seed: UInt64 = 20_261_123
        let known = try outcome(model: 0.25, seed: seed)
        let ignored = try outcome(model: 0, seed: seed)
        print("seed \(seed): with guessing \(known), without \(ignored)")
        #expect(known.exact > 0.55 && known.near > 0.97)
        #expect((0.88...1.12).contains((known.error / known.stated).squareRoot()))
        #expect((ignored.error / ignored.stated).squareRoot() > 1.25)
    }

    @Test func theCurveIsThatOfBirnbaum() {
        let item = ItemParameters(slope: 1.3, difficulty: 0.4, guessing: 0.2)
        for ability in [-3.0, -1, 0.4, 2, 5] {
            let q = 1 / (1 + exp(-1.3 * (ability - 0.4)))
            let p = 0.2 + 0.8 * q
            #expect(isNear(item.probability(ability: ability), p, absolute: 1e-12))
            // Fisher's information is P'² / (P (1 - P)).
            let slope = 0.8 * 1.3 * q * (1 - q)
            #expect(
                isNear(
                    item.information(ability: ability), slope * slope / (p * (1 - p)),
                    absolute: 1e-12))
        }
        #expect(!ItemParameters(slope: 1, difficulty: 0, guessing: 1).isUsable)
        #expect(!ItemParameters(slope: 1, difficulty: 0, guessing: .nan).isUsable)
    }

    @Test func theModeIsTheGreatestOfThePosterior() {
        let answers = [(-1.0, true), (0, true), (1, false), (0.5, true), (2, false)].map {
            (item: ItemParameters(slope: 1.4, difficulty: $0.0, guessing: 0.25), isRight: $0.1)
        }
        func posterior(_ ability: Double) -> Double {
            answers.reduce(-ability * ability / 2) { sum, answer in
                let p = answer.item.probability(ability: ability)
                return sum + log(answer.isRight ? p : 1 - p)
            }
        }
        let mode = AbilityEstimate.maximumAPosteriori(answers).ability
        let best = stride(from: -4.0, through: 4, by: 0.001).max { posterior($0) < posterior($1) }
        #expect(abs(mode - (best ?? 9)) < 0.002)
        let mean = AbilityEstimate.expectedAPosteriori(answers)
        let grid = AbilityGrid.calibration.points
        let weights = grid.map { exp(posterior($0)) }
        let expected = zip(grid, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
        #expect(isNear(mean.ability, expected, absolute: 1e-9))
    }

    @Test func aQuestionIsGuessedByItsOptions() throws {
        func guess(_ type: QuestionType, _ correct: [Int]) -> Double {
            ItemParameters(labelOf: makeQuestion(type, correct, id: "q")).guessing
        }
        let count = Double(makeQuestion(.singleChoice, [0], id: "q").options.count)
        #expect(guess(.singleChoice, [0]) == 1 / count)
        #expect(guess(.multiChoice, [0, 1]) == 1 / (pow(2, count) - 1))
        let orders = (1...Int(count)).reduce(1, *)
        #expect(
            isNear(guess(.ordering, Array(0..<Int(count))), 1 / Double(orders), absolute: 1e-12))
    }

    @Test func parametersWithAnImpossibleGuessingAreRefused() throws {
        let read = try JSONDecoder().decode(
            ItemParameters.self,
            from: Data(#"{"slope": 1, "difficulty": 0.5, "guessing": 0.25}"#.utf8))
        #expect(read == ItemParameters(slope: 1, difficulty: 0.5, guessing: 0.25))
        for guessing in [#", "guessing": 1"#, #", "guessing": -0.1"#, ""] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(
                    ItemParameters.self,
                    from: Data("{\"slope\": 1, \"difficulty\": 0.5\(guessing)}".utf8))
            }
        }
    }
}
