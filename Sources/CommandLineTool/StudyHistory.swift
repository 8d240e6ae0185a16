import Foundation
import OfflineStorage
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

    /// The learner's cards by the question's id.
    let cards: [String: StudyPlan.Card]
    /// The cards that were begun and reviewed since midnight.
    let doneToday: DueQueue.Usage

    /// Reads what is kept of a bank, whose cost does not grow with the number of answers.
    ///
    /// Answers that cannot be read must not keep anybody from learning: then every question is new.
    init(_ store: UserStore, _ bank: QuestionFilter.Bank, now: Date) {
        let studied = try? store.schedules(of: bank, by: Self.scheduler, now: now)
        let done = try? store.done(since: Calendar.current.startOfDay(for: now), in: bank)
        guard let studied, let done else {
            (cards, doneToday) = ([:], DueQueue.Usage())
            return
        }
        cards = studied.mapValues { .init(schedule: $0.schedule, answerCount: $0.answerCount) }
        doneToday = done
    }
}
