public import Foundation
public import Underway

/// A question of a session, for a screen.
public struct SessionScreen: Sendable, Hashable {
    /// The outcome of a checked answer.
    public struct Verdict: Sendable, Hashable {
        /// The learner's response.
        public var response: QuestionResponse
        /// The credit and the feedback.
        public var grade: Grade
        /// The time until the question is repeated; `nil` when nothing is scheduled.
        public var next: StudyInterval?
        /// The time until it is repeated by rating, while the answer can be rated; else empty.
        public var nextByRating: [Rating: StudyInterval]
        /// The record that sets the question aside, if study does not ask it again; else `nil`.
        public var setAside: SetAsideQuestion?
    }

    /// The session's id.
    public var id: String
    /// The purpose.
    public var mode: SessionMode
    /// The language or exam.
    public var subject: Subject
    /// The place of the question, from 0.
    public var index: Int
    /// The number of questions; the maximum in a test that selects each by the answers so far.
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
    /// The response so far; in an exam it can be changed until the end.
    public var response: QuestionResponse?
    /// The outcome; `nil` while the question is open, and always when the mode shows none.
    public var verdict: Verdict?
    /// True when the learner flagged the question, to return to it.
    public var isFlagged: Bool
    /// True when the question is one of the learner's favourites.
    public var isFavourite: Bool
    /// The files of the images of the question and its options, by their names, without those that the release lacks.
    public var images: [String: Checksum]
    /// The questions of an exam by their state, for its overview.
    public var overview: [Place]
    /// The remaining seconds of the time limit; `nil` without one.
    public var secondsLeft: TimeInterval?
    /// The index of the question that comes next; `nil` when the session ends after this one.
    public var next: Int?
    /// The index of the question before, to which an exam leads back; `nil` at the first one and in other modes.
    public var previous: Int?
    /// The key of the answer that ``SessionModel/undo(_:)`` would take back now; `nil` for none.
    public var undoKey: String?
    /// The state of the question with regard to reports: only a checked one, whose key is shown, can be reported.
    public var reporting = Reporting.unavailable
    /// The sizes of the images that are on the device, by name, so that their places are known before they are read.
    public var pictureSizes: [String: PictureSize] = [:]
    /// The clip of the question; `nil` for none, or one that the release lacks.
    public var clip: QuestionClip?

    /// A question in the overview of an exam.
    public struct Place: Sendable, Hashable {
        /// True when it has an answer.
        public var isAnswered: Bool
        /// True when it is flagged.
        public var isFlagged: Bool
    }

    /// True in a session that grades each answer on the screen at once.
    public var showsVerdicts: Bool { mode == .study }
}
