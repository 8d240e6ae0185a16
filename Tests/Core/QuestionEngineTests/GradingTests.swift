import ContentModel
import QuestionEngine
import TestSupport
import Testing

@Suite struct GradingTests {
    private func question(_ type: QuestionType, _ correct: [Int]) -> Question {
        Question(
            id: "q", type: type, difficulty: 1, stem: "s",
            options: ["a", "b", "c", "d"].map { QuestionOption(id: $0, text: $0) },
            correct: correct)
    }

    @Test func aChoiceIsRightWhenItIsTheKey() {
        let single = question(.singleChoice, [1])
        #expect(Grading.isCorrect(["b"], to: single))
        #expect(!Grading.isCorrect(["a"], to: single))
        #expect(!Grading.isCorrect([], to: single))
        #expect(!Grading.isCorrect(["b", "b"], to: single))
    }

    @Test func allOptionsOfAMultiChoiceMustBeChosenInAnyOrder() {
        let multi = question(.multiChoice, [0, 2])
        #expect(Grading.isCorrect(["c", "a"], to: multi))
        #expect(!Grading.isCorrect(["a"], to: multi))
        #expect(!Grading.isCorrect(["a", "b", "c"], to: multi))
        #expect(!Grading.isCorrect(["a", "a"], to: multi))
    }

    @Test func anOrderingMustBeExact() {
        let ordering = question(.ordering, [2, 0, 3, 1])
        #expect(Grading.isCorrect(["c", "a", "d", "b"], to: ordering))
        #expect(!Grading.isCorrect(["a", "c", "d", "b"], to: ordering))
    }

    @Test func pointsReachTheLevelOfTheLastCut() {
        let blueprint = Blueprint(
            kind: .placement, id: "es", title: "t", version: "",
            scoring: Scoring(cuts: [
                CutScore(level: "A1", from: 0), CutScore(level: "A2", from: 1),
                CutScore(level: "B1", from: 2),
            ]),
            questions: (0..<2).map { number in
                var one = question(.singleChoice, [0])
                one.id = "q\(number)"
                return one
            })
        let levels = [[:], ["q0": ["a"]], ["q0": ["a"], "q1": ["a"]], ["q0": ["b"], "q9": ["a"]]]
            .map { PlacementResult(answers: $0, blueprint: blueprint) }
        #expect(levels.map(\.points) == [0, 1, 2, 0])
        #expect(levels.map(\.level) == ["A1", "A2", "B1", "A1"])
    }

    @Test(arguments: 0..<50)
    func shufflingKeepsOptionsAndPins(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var question = question(.singleChoice, [0])
        question.options[3].isPinned = true
        let shown = question.optionsInRandomOrder(using: &random)
        #expect(shown.last?.id == "d", "seed \(seed)")
        #expect(Set(shown) == Set(question.options), "seed \(seed)")
        question.shufflesOptions = false
        #expect(question.optionsInRandomOrder(using: &random) == question.options)
    }
}
