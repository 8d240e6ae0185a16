public import Foundation
public import Underway

/// The first screen, with the next things to do.
public struct TodayScreen: Sendable, Hashable {
    /// An interrupted session.
    public struct Stopped: Sendable, Hashable, Identifiable {
        /// The session's id.
        public var id: String
        /// The language or exam.
        public var subject: Subject
        /// The purpose.
        public var mode: SessionMode
        /// The place of the next question, from 0.
        public var index: Int
        /// The number of questions.
        public var count: Int
        /// True when the session may end before `count`.
        public var isCountMost: Bool
        /// The time of its last step.
        public var stoppedAt: Date
    }

    /// A subject with something to study.
    public struct Due: Sendable, Hashable, Identifiable {
        /// The language or exam.
        public var subject: Subject
        /// The number of questions that a session would ask, reviews and new ones.
        public var count: Int
        /// The number of new questions among them.
        public var newCount: Int
        /// The date of a booked exam.
        public var examDate: ExamDate?
        /// The reviews that hold new questions back today; `nil` if none do.
        public var backlog: DailyAllowance.Backlog?

        /// The subject's id.
        public var id: String { subject.id }
    }

    /// An exam that the learner booked.
    public struct Booked: Sendable, Hashable, Identifiable {
        /// The exam.
        public var subject: Subject
        /// The date: a day, or a moment.
        public var date: ExamDate
        /// The expected score; `nil` below 20 answers, and after the exam was taken.
        public var forecast: ExamForecast?

        /// The subject's id.
        public var id: String { subject.id }
    }

    /// A subject with questions of today that are set aside: by today's answers, or by the learner.
    public struct Aside: Sendable, Hashable, Identifiable {
        /// The language or exam.
        public var subject: Subject
        /// The number of these questions.
        public var count: Int
        /// True for those that the learner set aside.
        public var isOwn: Bool

        /// The id, unique on the first screen.
        public var id: String { isOwn ? "own \(subject.id)" : subject.id }

        /// The sentence about them.
        public func sentence(_ words: StudyText) -> String {
            words.count(
                isOwn ? "aside.todayOwn" : "aside.today", count, ["subject": subject.title])
        }
    }

    /// A result whose points changed because a question was corrected.
    public struct Corrected: Sendable, Hashable, Identifiable {
        /// The session's id.
        public var id: String
        /// The time at which the session began.
        public var startedAt: Date
        /// The number of right answers that the learner last saw.
        public var formerCorrectCount: Int
        /// The number of right answers, with corrected grades.
        public var correctCount: Int
        /// The number of questions.
        public var questionCount: Int
        /// The place of the first corrected question in the session, from 1; `nil` when a correction was revoked.
        public var number: Int?
    }

    /// The maximum number of interrupted sessions that are offered.
    public static let stoppedMax = 3

    /// The time of the screen.
    public var now: Date
    /// A moment with the date of the learner's day, which is yesterday's before the rollover hour.
    public var day: Date
    /// The session to continue; `nil` when none is open.
    public var stopped: Stopped?
    /// The earlier interrupted sessions, the newest first; fewer than ``stoppedMax``.
    public var stoppedBefore: [Stopped] = []
    /// The newest result that a correction changed and the learner has not viewed; `nil` for none.
    public var corrected: Corrected?
    /// The subjects with something to study, the most due first.
    public var due: [Due]
    /// The booked exams of the future, the next first.
    public var booked: [Booked]
    /// The time in seconds for all due questions, at the learner's pace.
    public var secondsOfDue: TimeInterval
    /// The number of questions that this screen will show tomorrow, with new ones and within the limits, if those of
    /// today are answered and others are not.
    public var dueTomorrow: Int
    /// False for a learner who has not answered anything yet.
    public var hasStarted: Bool
    /// The studied subjects that the content no longer has.
    public var missing: [Subject]
    /// What may be studied although nothing is due; empty while something is.
    public var offers: [StudyOffer] = []
    /// The subjects with questions of today that are set aside.
    public var aside: [Aside] = []

    /// The number of all due questions: the sum of the rows.
    public var dueCount: Int { due.reduce(0) { $0 + $1.count } }
    /// The first subject when everything is studied; `nil` when nothing is due.
    public var mostUrgent: Due? { due.mostUrgent }
}

extension [TodayScreen.Due] {
    /// The subject of the next exam, else the one with the most due; `nil` for none.
    var mostUrgent: TodayScreen.Due? {
        let dates = compactMap { due in due.examDate.map { (due, $0) } }
        return dates.min { $0.1 < $1.1 }?.0 ?? first
    }
}
