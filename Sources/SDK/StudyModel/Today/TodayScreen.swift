public import Foundation
public import Underway

/// The first screen: what to do now.
public struct TodayScreen: Sendable, Hashable {
    /// A session that was broken off.
    public struct Stopped: Sendable, Hashable, Identifiable {
        /// The session's id.
        public var id: String
        /// The language or exam.
        public var subject: Subject
        /// The purpose.
        public var mode: SessionMode
        /// The place of the question that is asked next, from 0.
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
        /// The number of new ones among them.
        public var newCount: Int
        /// The date of a booked exam.
        public var examDate: ExamDate?

        /// The subject's id.
        public var id: String { subject.id }
    }

    /// An exam that the learner booked.
    public struct Booked: Sendable, Hashable, Identifiable {
        /// The exam.
        public var subject: Subject
        /// The day, or the moment.
        public var date: ExamDate
        /// The score to expect; `nil` below 20 answers, and after the exam was taken.
        public var forecast: ExamForecast?

        /// The subject's id.
        public var id: String { subject.id }
    }

    /// A result whose points are others since a question of it was corrected.
    public struct Corrected: Sendable, Hashable, Identifiable {
        /// The session's id.
        public var id: String
        /// The time at which the session began.
        public var startedAt: Date
        /// The number of right answers as the learner knows it.
        public var formerCorrectCount: Int
        /// The number of right answers as corrections have graded them.
        public var correctCount: Int
        /// The number of questions.
        public var questionCount: Int
        /// The place of the first corrected question in the session, from 1; `nil` when a correction was taken
        /// back.
        public var number: Int?
    }

    /// The most sessions that are offered to go on with.
    public static let stoppedMax = 3

    /// The time of the screen.
    public var now: Date
    /// The session to continue; `nil` when none is open.
    public var stopped: Stopped?
    /// The sessions that were broken off before it, the newest first; fewer than ``stoppedMax``.
    public var stoppedBefore: [Stopped] = []
    /// The newest result that a correction changed and the learner has not looked at; `nil` for none.
    public var corrected: Corrected?
    /// The subjects with something to study, the most due first.
    public var due: [Due]
    /// The booked exams of the future, the next first.
    public var booked: [Booked]
    /// The seconds that all due questions take at the learner's pace.
    public var secondsOfDue: TimeInterval
    /// The number of questions that fall due tomorrow.
    public var dueTomorrow: Int
    /// False for a learner who has not answered anything yet.
    public var hasStarted: Bool
    /// The subjects that were studied and are no longer in the content.
    public var missing: [Subject]

    /// The number of all due questions: the sum of the rows.
    public var dueCount: Int { due.reduce(0) { $0 + $1.count } }
    /// The subject with which studying everything begins; `nil` when nothing is due.
    public var mostUrgent: Due? { due.mostUrgent }
}

extension [TodayScreen.Due] {
    /// The subject of the next exam, else the one with the most due; `nil` for none.
    var mostUrgent: TodayScreen.Due? {
        let dates = compactMap { due in due.examDate.map { (due, $0) } }
        return dates.min { $0.1 < $1.1 }?.0 ?? first
    }
}
