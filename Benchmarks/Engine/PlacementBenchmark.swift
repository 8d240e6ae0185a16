import ContentModel
import QuestionEngine

/// Adaptive placement of simulated learners who guess: how often the level is right, and whether the stated error is
/// the true one, with guessing in the model and without it.
enum PlacementBenchmark {
    private static let learnerCount = 4_000
    private static let levels = [1: "A1", 2: "A2", 3: "B1", 4: "B2", 5: "C1"]

    /// What happened to the learners.
    private struct Outcome {
        var exact = 0
        var near = 0
        var questions = 0
        var squares = 0.0
        var stated = 0.0

        mutating func add(_ truth: Double, _ test: AdaptivePlacement, _ levels: AbilityLevels) {
            let names = levels.cuts.map(\.level)
            let places = [truth, test.estimate.ability].map {
                names.firstIndex(of: levels.level(of: $0) ?? "") ?? 0
            }
            let distance = abs(places[0] - places[1])
            exact += distance == 0 ? 1 : 0
            near += distance <= 1 ? 1 : 0
            questions += test.answers.count
            let error = test.estimate.ability - truth
            squares += error * error
            stated += test.estimate.standardError * test.estimate.standardError
        }
    }

    static func run() throws {
        let twenty = AdaptivePlacement.Settings(
            questionsMax: 20, standardErrorMax: 0, stopsWhenLevelIsClear: false)
        let course = AdaptivePlacement.Settings(questionsMax: 20, standardErrorMax: 0.5)
        for optionCount in [0, 5, 4, 3, 2] {
            for (name, settings) in [("20 questions", twenty), ("until ± 0.5, at most 20", course)]
            {
                for knowsGuessing in [true, false] where optionCount > 0 || knowsGuessing {
                    try report(
                        optionCount, name, knowsGuessing,
                        place(optionCount, settings, knowsGuessing: knowsGuessing))
                }
            }
        }
    }

    private static func place(
        _ optionCount: Int, _ settings: AdaptivePlacement.Settings, knowsGuessing: Bool
    ) throws -> Outcome {
        let guessing = optionCount > 0 ? 1 / Double(optionCount) : 0
        let cuts = AbilityLevels(labels: levels)
        let items = (0..<100).map { number in
            AdaptivePlacement.Item(
                id: "q\(number)",
                parameters: ItemParameters(
                    label: number % 5 + 1, guessing: knowsGuessing ? guessing : 0))
        }
        var random = SeededGenerator(seed: 20_261_123)
        var outcome = Outcome()
        for _ in 0..<learnerCount {
            let ability = (0..<12).reduce(-6.0) { sum, _ in
                sum + Double.random(in: 0..<1, using: &random)
            }
            var test = AdaptivePlacement(items: items, levels: cuts, settings: settings)
            while let choice = test.next(using: &random) {
                let label = (Int(choice.id.dropFirst()) ?? 0) % 5 + 1
                let truth = ItemParameters(label: label, guessing: guessing)
                let p = truth.probability(ability: ability)
                try test.record(choice.id, isRight: Double.random(in: 0..<1, using: &random) < p)
            }
            outcome.add(ability, test, cuts)
        }
        return outcome
    }

    private static func report(
        _ optionCount: Int, _ length: String, _ knowsGuessing: Bool, _ outcome: Outcome
    ) throws {
        let count = Double(learnerCount)
        try EngineBenchmarks.report([
            "options": optionCount, "length": length, "knowsGuessing": knowsGuessing,
            "questions": Double(outcome.questions) / count, "exact": Double(outcome.exact) / count,
            "near": Double(outcome.near) / count,
            "error": (outcome.squares / count).squareRoot(),
            "stated": (outcome.stated / count).squareRoot(),
        ])
    }
}
