import ContentModel
import QuestionEngine

/// Grading by type, and selection under weights.
enum GradingBenchmark {
    private static let rounds = 200_000

    static func run() throws {
        for type in QuestionType.allCases {
            let (question, wrong) = example(type)
            let right = question.correctResponse
            let policy = ScoringPolicy(choice: .perOption, order: .pairwisePrecedence)
            var credit = 0.0
            let seconds = try EngineBenchmarks.seconds {
                for round in 0..<rounds {
                    let answer = round % 2 == 0 ? right : wrong
                    credit += try Grading.grade(answer, to: question, policy: policy).credit
                }
            }
            var equal = 0
            let bare = EngineBenchmarks.seconds {
                for round in 0..<rounds {
                    let answer = round % 2 == 0 ? right : wrong
                    if Grading.isCorrect(answer, to: question) { equal += 1 }
                }
            }
            try EngineBenchmarks.report([
                "type": type.rawValue, "perSecond": Double(rounds) / seconds,
                "barePerSecond": Double(rounds) / bare, "credit": credit, "right": equal,
            ])
        }
    }

    /// A question of a type, with a wrong response.
    private static func example(_ type: QuestionType) -> (Question, QuestionResponse) {
        switch type {
        case .singleChoice, .codeSnippet: (question("q", type, [1]), ["d"])
        case .multiChoice: (question("q", type, [0, 2]), ["d"])
        case .ordering: (question("q", type, [2, 0, 3, 1]), ["a", "b", "c", "d"])
        case .numericEntry:
            (
                Question(
                    id: "q", type: type, difficulty: 1, stem: "?",
                    key: .number(NumericKey(.value(10, .absolute(1))))), .number(12)
            )
        }
    }

    private static func question(_ id: String, _ type: QuestionType, _ key: [Int]) -> Question {
        Question(
            id: id, type: type, difficulty: 1, stem: "?",
            options: ["a", "b", "c", "d"].map { QuestionOption(id: $0, text: $0) }, correct: key)
    }

    /// 65 of 10,000 questions in five domains, with 500 of them seen recently.
    static func select() throws {
        let domains = ["a": 24.0, "b": 26, "c": 20, "d": 18, "e": 12]
        let names = domains.keys.sorted()
        let questions = (0..<10_000).map { number in
            var question = question("q\(number)", .singleChoice, [0])
            question.domain = names[number % names.count]
            return question
        }
        let pool = QuestionPool([
            Blueprint(
                kind: .exam, id: "int/bench", title: "t", version: "",
                domains: names.map { Domain(id: $0, title: $0, weight: domains[$0] ?? 0) },
                questions: questions)
        ])
        var criteria = QuestionCriteria()
        criteria.excluded = Set((0..<500).map { "q\($0 * 7)" })
        var random = SeededRandom(seed: 1)
        var count = 0
        let rounds = 200
        let weighted = EngineBenchmarks.seconds {
            for _ in 0..<rounds {
                count += pool.selection(of: 65, criteria, using: &random).questions.count
            }
        }
        let plain = EngineBenchmarks.seconds {
            for _ in 0..<rounds {
                count += questions.shuffled(using: &random).prefix(65).count
            }
        }
        try EngineBenchmarks.report([
            "milliseconds": 1_000 * weighted / Double(rounds),
            "plainMilliseconds": 1_000 * plain / Double(rounds), "count": count,
        ])
    }
}
