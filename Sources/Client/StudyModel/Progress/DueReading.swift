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

    /// The number of questions that a session asks today.
    var today: Int { reviews + new }
}

/// Reads what is due of a bank: one count for all screens.
///
/// Cards fall due on days, not at hours: what falls due this evening is due today.
struct DueReading {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the counts.
    ///
    /// What the day's limits leave of the cards that are due today waits for tomorrow.
    func counts(_ bank: QuestionFilter.Bank, _ blueprint: Blueprint) async throws -> DueCounts {
        let plan = try await SessionStart(services)
            .plan(bank, blueprint, .study, questionsMax: .max)
        let studied = try await services.userData.schedules(
            of: bank, by: StudyServices.scheduler, now: services.clock())
        let cards = blueprint.questions.filter { !$0.isRetired }
            .compactMap { studied[$0.id]?.schedule }
        var counts = DueCounts()
        counts.new = plan.entries.count { $0.exposuresBefore == 0 }
        counts.reviews = plan.entries.count - counts.new
        counts.days = days(of: cards)
        counts.days[1] += counts.days[0] - counts.reviews
        counts.days[0] = counts.today
        return counts
    }

    private func days(of cards: [CardSchedule]) -> [Int] {
        let (now, calendar) = (services.clock(), services.calendar)
        var days = DueCounts().days
        for due in cards.compactMap(\.due) {
            // What is overdue waits for today.
            let day = max(0, calendar.days(from: now, to: due))
            if day < days.count { days[day] += 1 }
        }
        return days
    }
}

extension StudyServices {
    /// The last moment of today, a millisecond before midnight: what is due by then is due today.
    var endOfToday: Date { calendar.day(1, from: clock()).addingTimeInterval(-0.001) }
}
