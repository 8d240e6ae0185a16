import Foundation
import Underway

/// A result as text for a learner.
public struct ResultText: Sendable, Hashable {
    /// The finding, as the heading.
    public var finding: String
    /// The certainty of the finding; empty for a count.
    public var certainty: String
    /// The purpose, the subject, the start and the duration of the session.
    public var crumbs: String
    /// The former points, after a correction; `nil` without one.
    public var correction: String?
    /// The title of the link to the corrected question; `nil` without a correction.
    public var whyCorrected: String?
    /// The sentence about an exam whose time limit was reached; `nil` for another.
    public var timeOver: String?
    /// The title of the button that continues with the subject.
    public var studyOn: String
    /// The title of the button that studies the next subject; `nil` when this one comes first.
    public var studyNext: String?
    /// The title of the button that shows all answers.
    public var review: String
    /// The title of the link to all missed answers.
    public var allMissed: String

    /// Creates the texts of a result in a language.
    public init(_ screen: ResultScreen, _ formats: StudyFormats) {
        let words = formats.words
        // The title of the subject may run in the other direction: it stands in an isolate.
        crumbs = [
            words[screen.mode.titleKey], "\u{2068}\(screen.subject.title)\u{2069}",
            formats.dateAndTime(screen.startedAt, now: screen.startedAt),
            formats.minutes(.seconds(screen.secondsTaken)),
        ].joined(separator: " · ")
        (finding, certainty) =
            screen.placement.map { Self.level($0, formats) }
            ?? (Self.points(screen, formats), Self.open(screen, words))
        correction = Self.former(screen, formats).map { words.text("result.itWas", ["points": $0]) }
        whyCorrected =
            correction == nil || screen.corrected == nil ? nil : words["result.whyCorrected"]
        timeOver = screen.isTimeOver ? words["simulation.timeOver"] : nil
        studyOn =
            screen.placement?.level.map { words.text("result.studyFrom", ["level": $0]) }
            ?? words["result.studyOn"]
        studyNext = screen.next?.studyTitle(formats)
        review = words.count("result.review", screen.reviewed.count)
        allMissed = words.count("result.allMissed", screen.missed.count)
    }

    /// Returns the level or the points before a correction; `nil` if they are the same.
    private static func former(_ screen: ResultScreen, _ formats: StudyFormats) -> String? {
        if let level = screen.placement?.level, let former = screen.formerLevel {
            return level == former ? nil : former
        }
        return screen.formerCorrectCount == screen.correctCount
            ? nil : formats.number(screen.formerCorrectCount)
    }

    private static func points(_ screen: ResultScreen, _ formats: StudyFormats) -> String {
        let points = formats.number(screen.correctCount)
        let total = formats.number(screen.questionCount)
        // All its questions were set aside before one was answered.
        guard screen.questionCount > 0 else { return formats.words["session.ended"] }
        guard let hasPassed = screen.hasPassed, let needed = screen.passCount else {
            let again = screen.again
            return formats.words.text(
                again.questionCount == 0 ? "result.rightOf" : "result.rightOfAgain",
                [
                    "right": points, "total": total,
                    "againRight": formats.number(again.correctCount),
                    "again": formats.number(again.questionCount),
                ])
        }
        return formats.words.text(
            hasPassed ? "result.passed" : "result.notPassed",
            ["points": points, "total": total, "needed": formats.number(needed)])
    }

    /// Returns the number of unanswered questions as text; empty for none.
    private static func open(_ screen: ResultScreen, _ words: StudyText) -> String {
        let count = screen.reviewed.count { $0.response == nil }
        return count > 0 ? words.count("result.open", count) : ""
    }

    private static func level(
        _ placement: PlacementOutcome, _ formats: StudyFormats
    ) -> (String, String) {
        let words = formats.words
        guard placement.questionCount > 0 else {
            return (words["result.nothing"], words["result.nothingHint"])
        }
        guard let level = placement.level, let low = placement.likelyLevels.first,
            let high = placement.likelyLevels.last
        else { return (words["result.tooFew"], words["result.tooFewHint"]) }
        let range = words.text(
            low == high ? "result.rangeOne" : "result.range",
            ["share": formats.percent(PlacementOutcome.likelihood), "low": low, "high": high])
        return (
            words.text("result.level", ["level": level]),
            range + " " + words.count("result.rangeWhy", placement.questionCount)
        )
    }
}

extension ResultScreen.Reviewed {
    /// Returns the learner's answer beside the right one.
    public func outcome(_ words: StudyText) -> String {
        let right = question.text(of: question.correctResponse)
        let given = response.map(question.text) ?? ""
        guard !isCorrect else { return words["session.yourRightAnswer"] }
        guard !given.isEmpty else { return words.text("result.unanswered", ["right": right]) }
        return words.text("result.youAndRight", ["given": given, "right": right])
    }

    /// The first line of the question's code, which distinguishes questions with the same words; `nil` without code.
    public var codeLine: String? { question.firstCodeLine }
}

extension ResultScreen.Part {
    /// Returns the right answers among all: "3 of 4".
    public func score(_ formats: StudyFormats) -> String {
        formats.words.text(
            "app.share",
            ["part": formats.number(correctCount), "total": formats.number(questionCount)])
    }
}

extension Question {
    /// The first line of the code; `nil` without code.
    var firstCodeLine: String? {
        let lines = (code?.text ?? "").split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard let first = lines.first else { return nil }
        return lines.count > 1 ? first + " …" : first
    }
}
