import ContentModel

/// The spread of intervals, so that cards learnt together become due on different days.
enum IntervalFuzz {
    /// The fraction by which each part of an interval may vary (py-fsrs 6.3.2).
    private static let parts: [(range: Range<Double>, share: Double)] = [
        (2.5..<7, 0.15), (7..<20, 0.1), (20..<(.infinity), 0.05),
    ]

    /// Returns the shortest and the longest interval that `days` may become.
    static func bounds(days: Int, maximum: Int) -> ClosedRange<Int> {
        let interval = Double(days)
        guard interval >= 2.5 else { return days...days }
        let width = parts.reduce(1) { sum, part in
            sum + part.share * max(min(interval, part.range.upperBound) - part.range.lowerBound, 0)
        }
        let upper = min(Int((interval + width).rounded(.toNearestOrEven)), maximum)
        let lower = max(2, Int((interval - width).rounded(.toNearestOrEven)))
        return min(lower, upper)...upper
    }

    /// Returns a due day within the bounds, over many cards as often as the day's weight says.
    ///
    /// The SHA-256 of the card and the count determines it, so that a replay finds it again.
    static func dueDay(
        of schedule: (lastDay: LearningDay, days: Int), maximum: Int, easyDays: EasyDays,
        card: String, reviewCount: Int
    ) -> LearningDay {
        let bounds = bounds(days: schedule.days, maximum: maximum)
        let digest = Checksum(of: Array("\(reviewCount) \(card)".utf8)).hex.prefix(16)
        return easyDays.day(
            at: UInt64(digest, radix: 16) ?? 0, from: schedule.lastDay + bounds.lowerBound,
            count: bounds.count)
    }
}
