public import Foundation
public import Underway

/// A session in the list of a subject's sessions.
public struct SubjectSession: Sendable, Hashable, Identifiable {
    /// The session's id.
    public var id: String
    /// The purpose.
    public var mode: SessionMode
    /// The time at which it began.
    public var startedAt: Date
    /// The total time of the questions on the screen, in seconds.
    public var secondsTaken: TimeInterval
    /// The number of right answers, with corrected grades.
    public var correctCount: Int
    /// The number of answers.
    public var answerCount: Int
    /// The number of questions.
    public var questionCount: Int
    /// True when the session has ended, so that it has a review.
    public var isFinished: Bool
    /// The level of a placement test; `nil` for another purpose, and for a test without a level.
    public var level: String?

    init(_ saved: SavedSession, _ blueprint: Blueprint) throws {
        let session = saved.regraded ?? saved.session
        id = saved.id
        mode = session.mode
        startedAt = session.startedAt
        secondsTaken = session.timeTaken
        let total = SessionResult(session).total
        (correctCount, questionCount) = (total.correctCount, total.questionCount)
        answerCount = session.items.count { $0.isFirst && $0.answer != nil }
        isFinished = session.state == .finished
        guard isFinished, mode == .placement else { return }
        level = try PlacementOutcome(saved.session, blueprint, regraded: saved.regraded).level
    }

    /// Returns the name of the purpose.
    public func kind(_ words: StudyText) -> String { words[mode.titleKey] }

    /// Returns the result and the minutes: "12 of 20 · 6 minutes"; the progress of a session that has not ended.
    public func result(_ formats: StudyFormats) -> String {
        let words = formats.words
        guard isFinished else { return words.count("subject.openSession", answerCount) }
        return [outcome(formats), formats.minutes(.seconds(secondsTaken))]
            .joined(separator: " · ")
    }

    private func outcome(_ formats: StudyFormats) -> String {
        guard mode == .placement else {
            return formats.words.text(
                "app.share",
                [
                    "part": formats.number(correctCount), "total": formats.number(questionCount),
                ])
        }
        return level.map { formats.words.text("library.level", ["level": $0]) }
            ?? formats.words["result.tooFew"]
    }
}

extension SessionMode {
    /// The key of the name of the purpose.
    var titleKey: String {
        switch self {
        case .study: "result.session"
        case .exam: "result.simulation"
        case .placement: "result.placement"
        }
    }
}

/// A page of the sessions of a subject, the newest first.
public struct SessionListScreen: Sendable, Hashable {
    /// The maximum number of sessions on a page.
    public static let pageSize = 20
    /// The number of sessions that a subject's own page lists.
    public static let newestCount = 3

    /// The language or exam.
    public var subject: Subject
    /// The sessions of the page.
    public var sessions: [SubjectSession]
    /// The number of all sessions of the subject on this device.
    public var count: Int
    /// The page and the number of pages.
    public var page: PageNumber
}
