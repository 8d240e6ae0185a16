public import Foundation
public import Underway

/// The result of a session: the learner's score or level, with its uncertainty.
public struct ResultScreen: Sendable, Hashable {
    /// The score of a part of the questions.
    public struct Part: Sendable, Hashable, Identifiable {
        /// The domain's id.
        public var id: String
        /// Its title.
        public var title: String
        /// The number of right answers.
        public var correctCount: Int
        /// The number of questions.
        public var questionCount: Int
    }

    /// A question of the session with the learner's answer.
    public struct Reviewed: Sendable, Hashable, Identifiable {
        /// The question's place in the session, from 1.
        public var number: Int
        /// The question as it is now.
        public var question: Question
        /// The response; `nil` for none.
        public var response: QuestionResponse?
        /// True when the response was right, or is right since a correction of the key.
        public var isCorrect: Bool
        /// True when the key was corrected since and the grade of the answer changed.
        public var isRegraded: Bool
        /// True when the present key would grade the answer differently: the right answer changed without a correction,
        /// so the answer retains its grade.
        public var hasOtherKey: Bool

        /// The question's id.
        public var id: String { question.id }
    }

    /// The answers that a review shows.
    public enum Selection: String, Sendable, Hashable {
        /// Every answer.
        case all
        /// Wrong answers, and questions without one.
        case missed
    }

    /// The maximum number of missed answers that the result itself lists.
    public static let missedListedMax = 3

    /// The session's id.
    public var id: String
    /// The purpose.
    public var mode: SessionMode
    /// The language or exam.
    public var subject: Subject
    /// The time at which it began.
    public var startedAt: Date
    /// The total time of the questions on the screen, in seconds.
    public var secondsTaken: TimeInterval
    /// The number of right answers, with corrected grades.
    public var correctCount: Int
    /// The number of right answers when the session ended; differs after a correction.
    public var formerCorrectCount: Int
    /// The number of questions.
    public var questionCount: Int
    /// The score of the questions that were asked again in the same session.
    public var again: SessionResult.Score
    /// The number of right answers that passes; `nil` without a pass mark.
    public var passCount: Int?
    /// The level; `nil` for another purpose than placement.
    public var placement: PlacementOutcome?
    /// The level when the session ended; differs after a correction.
    public var formerLevel: String?
    /// The score by domain, in the author's order.
    public var parts: [Part]
    /// The questions with their answers, in the order in which they were asked.
    public var reviewed: [Reviewed]
    /// True when the time limit was reached.
    public var isTimeOver: Bool
    /// The number of questions of the session that are no longer in the content.
    public var missingCount: Int
    /// Another subject with due questions, for further study; `nil` for none.
    public var next: TodayScreen.Due?
    /// The live event of which the session is a round; `nil` for none.
    public var event: LiveEvent?
    /// The ids of questions that the learner has reported; `nil` if reports are not possible.
    public var reported: Set<String>?
    /// The key of the answer that ``SessionModel/undo(_:)`` would take back now; `nil` for none.
    public var undoKey: String?

    /// True when the pass mark was reached; `nil` without one.
    public var hasPassed: Bool? { passCount.map { correctCount >= $0 } }
    /// The questions with a wrong answer or none.
    public var missed: [Reviewed] { reviewed.filter { !$0.isCorrect } }
    /// The first question whose correction changed the points; `nil` for none.
    public var corrected: Reviewed? { reviewed.first { $0.isRegraded } }

    /// Returns the state of a question with regard to reports.
    public func reporting(_ reviewed: Reviewed) -> Reporting {
        guard let reported else { return .unavailable }
        return reported.contains(reviewed.id) ? .reported : .open
    }

    /// Returns the questions of a review.
    ///
    /// - Parameters:
    ///   - selection: The answers to show.
    ///   - part: The topic of the questions; `nil` for all.
    /// - Returns: The questions in the order in which they were asked.
    public func reviewed(_ selection: Selection, of part: Part? = nil) -> [Reviewed] {
        (selection == .missed ? missed : reviewed).filter {
            part == nil || $0.question.domain == part?.id
        }
    }
}
