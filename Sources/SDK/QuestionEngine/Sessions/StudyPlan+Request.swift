public import ContentModel
public import Foundation

extension StudyPlan {
    /// The learner's wishes and cards.
    public struct Request: Sendable {
        /// The default number of questions a day before an exam.
        public static let reviewsBeforeDeadline = 50

        /// The purpose of the session.
        public var mode: SessionMode
        /// The learner's cards by the question's id; a question without one is new.
        public var cards: [String: Card]
        /// The filter of questions; a placement test ignores it.
        public var criteria: QuestionCriteria
        /// The maximum number of questions of the session; `nil` for no limit, a negative one counts as 0.
        public var questionsMax: Int?
        /// The limits of a day, for study without a deadline.
        public var dailyLimits: DueQueue.Limits
        /// The used part of the day's limits.
        public var used: DueQueue.Usage
        /// The day of an exam; study then selects the questions that raise its expected marks most.
        public var deadline: LearningDay?
        /// The capacity of a day before an exam, in questions.
        public var examPerDay: Int
        /// The ids of questions that were set aside: study asks none of them.
        public var setAside: Set<String> = []
        /// The ids of questions with an answer of today in study, whose siblings wait, see ``Siblings``.
        public var studiedToday: Set<String> = []

        /// Creates a request.
        public init(
            mode: SessionMode, cards: [String: Card] = [:],
            criteria: QuestionCriteria = QuestionCriteria(), questionsMax: Int? = nil,
            dailyLimits: DueQueue.Limits = DueQueue.Limits(),
            used: DueQueue.Usage = DueQueue.Usage(), deadline: LearningDay? = nil,
            examPerDay: Int = Self.reviewsBeforeDeadline
        ) {
            self.mode = mode
            self.cards = cards
            self.criteria = criteria
            self.questionsMax = questionsMax
            self.dailyLimits = dailyLimits
            self.used = used
            self.deadline = deadline
            self.examPerDay = max(0, examPerDay)
        }

        /// The maximum number of questions, which a count of a collection accepts.
        var limit: Int? { questionsMax.map { max(0, $0) } }

        /// Returns the schedule of a question.
        public func schedule(of question: String) -> CardSchedule {
            cards[question]?.schedule ?? .new
        }

        /// Returns the entry of a question in a session.
        public func entry(_ question: Question) -> StudySession.Entry {
            StudySession.Entry(
                question, contentVersion: question.contentVersion,
                exposuresBefore: cards[question.id]?.answerCount ?? 0)
        }
    }

    /// The schedule of a learner's card with its number of answers.
    public struct Card: Sendable, Hashable {
        /// The schedule, equal to a replay of all answers.
        public var schedule: CardSchedule
        /// The number of answers so far, undone ones included.
        public var answerCount: Int

        /// Creates a card.
        public init(schedule: CardSchedule, answerCount: Int) {
            self.schedule = schedule
            self.answerCount = answerCount
        }

        /// Replays the answers to one question.
        ///
        /// - Parameters:
        ///   - answers: The answers, in any order.
        ///   - scheduler: The scheduler.
        ///   - now: The wall clock; an answer dated later counts as given now.
        public init(answers: [AnswerRecord], scheduler: ReviewScheduler, now: Date) {
            let schedule = scheduler.fuzzed(
                scheduler.replay(answers.map(\.review), now: now),
                card: answers.first?.questionID ?? "", reviewCount: answers.count)
            self.init(schedule: schedule, answerCount: answers.count)
        }
    }
}
