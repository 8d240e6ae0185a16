public import Foundation
public import Underway

/// The answers of each day of the last weeks, week by week.
public struct AnswerCalendar: Sendable, Hashable {
    /// A day with its answers.
    public struct Day: Sendable, Hashable {
        /// The start of the day.
        public var date: Date
        /// The number of answers.
        public var answers: Int
        /// The step of the scale, from 0 for no answers to 4.
        public var step: Int
    }

    /// A week of up to seven days, starting with the first day of the week; the current one ends today.
    public struct Week: Sendable, Hashable {
        /// The start of the week.
        public var start: Date
        /// The days, none after today.
        public var days: [Day]

        /// The answers of the week.
        public var answers: Int { days.reduce(0) { $0 + $1.answers } }
    }

    /// The number of weeks that the progress page shows.
    public static let weekCount = 26
    /// The maximum number of weeks: ten years.
    public static let weekCountMax = 520
    /// The highest step of the scale.
    public static let stepMax = 4

    /// The weeks, the oldest first.
    public let weeks: [Week]

    /// Groups the counts of days by week.
    ///
    /// The scale is relative: a step is a quarter of the busiest shown day, rounded up, so that each day with an answer
    /// has at least step 1.
    /// - Parameters:
    ///   - counts: The answers of each day.
    ///   - today: The last day that is shown.
    ///   - calendar: The calendar, with its first day of the week.
    ///   - weekCount: The number of weeks, from 1 to ``weekCountMax``.
    public init(
        _ counts: StudyDayCounts, today: LearningDay, calendar: Calendar,
        weekCount: Int = Self.weekCount
    ) {
        let weekCount = min(max(1, weekCount), Self.weekCountMax)
        let clock = LearningClock(timeZone: calendar.timeZone)
        let weekday = calendar.component(.weekday, from: clock.midnight(of: today))
        let sinceStart = (weekday - calendar.firstWeekday + 7) % 7
        let first = today + (-sinceStart - 7 * (weekCount - 1))
        let shown = (0...(today - first)).map { first + $0 }
        let busiest = shown.compactMap { counts.answers[$0] }.max() ?? 0
        let days = shown.map { day in
            let answers = counts.answers[day] ?? 0
            return Day(
                date: clock.midnight(of: day), answers: answers,
                step: Self.step(answers, busiest))
        }
        weeks = stride(from: 0, to: days.count, by: 7).map { start in
            Week(start: days[start].date, days: Array(days[start..<min(start + 7, days.count)]))
        }
    }

    private static func step(_ answers: Int, _ busiest: Int) -> Int {
        guard answers > 0, busiest > 0 else { return 0 }
        return (answers * stepMax + busiest - 1) / busiest
    }

    /// The number of days that are shown.
    public var dayCount: Int { weeks.reduce(0) { $0 + $1.days.count } }
    /// The number of days with at least one answer.
    public var studiedDayCount: Int {
        weeks.reduce(0) { $0 + $1.days.count { $0.answers > 0 } }
    }
}
