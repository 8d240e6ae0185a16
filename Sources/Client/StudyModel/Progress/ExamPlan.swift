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
        reviewsPerDay: Int, now: Date, scheduler: ReviewScheduler
    ) {
        cards = questions.map { id in
            let schedule = schedules[id] ?? .new
            return DeadlinePlanner.Card(
                id: id, memory: schedule.memory, daysSinceReview: schedule.days(until: now))
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

/// The share of a bank that a learner knew at earlier moments, by a replay of the answers.
struct PastShares {
    private let reviews: [(question: String, review: Review)]
    private let questions: [String]
    private let scheduler: ReviewScheduler

    /// Prepares the replay; answers to questions that are not in the bank do not count.
    init(_ questions: [String], answers: [AnswerRecord], now: Date, scheduler: ReviewScheduler) {
        let open = Set(questions)
        reviews = answers.filter { open.contains($0.questionID) }
            .map { answer in
                let review = answer.review
                return (answer.questionID, Review(review.rating, at: min(review.date, now)))
            }
            .enumerated()
            .sorted { ($0.element.1.date, $0.offset) < ($1.element.1.date, $1.offset) }
            .map(\.element)
        self.questions = questions
        self.scheduler = scheduler
    }

    /// Returns the shares at moments, which ascend.
    func shares(at moments: [Date]) -> [ExamForecast.Past] {
        var cards: [String: CardSchedule] = [:]
        var rest = reviews[...]
        return moments.map { moment in
            while let next = rest.first, next.review.date <= moment {
                cards[next.question] = scheduler.schedule(
                    cards[next.question] ?? .new, after: next.review.rating, at: next.review.date)
                rest.removeFirst()
            }
            let known = cards.sorted { $0.key < $1.key }.map(\.value).reduce(0) {
                $0 + scheduler.retrievability(of: $1, at: moment)
            }
            return ExamForecast.Past(
                date: moment, share: questions.isEmpty ? 0 : known / Double(questions.count))
        }
    }
}
