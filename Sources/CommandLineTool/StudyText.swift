import ContentModel
import QuestionEngine

extension GradingError {
    /// The text for the learner.
    var text: String {
        switch code {
        case .noKey, .brokenKey: "This question has no usable key; skip it with an empty line."
        case .unknownOption: "There is no option \(option ?? "of that name")."
        case .repeatedOption: "Name each option once."
        case .tooManyOptions: "Only one option is right."
        case .incompleteOrder: "Name every option once, in the right order."
        case .wrongKind: "This question takes another kind of answer."
        default: message
        }
    }
}

extension PlacementResult {
    var text: String {
        let level = level.map { ", level \($0)" } ?? ""
        let result = "\nResult: \(points) of \(questionCount)\(level)"
        return isCutShort ? "\(result). No level: the test was cut short (--limit)." : result
    }

    var json: JSONValue {
        .compact([
            "points": .integer(points), "questions": .integer(questionCount),
            "level": level.map { .string($0) }, "cutShort": isCutShort ? true : nil,
        ])
    }
}

extension SessionResult {
    func text(_ blueprint: Blueprint) -> String {
        let verdict = hasPassed.map { $0 ? ", passed" : ", not passed" } ?? ""
        var lines = [
            "\nResult: \(total.correctCount) of \(total.questionCount) right,"
                + " \(Int((100 * total.fraction).rounded())) %\(verdict)"
        ]
        for domain in blueprint.domains {
            guard let score = domains[domain.id] else { continue }
            lines.append("  \(domain.title): \(score.correctCount) of \(score.questionCount)")
        }
        return lines.joined(separator: "\n")
    }

    var json: JSONValue {
        .compact([
            "questions": .integer(total.questionCount), "correct": .integer(total.correctCount),
            "credit": .decimal(total.credit), "unanswered": .integer(total.unansweredCount),
            "seconds": .decimal(timeTaken), "passed": hasPassed.map { .bool($0) },
            "domains": .object(
                domains.mapValues {
                    [
                        "questions": .integer($0.questionCount),
                        "correct": .integer($0.correctCount), "credit": .decimal($0.credit),
                    ]
                }),
        ])
    }
}
