import Foundation
import OfflineStorage
import QuestionEngine
import StudyModel

/// The state of each question of a bank by the learner's answers.
struct StudyHistory {
    /// The learner's cards by the question's id.
    let cards: [String: StudyPlan.Card]
    /// The number of cards that were started and reviewed since midnight.
    let doneToday: DueQueue.Usage

    /// Reads the cards of a bank; the cost does not grow with the number of answers.
    ///
    /// Unreadable answers must not prevent studying: then every question is new.
    init(_ store: UserStore, _ bank: QuestionFilter.Bank, now: Date) {
        let studied = try? store.schedules(of: bank, by: StudyServices.scheduler, now: now)
        let done = try? store.usage(since: Calendar.current.startOfDay(for: now), in: bank)
        guard let studied, let done else {
            (cards, doneToday) = ([:], DueQueue.Usage())
            return
        }
        cards = studied.mapValues { .init(schedule: $0.schedule, answerCount: $0.answerCount) }
        doneToday = done
    }
}
