import ContentModel
import QuestionEngine
import TestSupport
import Testing

/// Questions for the tests of the engine: options a, b, c, d.
func makeQuestion(
    _ type: QuestionType, _ correct: [Int], id: String = "q", options: Int = 4
) -> Question {
    Question(
        id: id, type: type, difficulty: 1, stem: "s",
        options: (0..<options).map { number in
            let name = number < 26 ? String(UnicodeScalar(UInt8(97 + number))) : "o\(number)"
            return QuestionOption(id: name, text: name)
        }, correct: correct)
}

@Suite struct GradingTests {
    @Test func aChoiceIsRightWhenItIsTheKey() {
        let single = makeQuestion(.singleChoice, [1])
        #expect(Grading.isCorrect(["b"], to: single))
        #expect(!Grading.isCorrect(["a"], to: single))
        #expect(!Grading.isCorrect([], to: single))
        #expect(!Grading.isCorrect(["b", "b"], to: single))
    }

    /// -0 would be shown as "-0 %".
    @Test func aWrongAnswerWithoutAPenaltyHasNoSign() throws {
        let grade = try Grading.grade(["a"], to: makeQuestion(.singleChoice, [1]))
        #expect(grade.credit == 0 && grade.credit.sign == .plus)
    }

    @Test func allOptionsOfAMultiChoiceMustBeChosenInAnyOrder() {
        let multi = makeQuestion(.multiChoice, [0, 2])
        #expect(Grading.isCorrect(["c", "a"], to: multi))
        #expect(!Grading.isCorrect(["a"], to: multi))
        #expect(!Grading.isCorrect(["a", "b", "c"], to: multi))
        #expect(!Grading.isCorrect(["a", "a"], to: multi))
    }

    @Test func anOrderingMustBeExact() {
        let ordering = makeQuestion(.ordering, [2, 0, 3, 1])
        #expect(Grading.isCorrect(["c", "a", "d", "b"], to: ordering))
        #expect(!Grading.isCorrect(["a", "c", "d", "b"], to: ordering))
    }

    /// Computed by hand for the key a, c of a, b, c, d.
    @Test(
        arguments: [
            ("ac", 1.0, 1.0, 1.0), ("a", 0, 0.5, 0.75), ("ab", 0, 0, 0.5), ("abc", 0, 0.5, 0.75),
            ("abcd", 0, 0, 0.5), ("bd", 0, 0, 0), ("", 0, 0, 0),
        ] as [(String, Double, Double, Double)])
    func creditOfSeveralChoices(
        answer: String, allOrNothing: Double, lessWrong: Double, perOption: Double
    ) throws {
        let multi = makeQuestion(.multiChoice, [0, 2])
        let expected: [ScoringPolicy.Choice: Double] = [
            .allOrNothing: allOrNothing, .rightLessWrong: lessWrong, .perOption: perOption,
        ]
        for choice in ScoringPolicy.Choice.allCases {
            let grade = try Grading.grade(
                .options(answer.map(String.init)), to: multi, policy: .init(choice: choice))
            #expect(grade.credit == expected[choice], "\(choice)")
        }
    }

    /// Computed by hand for the key c, a, d, b.
    @Test(
        arguments: [
            ("cadb", 1.0, 1.0, 1.0, 1.0), ("cabd", 0, 0.5, 1.0 / 3, 5.0 / 6),
            ("bdac", 0, 0, 0, 0), ("adbc", 0, 0, 2.0 / 3, 0.5), ("dbca", 0, 0, 2.0 / 3, 1.0 / 3),
        ] as [(String, Double, Double, Double, Double)])
    func creditOfOrders(
        answer: String, allOrNothing: Double, exact: Double, adjacent: Double, pairs: Double
    ) throws {
        let ordering = makeQuestion(.ordering, [2, 0, 3, 1])
        let expected: [ScoringPolicy.Order: Double] = [
            .allOrNothing: allOrNothing, .exactPosition: exact, .adjacentPairs: adjacent,
            .pairwisePrecedence: pairs,
        ]
        for order in ScoringPolicy.Order.allCases {
            let grade = try Grading.grade(
                .options(answer.map(String.init)), to: ordering, policy: .init(order: order))
            #expect(isNear(grade.credit, expected[order] ?? -9, absolute: 1e-12), "\(order)")
        }
    }

