import ContentModel
import Foundation
import OfflineStore
import QuestionEngine

/// What a learner's answers to a bank say of each question.
struct StudyHistory {
    /// Right and wrong answers need no steps within a day.
    static let scheduler: ReviewScheduler = {
        // The settings are constants within their ranges.
        guard let scheduler = try? ReviewScheduler(.rightOrWrong) else {
            preconditionFailure("the settings for right and wrong answers are out of range")
        }
        return scheduler
    }()

    private let studied: [String: StudiedQuestion]
    /// What was done since midnight.
    let doneToday: DueQueue.Done

    /// Reads what is kept of a bank, whose cost does not grow with the number of answers.
    init(_ store: UserStore, _ bank: QuestionFilter.Bank, now: Date) throws {
        studied = try store.schedules(of: bank, by: Self.scheduler, now: now)
        doneToday = try store.done(since: Calendar.current.startOfDay(for: now), in: bank)
    }

    /// A learner without answers.
    init() {
        studied = [:]
        doneToday = DueQueue.Done()
    }

    func exposures(of question: String) -> Int { studied[question]?.answerCount ?? 0 }

    func schedule(of question: String) -> CardSchedule { studied[question]?.schedule ?? .new }

    /// The questions to review today for an exam on a day.
    static func plan(
        _ questions: [Question], _ history: StudyHistory, deadline: Date, limit: Int
    ) -> [String] {
        let cards = questions.map { question in
            let schedule = history.schedule(of: question.id)
            return DeadlinePlanner.Card(
                id: question.id, memory: schedule.memory,
                daysSinceReview: schedule.days(until: Date()))
        }
        let days = Int((deadline.timeIntervalSinceNow / 86_400).rounded(.up))
        let plan = DeadlinePlanner().plan(cards, daysToExam: days, reviewsPerDay: limit)
        Console.say(
            "\(Console.count(max(0, days), "day")) left: of \(cards.count) questions you would know"
                + " \(Int(plan.expectedMarksWithoutReviews.rounded())) without reviews,"
                + " \(Int(plan.expectedMarks.rounded())) with \(limit) a day.")
        return plan.days.first ?? []
    }
}
