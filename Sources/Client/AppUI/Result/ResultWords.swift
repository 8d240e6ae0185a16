#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import StudyModel
import Underway

/// The sentences of a result.
struct ResultWords {
    /// The finding, as the heading.
    let finding: String
    /// How sure the finding is; `nil` where it is a count.
    let certainty: String?
    /// The former points, after a correction.
    let correction: String?
    /// The title of the button that goes on.
    let studyOn: String

    init(_ screen: ResultScreen, _ formats: StudyFormats) {
        let words = formats.words
        correction =
            screen.formerCorrectCount == screen.correctCount
            ? nil
            : words.text("result.itWas", ["points": formats.number(screen.formerCorrectCount)])
        studyOn =
            screen.placement?.level.map { words.text("result.studyFrom", ["level": $0]) }
            ?? words["result.studyOn"]
        if let placement = screen.placement {
            (finding, certainty) = Self.level(placement, formats)
        } else {
            (finding, certainty) = (Self.points(screen, formats), nil)
        }
    }

    private static func points(_ screen: ResultScreen, _ formats: StudyFormats) -> String {
        let points = formats.number(screen.correctCount)
        let total = formats.number(screen.questionCount)
        guard let hasPassed = screen.hasPassed, let needed = screen.passCount else {
            return formats.words.text("result.rightOf", ["right": points, "total": total])
        }
        return formats.words.text(
            hasPassed ? "result.passed" : "result.notPassed",
            ["points": points, "total": total, "needed": formats.number(needed)])
    }

    private static func level(
        _ placement: PlacementOutcome, _ formats: StudyFormats
    ) -> (String, String) {
        let words = formats.words
        guard let level = placement.level, let low = placement.likelyLevels.first,
            let high = placement.likelyLevels.last
        else { return (words["result.tooFew"], words["result.tooFewHint"]) }
        let range = words.text(
            low == high ? "result.rangeOne" : "result.range",
            [
                "share": formats.percent(PlacementOutcome.likelihood), "low": low, "high": high,
            ])
        return (words.text("result.level", ["level": level]), range)
    }

    /// Returns the line under a reviewed question.
    static func outcome(of reviewed: ResultScreen.Reviewed, _ formats: StudyFormats) -> String {
        let right = text(reviewed.question.correctResponse, reviewed.question)
        guard !reviewed.isCorrect else { return formats.words["session.yourRightAnswer"] }
        guard let response = reviewed.response, !response.isEmpty else {
            return formats.words.text("result.unanswered", ["right": right])
        }
        return formats.words.text(
            "result.youAndRight", ["given": text(response, reviewed.question), "right": right])
    }

    private static func text(_ response: QuestionResponse, _ question: Question) -> String {
        switch response {
        case .options(let ids):
            ids.compactMap { id in question.options.first { $0.id == id }?.text }
                .joined(separator: ", ").replacing("`", with: "")
        case .number(let number): number.description
        case .unknown: ""
        }
    }
}
#endif
