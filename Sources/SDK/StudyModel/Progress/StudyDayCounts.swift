public import Underway

/// The number of answers on each of a learner's days, with the streaks.
///
/// ```swift
/// let today = LearningClock().day(of: Date())
/// let counts = StudyDayCounts([today, today])
/// print(counts.days, counts.streak(on: today))  // 1 1
/// ```
public struct StudyDayCounts: Sendable, Hashable {
    /// The number of answers by the day; only days with answers.
    public let answers: [LearningDay: Int]

    /// Creates the counts of answers given on those days.
    public init(_ days: some Sequence<LearningDay>) {
        answers = Dictionary(days.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Creates counts of days with names such as `2026-11-21`; other names are ignored, and a day after today, from a
    /// clock that was ahead, counts as today.
    public init(named counts: some Sequence<(name: String, answers: Int)>, today: LearningDay) {
        let days = counts.compactMap { count in
            LearningDay(count.name).map { (min($0, today), count.answers) }
        }
        answers = Dictionary(days, uniquingKeysWith: +).filter { $0.value > 0 }
    }

    /// The number of days with answers.
    public var days: Int { answers.count }

    /// The longest run of consecutive days.
    public var longestStreak: Int {
        answers.keys.filter { answers[$0 + -1] == nil }.map { length(from: $0, by: 1) }.max() ?? 0
    }

    /// Returns the run of consecutive days up to a day; the day itself may still have no answers.
    public func streak(on today: LearningDay) -> Int {
        length(from: answers[today] == nil ? today + -1 : today, by: -1)
    }

    private func length(from start: LearningDay, by step: Int) -> Int {
        var (day, count) = (start, 0)
        while answers[day] != nil {
            count += 1
            day = day + step
        }
        return count
    }
}
