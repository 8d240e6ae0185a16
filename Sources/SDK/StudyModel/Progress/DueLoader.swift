import Foundation
import Underway

/// The questions of a bank that are due, today and on the next days.
struct DueCounts: Sendable, Hashable {
    /// The number of scheduled cards that a session asks today.
    var reviews = 0
    /// The number of new questions that a session asks today.
    var new = 0
    /// The number of cards that fall due on each of the next days; the first is today, with its new questions.
    var days = Array(repeating: 0, count: DueDay.dayCount)

    /// The reviews that hold new questions back today; `nil` if none do.
    var backlog: DailyAllowance.Backlog?

    /// The number of questions that today's answers have set aside.
    var asideToday = 0

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
    /// Due cards above the day's limits are postponed to tomorrow.
    func counts(_ bank: QuestionFilter.Bank, _ blueprint: Blueprint) async throws -> DueCounts {
        var all = SessionWishes()
        all.questionsMax = .max
        let plan = try await SessionStart(services).plan(bank, blueprint, .study, all)
        let learning = try await services.learning(of: bank)
        let studied = learning.studied
        let cards = blueprint.questions
            .filter { !$0.isRetired && !learning.setAside.contains($0.id) }
            .compactMap { studied[$0.id]?.schedule }
        var counts = DueCounts()
        counts.new = plan.entries.count { studied[$0.id] == nil }
        counts.reviews = plan.entries.count - counts.new
        for dueDay in cards.compactMap(\.dueDay) {
            // What is overdue waits for today.
            let day = max(0, dueDay - services.today)
            if day < counts.days.count { counts.days[day] += 1 }
        }
        let asked = plan.entries.count { studied[$0.id]?.schedule.dueDay != nil }
        counts.days[1] += counts.days[0] - asked
        counts.days[0] = counts.today
        counts.backlog = plan.backlog
        counts.asideToday = blueprint.questions.count {
            !$0.isRetired && learning.setAside.contains($0.id)
                && studied[$0.id]?.schedule.lastDay == services.today
        }
        return counts
    }
}
