import Foundation
import StudyModel
import Testing

@Suite struct ProgressDaysTests {
    @Test func streakGoesOnUntilADayIsMissed() throws {
        let calendar = try calendar("Europe/Berlin")
        // The clocks went back on 25 October 2026: that day has 25 hours.
        let counts = StudyDayCounts(
            named: [
                (name: "2026-10-23", answers: 1), (name: "2026-10-24", answers: 2),
                (name: "2026-10-25", answers: 3), (name: "2026-10-26", answers: 4),
                (name: "2026-10-28", answers: 1), (name: "2026-10-29", answers: 0),
                (name: "no day", answers: 9),
            ], calendar: calendar)

        #expect(counts.days == 5)
        #expect(counts.longestStreak == 4)
        #expect(counts.streak(on: try moment("2026-10-26T22:00:00Z")) == 4)
        #expect(counts.streak(on: try moment("2026-10-27T12:00:00Z")) == 4)
        #expect(counts.streak(on: try moment("2026-10-28T12:00:00Z")) == 1)
        #expect(counts.streak(on: try moment("2026-10-30T12:00:00Z")) == 0)
        #expect(StudyDayCounts([Date](), calendar: calendar).longestStreak == 0)
    }

    @Test func momentsCountOnTheDayOfTheCalendar() throws {
        let moments = [
            try moment("2026-11-20T23:30:00Z"), try moment("2026-11-21T00:30:00Z"),
            try moment("2026-11-21T22:59:00Z"),
        ]

        let berlin = StudyDayCounts(moments, calendar: try calendar("Europe/Berlin"))
        let utc = StudyDayCounts(moments, calendar: try calendar("GMT"))

        #expect(berlin.answers.values.sorted() == [3])
        #expect(utc.answers.values.sorted() == [1, 2])
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
            ], calendar: calendar)

        let shown = AnswerCalendar(counts, now: now, calendar: calendar)

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

    private func moment(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }
}