    @Test func wrongAnswersCostThePenaltyAndSkippedOnesNothing() throws {
        let single = makeQuestion(.singleChoice, [1])
        let policy = ScoringPolicy(penalty: ScoringPolicy.fairPenalty(optionCount: 4))
        #expect(try Grading.grade(["a"], to: single, policy: policy).credit == -1.0 / 3)
        #expect(try Grading.grade(["b"], to: single, policy: policy).credit == 1)
        #expect(try Grading.grade([], to: single, policy: policy).credit == 0)
        let multi = makeQuestion(.multiChoice, [0, 2])
        let partial = ScoringPolicy(choice: .rightLessWrong, penalty: 0.5)
        #expect(try Grading.grade(["a"], to: multi, policy: partial).credit == 0.5)
        #expect(try Grading.grade(["b"], to: multi, policy: partial).credit == -0.5)
        #expect(ScoringPolicy(penalty: 9).penalty == 1)
        #expect(ScoringPolicy(penalty: .nan).penalty == 0)
    }

    @Test func lateAnswersAreWorthNothingButStayRight() throws {
        let single = makeQuestion(.singleChoice, [1])
        let policy = ScoringPolicy(penalty: 1, timeLimit: 30)
        let late = try Grading.grade(["b"], to: single, policy: policy, timeTaken: 30.1)
        #expect(late.credit == 0 && late.isCorrect && late.isLate)
        #expect(try Grading.grade(["a"], to: single, policy: policy, timeTaken: 99).credit == 0)
        #expect(try Grading.grade(["b"], to: single, policy: policy, timeTaken: 30).credit == 1)
    }

    @Test func explanationAndFeedbackComeBack() throws {
        var single = makeQuestion(.singleChoice, [1])
        single.explanation = "because"
        single.options[0].feedback = "not quite"
        single.options[1].feedback = "yes"
        let grade = try Grading.grade(["a"], to: single)
        #expect(grade.explanation == "because")
        #expect(grade.correctOptionIDs == ["b"])
        #expect(grade.options.map(\.text) == ["not quite", nil, nil, nil])
        #expect(grade.options.map(\.isChosen) == [true, false, false, false])
        #expect(grade.options.map(\.isRight) == [false, true, false, false])
    }

    @Test func whatCannotBeGradedNamesItsQuestion() {
        func failure(_ answer: QuestionResponse, _ question: Question) -> GradingError? {
            do throws(GradingError) {
                _ = try Grading.grade(answer, to: question)
                return nil
            } catch { return error }
        }
        #expect(failure(["a"], makeQuestion(.singleChoice, [])) == .noKey(question: "q"))
        #expect(failure(["a"], makeQuestion(.singleChoice, [4])) == .brokenKey(question: "q"))
        #expect(failure(["a"], makeQuestion(.singleChoice, [-1])) == .brokenKey(question: "q"))
        #expect(failure(["a"], makeQuestion(.multiChoice, [0, 0])) == .brokenKey(question: "q"))
        #expect(failure(["a"], makeQuestion(.ordering, [0, 1])) == .brokenKey(question: "q"))
        let single = makeQuestion(.singleChoice, [0])
        #expect(failure(["z"], single) == .unknownOption("z", question: "q"))
        #expect(failure(["\u{200B}a"], single) == .unknownOption("\u{200B}a", question: "q"))
        #expect(failure(["a", "b"], single) == .tooManyOptions(question: "q"))
        #expect(failure(["a", "a"], single) == .repeatedOption("a", question: "q"))
        let ordering = makeQuestion(.ordering, [3, 2, 1, 0])
        #expect(failure(["a", "b"], ordering) == .incompleteOrder(question: "q"))
        #expect(failure([], ordering) == nil)
        #expect(!Grading.isCorrect(["a"], to: makeQuestion(.singleChoice, [9])))
    }

