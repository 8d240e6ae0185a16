public import Foundation
public import Underway

/// The expected share of right answers on the day of an exam, from the learner's memories and pace.
///
/// Each question's chance is the recall that the memory model predicts. A question that was never seen counts as
/// unknown, without guessing. Until the exam the learner is assumed to give as many answers a day as in the last four
/// weeks, to the questions that raise the expected marks most (`DeadlinePlanner`).
///
/// ```swift
/// let forecast = ExamForecast(
///     blueprint, cards: [:], answers: answers, examDay: day, now: Date(), clock: LearningClock(),
///     scheduler: StudyServices.scheduler)
/// print(forecast.exam.expected, forecast.exam.low, forecast.exam.high)
/// ```
public struct ExamForecast: Sendable, Hashable {
    /// The share on a day from today to the exam.
    public struct Point: Sendable, Hashable {
        /// The day.
        public var date: Date
        /// The share with its band.
        public var share: ShareForecast
    }

    /// The share at a moment before today.
    public struct Past: Sendable, Hashable {
        /// The moment.
        public var date: Date
        /// The share of the questions of today's bank that the learner would have known.
        public var share: Double
    }

    /// The number of answers to the bank below which there is no forecast.
    public static let answersMin = 20
    /// The number of days with answers to the bank below which there is no forecast.
    ///
    /// A memory shows only when a question is repeated on a later day, and a pace only over several days: after a
    /// learner's first evening, the forecast would be far too high.
    public static let studyDaysMin = 3
    /// The maximum number of weeks before today that are shown.
    public static let pastWeeksMax = 12
    /// The number of days whose answers make the pace.
    static let paceDays = 28
    /// The number of questions × days that is planned at most; about 0.7 s (x86-64, release build).
    static let planSizeMax = 300_000
    /// The number of steps from today to the exam at most.
    static let stepsMax = 8

    /// The name of the bank: region and exam with a slash between.
    public let bank: String
    /// The title of the bank.
    public let title: String
    /// The start of the day of the exam.
    public let examDay: Date
    /// The number of days until the exam, from 0.
    public let daysLeft: Int
    /// The number of questions that the exam may ask.
    public let questionCount: Int
    /// The assumed number of answers a day, at least 1.
    public let reviewsPerDay: Int
    /// The share that passes; `nil` if the exam has no pass mark.
    public let passFraction: Double?
    /// The shares before today, a week apart, the oldest first.
    public let past: [Past]
    /// The shares from today to the exam, at least one.
    public let course: [Point]
    /// The share on the day of the exam without any further review.
    public let withoutReviews: ShareForecast

    /// The share if the exam were today.
    public var today: ShareForecast { course.first?.share ?? withoutReviews }
    /// The share on the day of the exam.
    public var exam: ShareForecast { course.last?.share ?? withoutReviews }
    /// True when the expected share passes; `nil` if the exam has no pass mark.
    public var passes: Bool? { passFraction.map { exam.expected >= $0 } }

    /// Computes the forecast.
    ///
    /// Cost: the planner's, O(questions × days); for the past O(answers + questions × weeks). Above `planSizeMax`
    /// questions × days, the plan is that of each second, third, … question, with the same part of the pace as far as
    /// it has whole parts. The share is then that of a sample.
    /// - Parameters:
    ///   - blueprint: The exam's bank; retired questions do not count.
    ///   - cards: The schedules of the answered questions, by the question's id.
    ///   - answers: All answers to the bank.
    ///   - examDay: The day of the exam; one in the past counts as today.
    ///   - now: The wall clock.
    ///   - clock: The conversion of moments to days.
    ///   - scheduler: The scheduler of the cards.
    public init(
        _ blueprint: Blueprint, cards: [String: CardSchedule], answers: [AnswerRecord],
        examDay: LearningDay, now: Date, clock: LearningClock, scheduler: ReviewScheduler
    ) {
        let today = clock.day(of: now)
        let questions = blueprint.questions.filter { !$0.isRetired }.map(\.id)
        let days = min(max(0, examDay - today), DeadlinePlanner.daysMax)
        let answerDays = answers.map { $0.review.day(rolloverHour: clock.rolloverHour) }
        let pace = Self.pace(answerDays, today: today)
        let stride = Self.stride(questions: questions.count, days: days, pace: pace)
        let sample = Swift.stride(from: 0, to: questions.count, by: stride).map { questions[$0] }
        let plan = ExamPlan(
            sample, cards: cards, days: days, reviewsPerDay: pace / stride, today: today,
            scheduler: scheduler)
        let asked = blueprint.scoring.outOf
        bank = blueprint.id
        title = blueprint.title
        self.examDay = clock.midnight(of: max(today, examDay))
        daysLeft = days
        questionCount = questions.count
        reviewsPerDay = pace
        passFraction = blueprint.scoring.passFraction
        course = Self.steps(days).map { day in
            Point(
                date: clock.midnight(of: today + day),
                share: ShareForecast(chances: plan.chances(on: day), asked: asked))
        }
        withoutReviews = ShareForecast(
            chances: plan.chances(on: days, withReviews: false), asked: asked)
        past = PastShares(questions, answers: answers, scheduler: scheduler)
            .shares(on: Self.pastDays(answerDays, today: today), clock)
    }

    /// Returns the distance between the questions that are planned: 1 for all of them.
    static func stride(questions: Int, days: Int, pace: Int) -> Int {
        let needed = (questions * days + planSizeMax - 1) / planSizeMax
        return min(max(1, needed), max(1, pace))
    }

    /// Returns the answers a day of the last four weeks, or since the first answer, from 1 to
    /// `StudyPlan.Request.reviewsBeforeDeadline`.
    static func pace(_ answers: [LearningDay], today: LearningDay) -> Int {
        let recent = answers.filter { $0 > today + -paceDays && $0 <= today }
        guard let first = answers.min(), !recent.isEmpty else { return 1 }
        let days = min(max(0, today - first) + 1, paceDays)
        let mean = (Double(recent.count) / Double(days)).rounded()
        return min(max(1, Int(mean)), StudyPlan.Request.reviewsBeforeDeadline)
    }

    /// Returns the days of the course, from 0 to the last, about evenly spaced.
    static func steps(_ days: Int) -> [Int] {
        let count = min(days, stepsMax)
        guard count > 0 else { return [0] }
        return (0...count).map { days * $0 / count }
    }

    /// Returns the days a week apart since the first answer, before today.
    private static func pastDays(
        _ answers: [LearningDay], today: LearningDay
    ) -> [LearningDay] {
        guard let first = answers.min() else { return [] }
        return (1...pastWeeksMax).map { today + -7 * $0 }.filter { $0 >= first }.reversed()
    }
}
