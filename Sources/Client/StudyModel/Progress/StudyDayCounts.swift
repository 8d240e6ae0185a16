public import Foundation

/// The answers of each day of a learner's calendar, with the runs of days in a row.
///
/// ```swift
/// let counts = StudyDayCounts([Date(), Date()], calendar: .current)
/// print(counts.days, counts.streak(on: Date()))  // 1 1
/// ```
public struct StudyDayCounts: Sendable, Hashable {
    /// The number of answers by the start of the day; only days with answers.
    public let answers: [Date: Int]
    private let calendar: Calendar

    /// Counts answers that were given at those moments, by the days of a calendar.
    public init(_ moments: some Sequence<Date>, calendar: Calendar) {
        self.init(
            answers: Dictionary(
                moments.map { (calendar.startOfDay(for: $0), 1) }, uniquingKeysWith: +),
            calendar)
    }

    /// Takes over the counts of days that are named as `2026-11-21`; other names are left out.
    public init(named counts: some Sequence<(name: String, answers: Int)>, calendar: Calendar) {
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        let days = counts.compactMap { count -> (Date, Int)? in
            let parts = count.name.split(separator: "-").compactMap { Int($0) }
            guard parts.count == 3 else { return nil }
            let day = DateComponents(year: parts[0], month: parts[1], day: parts[2])
            return gregorian.date(from: day).map { (calendar.startOfDay(for: $0), count.answers) }
        }
        self.init(answers: Dictionary(days, uniquingKeysWith: +), calendar)
    }

    private init(answers: [Date: Int], _ calendar: Calendar) {
        self.answers = answers.filter { $0.value > 0 }
        self.calendar = calendar
    }

    /// The number of days with answers.
    public var days: Int { answers.count }

    /// The longest run of days in a row.
    public var longestStreak: Int {
        answers.keys.filter { answers[calendar.day(-1, from: $0)] == nil }
            .map { length(from: $0, by: 1) }.max() ?? 0
    }

    /// Returns the days in a row up to a moment's day; a day that has no answer yet does not break the run.
    public func streak(on moment: Date) -> Int {
        let today = calendar.startOfDay(for: moment)
        let last = answers[today] == nil ? calendar.day(-1, from: today) : today
        return length(from: last, by: -1)
    }

    private func length(from start: Date, by step: Int) -> Int {
        var (day, count) = (start, 0)
        while answers[day] != nil {
            count += 1
            day = calendar.day(step, from: day)
        }
        return count
    }
}

extension Calendar {
    /// Returns the start of the day that is a number of days from another.
    func day(_ offset: Int, from day: Date) -> Date {
        // A calendar has a day before and after each of those that a device's clock can show.
        startOfDay(for: date(byAdding: .day, value: offset, to: day) ?? day)
    }

    /// Returns the number of midnights between two moments; negative when the second is earlier.
    func days(from start: Date, to end: Date) -> Int {
        dateComponents([.day], from: startOfDay(for: start), to: startOfDay(for: end)).day ?? 0
    }
}
