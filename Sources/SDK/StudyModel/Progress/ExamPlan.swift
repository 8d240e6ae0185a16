import Foundation
import Underway

/// The reviews until an exam, with the chance of each question on each day.
struct ExamPlan {
    private let cards: [DeadlinePlanner.Card]
    private let reviews: [String: [Int]]
    private let planner: DeadlinePlanner

    /// Plans the reviews.
    init(
        _ questions: [String], cards schedules: [String: CardSchedule], days: Int,
        reviewsPerDay: Int, today: LearningDay, scheduler: ReviewScheduler
    ) {
        cards = questions.map { id in
            let schedule = schedules[id] ?? .new
            return DeadlinePlanner.Card(
                id: id, memory: schedule.memory, daysSinceReview: schedule.days(until: today))
        }
        planner = DeadlinePlanner(parameters: scheduler.memory.parameters)
        let plan = planner.plan(cards, daysToExam: days, reviewsPerDay: reviewsPerDay)
        var reviews: [String: [Int]] = [:]
        for (day, ids) in plan.days.enumerated() {
            for id in ids { reviews[id, default: []].append(day) }
        }
        self.reviews = reviews
    }

    /// Returns the chance of each question on a day from today (0), after the reviews of the days before.
    func chances(on day: Int, withReviews: Bool = true) -> [Double] {
        cards.map { card in
            let before = withReviews ? (reviews[card.id] ?? []).filter { $0 < day } : []
            return min(max(0, planner.value(card, reviews: before, exam: day)), 1)
        }
    }
}

/// The share of a bank that a learner knew on earlier days, by a replay of the answers.
struct PastShares {
    private let reviews: [(question: String, review: Review)]
    private let questions: [String]
    private let scheduler: ReviewScheduler

    /// Creates the replay; answers to questions that are not in the bank do not count.
    init(_ questions: [String], answers: [AnswerRecord], scheduler: ReviewScheduler) {
        let open = Set(questions)
        reviews = answers.filter { open.contains($0.questionID) }
            .map { ($0.questionID, $0.review) }
            .enumerated()
            .sorted { ($0.element.1.date, $0.offset) < ($1.element.1.date, $1.offset) }
            .map(\.element)
        self.questions = questions
        self.scheduler = scheduler
    }

    /// Returns the shares on days, which ascend, after their answers.
    func shares(on days: [LearningDay], _ clock: LearningClock) -> [ExamForecast.Past] {
        var cards: [String: CardSchedule] = [:]
        var rest = reviews[...]
        return days.map { day in
            while let next = rest.first, next.review.day(rolloverHour: clock.rolloverHour) <= day {
                cards[next.question] = scheduler.schedule(
                    cards[next.question] ?? .new, after: next.review)
                rest.removeFirst()
            }
            let known = cards.sorted { $0.key < $1.key }.map(\.value).reduce(0) {
                $0 + scheduler.retrievability(of: $1, on: day)
            }
            return ExamForecast.Past(
                date: clock.midnight(of: day),
                share: questions.isEmpty ? 0 : known / Double(questions.count))
        }
    }
}
