import Foundation
import Underway

/// A subject's page as text for a learner.
public struct SubjectText: Sendable, Hashable {
    /// The level with its range and date, or the reason why there is none; `nil` for a subject without levels.
    public var level: String?
    /// The title of the button that begins the placement test, with its length.
    public var findLevel: String
    /// The maximum length of the placement test.
    public var placementHint: String
    /// The title of the button that studies what is due.
    public var study: String
    /// The number of due questions with the time they take, or that nothing is due.
    public var studyHint: String
    /// The sentence about the new questions of a day; `nil` when no question is new.
    public var newLimit: String?
    /// The number of answered questions among all.
    public var seen: String
    /// The title of the link to all sessions; `nil` when all are listed.
    public var allSessions: String?

    /// Creates the texts of a subject in a language.
    public init(_ screen: SubjectScreen, _ formats: StudyFormats) {
        let words = formats.words
        level = screen.hasPlacement ? Self.level(screen, formats) : nil
        findLevel = words.text(
            "subject.findLevel",
            ["duration": formats.minutes(.seconds(screen.placementSeconds))])
        placementHint = words.count(
            "subject.placementHint", screen.placementQuestionCount,
            ["duration": formats.about(.seconds(screen.placementSeconds))])
        study = words.text("today.study", ["number": formats.number(screen.dueCount)])
        studyHint =
            screen.dueCount == 0
            ? words["today.done"]
            : formats.about(.seconds(screen.studySeconds))
        newLimit = screen.newLimit(words)
        seen = words.text(
            "subject.seen",
            [
                "part": formats.number(screen.seenCount),
                "total": formats.number(screen.questionCount),
            ])
        let (listed, count) = (screen.sessions.sessions.count, screen.sessions.count)
        allSessions = count > listed ? words.count("subject.allSessions", count) : nil
    }

    private static func level(_ screen: SubjectScreen, _ formats: StudyFormats) -> String {
        let words = formats.words
        guard let placement = screen.placement, let level = placement.level else {
            return words[screen.wasPlacementSkipped ? "subject.skippedLevel" : "subject.noLevel"]
        }
        let range = [
            "level": level, "low": placement.likelyLevels.first ?? level,
            "high": placement.likelyLevels.last ?? level,
        ]
        guard let date = screen.placedAt else { return words.text("subject.yourLevel", range) }
        let day = ["date": formats.date(date, now: screen.now)]
        return words.text("subject.yourLevelOn", range.merging(day) { first, _ in first })
    }
}

extension SubjectScreen {
    /// Returns the length of a simulated exam, and its pass mark, if any.
    ///
    /// - Parameter formats: The words of a language.
    /// - Returns: Such as "30 questions, about 30 minutes. You pass with 60 %."
    public func simulationSentence(_ formats: StudyFormats) -> String {
        var named = ["duration": formats.about(.seconds(examSeconds))]
        guard let passFraction else {
            return formats.words.count("subject.simulateLength", examQuestionCount, named)
        }
        named["pass"] = formats.percent(passFraction)
        return formats.words.count("subject.simulateHint", examQuestionCount, named)
    }
}
