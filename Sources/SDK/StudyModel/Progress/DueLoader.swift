import Foundation
import Underway

/// The questions of a bank that are due, today and on the next days.
struct DueCounts: Sendable, Hashable {
    /// The number of scheduled cards that a session asks today.
    var reviews = 0
    /// The number of new questions that a session asks today.
    var new = 0
    /// The number of cards that are due on each of the next days; today and tomorrow are what a session asks, with new
    /// questions.
    var days = Array(repeating: 0, count: DueDay.dayCount)

    /// The reviews that hold new questions back today; `nil` if none do.
    var backlog: DailyAllowance.Backlog?

    /// The number of questions that today's answers have set aside.
    var missedAsideToday = 0
    /// The number of questions of today that the learner set aside.
    var ownAsideToday = 0

    /// The number of questions that a session asks today.
    var today: Int { reviews + new }
}

/// A loader of a bank's due counts, the same for all screens.
///
/// Cards become due on days, not at hours: a card that a session asks now is due today.
struct DueLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the counts.
    ///
    /// Due cards above a day's limits are postponed to the next. Tomorrow is planned as it will be when it comes, if all
    /// of today's questions are answered.
    func counts(_ bank: QuestionFilter.Bank, _ blueprint: Blueprint) async throws -> DueCounts {
        let learning = try await services.learning(of: bank)
        let plan = today(blueprint, learning)
        let studied = learning.studied
        let cards = blueprint.questions
            .filter { !$0.isRetired && !learning.setAside.contains($0.id) }
            .compactMap { studied[$0.id]?.schedule }
        var counts = DueCounts()
        counts.reviews = plan.reviewCount(learning)
        counts.new = plan.entries.count - counts.reviews
        for dueDay in cards.compactMap(\.dueDay) {
            // What is overdue waits for today.
            let day = max(0, dueDay - services.today)
            if day < counts.days.count { counts.days[day] += 1 }
        }
        let asked = plan.entries.filter { studied[$0.id]?.schedule.dueDay != nil }.map(\.id)
        let tomorrow = self.plan(
            blueprint, learning.afterToday(without: plan.entries.map(\.id)),
            now: services.days.end(of: services.today)
        ).entries
        let reviews = tomorrow.count { studied[$0.id]?.schedule.dueDay != nil }
        counts.days[2] += counts.days[0] - asked.count + counts.days[1] - reviews
        counts.days[1] = tomorrow.count
        counts.days[0] = counts.today
        counts.backlog = plan.backlog
        let aside = blueprint.questions.filter {
            !$0.isRetired && learning.setAside.contains($0.id)
                && studied[$0.id]?.schedule.lastDay == services.today
        }
        counts.ownAsideToday = aside.count { learning.ownSetAside.contains($0.id) }
        counts.missedAsideToday = aside.count - counts.ownAsideToday
        return counts
    }

    /// Returns the questions that sessions ask today.
    func today(_ blueprint: Blueprint, _ learning: BankLearning) -> StudyPlan {
        plan(blueprint, learning, now: services.now)
    }

    private func plan(
        _ blueprint: Blueprint, _ learning: BankLearning, now: Date
    ) -> StudyPlan {
        var random = SeededRandom(seed: 0)
        return StudyPlan(
            blueprint, learning.request(.study, SessionWishes(), questionsMax: .max),
            scheduler: learning.scheduler, now: now, timeZone: services.calendar.timeZone,
            using: &random)
    }
}

extension StudyPlan {
    /// Returns the number of scheduled cards among the questions.
    func reviewCount(_ learning: BankLearning) -> Int {
        entries.count { learning.studied[$0.id] != nil }
    }
}
