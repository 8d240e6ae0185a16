import Foundation
import OfflineStorage
import QuestionEngine

/// The state of each question of a bank by the learner's answers.
struct StudyHistory {
    /// A scheduler without learning steps within a day, for right and wrong answers.
    static let scheduler: ReviewScheduler = {
        // The settings are constants within their ranges.
        guard let scheduler = try? ReviewScheduler(.rightOrWrong) else {
            preconditionFailure("the settings for right and wrong answers are out of range")
        }
        return scheduler
    }()

    /// The learner's cards by the question's id.
    let cards: [String: StudyPlan.Card]
    /// The number of cards that were started and reviewed since midnight.
    let doneToday: DueQueue.Usage

    /// Reads the cards of a bank; the cost does not grow with the number of answers.
    ///
    /// Unreadable answers must not prevent studying: then every question is new.
    init(_ store: UserStore, _ bank: QuestionFilter.Bank, now: Date) {
        let studied = try? store.schedules(of: bank, by: Self.scheduler, now: now)
        let done = try? store.usage(since: Calendar.current.startOfDay(for: now), in: bank)
        guard let studied, let done else {
            (cards, doneToday) = ([:], DueQueue.Usage())
            return
        }
        cards = studied.mapValues { .init(schedule: $0.schedule, answerCount: $0.answerCount) }
        doneToday = done
    }
}