    /// Every policy, seeded questions and answers: the order of options in the question and, for
    /// choices, in the answer never matters; full credit exactly for the key.
    @Test(arguments: 0..<300)
    func lawsOfEveryPolicy(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let types: [QuestionType] = [.singleChoice, .multiChoice, .ordering, .codeSnippet]
        let type = types[Int(seed) % types.count]
        let count = Int.random(in: 2...7, using: &random)
        let order = (0..<count).shuffled(using: &random)
        let keyCount =
            type == .ordering
            ? count : type == .multiChoice ? Int.random(in: 1...count, using: &random) : 1
        let question = makeQuestion(type, Array(order.prefix(keyCount)), options: count)
        let ids = question.options.map(\.id).shuffled(using: &random)
        let size =
            type == .ordering
            ? count : type == .multiChoice ? Int.random(in: 1...count, using: &random) : 1
        let answer = Array(ids.prefix(size))
        var moved = question
        let places = (0..<count).shuffled(using: &random)
        moved.options = places.map { question.options[$0] }
        moved.correct = question.correct.compactMap { places.firstIndex(of: $0) }
        for choice in ScoringPolicy.Choice.allCases {
            for how in ScoringPolicy.Order.allCases {
                let policy = ScoringPolicy(
                    choice: choice, order: how, penalty: .random(in: 0...1, using: &random))
                let grade = try Grading.grade(.options(answer), to: question, policy: policy)
                let other = type == .ordering ? answer : answer.shuffled(using: &random)
                #expect(
                    try Grading.grade(.options(other), to: moved, policy: policy).credit
                        == grade.credit,
                    "seed \(seed)")
                #expect((grade.credit == 1) == grade.isCorrect, "seed \(seed)")
                #expect((-1...1).contains(grade.credit), "seed \(seed)")
                let full = try Grading.grade(
                    question.correctResponse, to: question, policy: policy)
                #expect(full.credit == 1 && full.isCorrect, "seed \(seed)")
            }
        }
    }

    @Test func optionsOfOneIdDoNotEndTheProgram() throws {
        var ordering = makeQuestion(.ordering, [0, 1, 2, 3])
        ordering.options[1].id = "a"
        let policy = ScoringPolicy(order: .pairwisePrecedence)
        #expect(throws: GradingError.self) {
            try Grading.grade(["d", "c", "a", "a"], to: ordering, policy: policy)
        }
        var single = makeQuestion(.singleChoice, [0])
        single.options[1].id = "a"
        var builder = try ResponseMatrixBuilder(questions: [single])
        builder.add(.test("p", "q", ["a"]))
        #expect(try builder.table().answerCount == 1)
    }

    @Test func tenThousandOptionsAreGraded() throws {
        let key = Array((0..<10_000).reversed())
        let question = Question(
            id: "big", type: .ordering, difficulty: 1, stem: "s",
            options: key.map { QuestionOption(id: "o\($0)", text: "") }, correct: key)
        let answer = question.options.map(\.id)
        for order in ScoringPolicy.Order.allCases where order != .pairwisePrecedence {
            let grade = try Grading.grade(
                .options(answer), to: question, policy: .init(order: order))
            #expect(grade.credit == 0 || order == .adjacentPairs)
        }
        #expect(try Grading.grade(question.correctResponse, to: question).credit == 1)
    }

    @Test func pointsReachTheLevelOfTheLastCut() {
        let blueprint = Blueprint(
            kind: .placement, id: "es", title: "t", version: "",
            scoring: Scoring(cuts: [
                CutScore(level: "A1", from: 0), CutScore(level: "A2", from: 1),
                CutScore(level: "B1", from: 2),
            ]),
            questions: (0..<2).map { makeQuestion(.singleChoice, [0], id: "q\($0)") })
        let levels = [[:], ["q0": ["a"]], ["q0": ["a"], "q1": ["a"]], ["q0": ["b"], "q9": ["a"]]]
            .map { PlacementResult(answers: $0, blueprint: blueprint) }
        #expect(levels.map(\.points) == [0, 1, 2, 0])
        #expect(levels.map(\.level) == ["A1", "A2", "B1", "A1"])
    }

    @Test(arguments: 0..<50)
    func shufflingKeepsOptionsAndPins(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var question = makeQuestion(.singleChoice, [0])
        question.options[3].isPinned = true
        let shown = question.optionsInRandomOrder(using: &random)
        #expect(shown.last?.id == "d", "seed \(seed)")
        #expect(Set(shown) == Set(question.options), "seed \(seed)")
        question.shufflesOptions = false
        #expect(question.optionsInRandomOrder(using: &random) == question.options)
    }
}
