import ContentModel
import QuestionEngine
import StudyModel

extension ResultScreen {
    /// Returns the finding and the parts, as on the page of the result.
    func text(_ formats: StudyFormats) -> String {
        let words = ResultText(self, formats)
        let finding = [words.timeOver ?? "", words.finding, words.certainty].filter { !$0.isEmpty }
        return
            (["\nResult: " + finding.joined(separator: " ")]
            + parts.map { "  \($0.title): \($0.correctCount) of \($0.questionCount)" })
            .joined(separator: "\n")
    }

    /// The result as JSON.
    var json: JSONValue {
        .compact([
            "questions": .integer(questionCount), "correct": .integer(correctCount),
            "unanswered": .integer(reviewed.count { $0.response == nil }),
            "again": .integer(again.questionCount), "againCorrect": .integer(again.correctCount),
            "seconds": .decimal(secondsTaken), "passed": hasPassed.map { .bool($0) },
            "level": placement?.level.map { .string($0) },
            "possibleLevels": placement.map { .array($0.likelyLevels.map { .string($0) }) },
            "ability": placement.map { .decimal($0.estimate.ability) },
            "standardError": placement.map { .decimal($0.estimate.standardError) },
            "domains": .object(
                Dictionary(
                    parts.map { part in
                        (
                            part.id,
                            [
                                "questions": .integer(part.questionCount),
                                "correct": .integer(part.correctCount),
                            ]
                        )
                    }, uniquingKeysWith: { first, _ in first })),
        ])
    }
}
