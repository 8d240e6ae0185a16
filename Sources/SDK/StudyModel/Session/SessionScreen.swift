public import Foundation
public import Underway

/// A question of a session as a screen shows it.
public struct SessionScreen: Sendable, Hashable {
    /// The outcome of a checked answer.
    public struct Verdict: Sendable, Hashable {
        /// The learner's response.
        public var response: QuestionResponse
        /// The credit and the feedback.
        public var grade: Grade
        /// The time until the question comes again; `nil` where nothing is scheduled.
        public var next: StudyInterval?
        /// The time until it comes again by rating, while the answer can be rated; else empty.
        public var nextByRating: [Rating: StudyInterval]
    }

    /// The session's id.
    public var id: String
    /// The purpose.
    public var mode: SessionMode
    /// The language or exam.
    public var subject: Subject
    /// The place of the question, from 0.
    public var index: Int
    /// The number of questions; the most in a test that chooses each by the answers so far.
    public var count: Int
    /// True when the session may end before `count`.
    public var isCountMost: Bool
    /// The question.
    public var question: Question
    /// The options in the order in which they are shown.
    public var options: [QuestionOption]
    /// The title of the question's domain.
    public var domain: String?
    /// The label of the question's difficulty.
    public var level: String?
    /// The response so far: that of an exam can be changed until it is handed in.
    public var response: QuestionResponse?
    /// The outcome; `nil` while the question is open, and always where the mode shows none.
    public var verdict: Verdict?
    /// True when the learner flagged the question, to return to it.
    public var isFlagged: Bool
    /// True when the question is one of the learner's favourites.
    public var isFavourite: Bool
    /// The files of the question's and its options' images by their names; those that the release lacks are
    /// left out.
    public var images: [String: Checksum]
    /// The questions of an exam by their state, for its overview.
    public var overview: [Place]
    /// The seconds left of the time limit; `nil` without one.
    public var secondsLeft: TimeInterval?
    /// The index of the question that comes next; `nil` when the session ends after this one.
    public var next: Int?
    /// Whether the question can be reported: only a checked one, whose key is shown.
    public var reporting = Reporting.unavailable

    /// A question in the overview of an exam.
    public struct Place: Sendable, Hashable {
        /// True when it has an answer.
        public var isAnswered: Bool
        /// True when it is flagged.
        public var isFlagged: Bool
    }

    /// True in a session that shows whether an answer is right as soon as it is given.
    public var showsVerdicts: Bool { mode == .study }
}
