import Foundation
import StudyModel
import Testing
import Underway

@Suite struct ProgressDaysTests {
    @Test func streakGoesOnUntilADayIsMissed() throws {
        // The clocks went back on 25 October 2026: that day has 25 hours.
        let counts = StudyDayCounts(
            named: [
                (name: "2026-10-23", answers: 1), (name: "2026-10-24", answers: 2),
                (name: "2026-10-25", answers: 3), (name: "2026-10-26", answers: 4),
                (name: "2026-10-28", answers: 1), (name: "2026-10-29", answers: 0),
                (name: "no day", answers: 9),
            ], today: try day("2026-10-30"))

        #expect(counts.days == 5)
        #expect(counts.longestStreak == 4)
        #expect(counts.streak(on: try day("2026-10-26")) == 4)
        #expect(counts.streak(on: try day("2026-10-27")) == 4)
        #expect(counts.streak(on: try day("2026-10-28")) == 1)
        #expect(counts.streak(on: try day("2026-10-30")) == 0)
        #expect(StudyDayCounts([LearningDay]()).longestStreak == 0)
    }

    @Test func aDayThatAFastClockDatedCountsAsToday() throws {
        let counts = StudyDayCounts(
            named: [(name: "2027-10-26", answers: 4), (name: "2026-10-25", answers: 3)],
            today: try day("2026-10-26"))
        #expect(counts.answers == [try day("2026-10-26"): 4, try day("2026-10-25"): 3])
    }

    @Test(arguments: [1, 2, 7])
    func calendarHasWholeWeeksUpToToday(firstWeekday: Int) throws {
        var calendar = try calendar("Europe/Berlin")
        calendar.firstWeekday = firstWeekday
        let now = try moment("2026-11-21T12:00:00Z")  // a Saturday
        let counts = StudyDayCounts(
            named: [
                (name: "2026-11-21", answers: 1), (name: "2026-11-20", answers: 8),
                (name: "2026-11-19", answers: 4), (name: "2026-11-18", answers: 5),
                (name: "2020-01-01", answers: 90),
            ], today: try day("2026-11-21"))

        let shown = AnswerCalendar(
            counts, today: try day("2026-11-21"), calendar: calendar)

        #expect(shown.weeks.count == AnswerCalendar.weekCount)
        #expect(shown.weeks.dropLast().allSatisfy { $0.days.count == 7 })
        #expect(
            shown.weeks.allSatisfy {
                calendar.component(.weekday, from: $0.start) == firstWeekday
                    && $0.start == $0.days.first?.date
            })
        let days = shown.weeks.flatMap(\.days)
        #expect(Set(days.map(\.date)).count == shown.dayCount)
        #expect(days.last?.date == calendar.startOfDay(for: now))
        #expect(days.suffix(4).map(\.answers) == [5, 4, 8, 1])
        #expect(days.suffix(4).map(\.step) == [3, 2, 4, 1])
        #expect(shown.studiedDayCount == 4)
        #expect(days.dropLast(4).allSatisfy { $0.step == 0 })
    }

    private func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        calendar.firstWeekday = 2
        return calendar
    }

    private func day(_ date: String) throws -> LearningDay { try #require(LearningDay(date)) }

    private func moment(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }
}
