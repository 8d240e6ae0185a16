public import Underway

/// The first screen as text for a learner.
public struct TodayText: Sendable, Hashable {
    /// The sentence about a result that a correction changed; `nil` for none.
    public var corrected: String?
    /// The title of the button that studies everything.
    public var studyAll: String
    /// The sentence about the order in which everything is studied; `nil` for one subject.
    public var studyAllHint: String?

    /// Creates the texts of a screen in a language.
    public init(_ screen: TodayScreen, _ formats: StudyFormats) {
        let words = formats.words
        corrected = screen.corrected.map { corrected in
            words.text(
                "today.correctedResult",
                [
                    "date": formats.dateAndTime(corrected.startedAt, now: screen.now),
                    "now": formats.number(corrected.correctCount),
                    "total": formats.number(corrected.questionCount),
                    "before": formats.number(corrected.formerCorrectCount),
                ])
        }
        studyAll = words.text("today.studyAll", ["number": formats.number(screen.dueCount)])
        studyAllHint = screen.due.count > 1 ? words["today.oneAfterOther"] : nil
    }
}

extension TodayScreen.Due {
    /// The number of questions that its next session asks.
    public var askedCount: Int { min(count, SessionStart.studyQuestionsMax) }

    /// Returns the counts: "4 due · 10 new".
    public func details(_ formats: StudyFormats) -> String {
        let reviewCount = count - newCount
        return [
            reviewCount > 0 ? formats.words.count("today.due", reviewCount) : nil,
            newCount > 0 ? formats.words.count("today.new", newCount) : nil,
        ].compactMap(\.self).joined(separator: " · ")
    }

    /// Returns the title of the button that studies it, for a place without the subject's name.
    public func studyTitle(_ formats: StudyFormats) -> String {
        formats.words.text(
            "today.studySubject",
            ["number": formats.number(askedCount), "subject": subject.title])
    }
}

extension DailyAllowance.Backlog {
    /// Returns the reason for nothing new, as "230 are due and your limit is 200: nothing new today"; once the day was
    /// begun, the reason for nothing more.
    public func sentence(_ formats: StudyFormats) -> String {
        let (words, limit) = (formats.words, ["limit": formats.number(limit)])
        guard isDayBegun else { return words.count("today.backlog", due, limit) }
        return left == 0
            ? words.text("today.backlogDone", limit)
            : words.count("today.backlogBegun", left, limit)
    }
}

extension TodayScreen.Stopped {
    /// Returns the place of the next question: "Question 2 of 20".
    public func place(_ formats: StudyFormats) -> String {
        formats.words.text(
            isCountMost ? "session.titleOfMost" : "today.question",
            ["number": formats.number(index + 1), "total": formats.number(count)])
    }
}
