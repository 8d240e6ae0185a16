public import Foundation

/// The conversion of moments to a learner's days, by the rollover hour and a time zone.
///
/// All code that counts days uses it: memory, queue, limits, streak, forecast and the screens.
///
/// ```swift
/// let clock = LearningClock(timeZone: .gmt)
/// let evening = Date(timeIntervalSince1970: 1_796_171_400)  // 2026-12-02 00:30 in UTC
/// print(clock.day(of: evening).date)  // 2026-12-01
/// ```
public struct LearningClock: Sendable, Hashable {
    /// The default rollover hour: 4 o'clock.
    public static let standardRolloverHour = 4
    /// The maximum distance of a zone from UTC, in minutes.
    public static let offsetMinutesMax = 1_080

    /// The hour at which a day begins, from 0 to 23.
    public let rolloverHour: Int
    /// The time zone of the days.
    public let timeZone: TimeZone

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - rolloverHour: The hour at which a day begins; a number outside 0 to 23 counts as the nearest in it.
    ///   - timeZone: The time zone of the days.
    public init(rolloverHour: Int = Self.standardRolloverHour, timeZone: TimeZone = .current) {
        self.rolloverHour = min(max(rolloverHour, 0), 23)
        self.timeZone = timeZone
    }

    /// Returns the day of a moment, by the offset that the zone then has.
    public func day(of moment: Date) -> LearningDay {
        Self.day(
            of: moment, offsetMinutes: offsetMinutes(at: moment), rolloverHour: rolloverHour)
    }

    /// Returns the minutes by which the zone is ahead of UTC at a moment.
    public func offsetMinutes(at moment: Date) -> Int {
        // A moment that a calendar has, whatever the clock shows.
        let seconds = min(
            max(Double(moment.wholeMilliseconds) / 1000, Self.seconds.lowerBound),
            Self.seconds.upperBound)
        let minutes =
            timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)) / 60
        return min(max(minutes, -Self.offsetMinutesMax), Self.offsetMinutesMax)
    }

    /// Returns the first moment of a later day.
    ///
    /// A change of the zone's offset between two days moves it.
    public func end(of day: LearningDay) -> Date {
        let local =
            Int64(day.number + 1) * Self.dayMilliseconds
            + Int64(rolloverHour) * 3_600_000
        func moment(_ milliseconds: Int64) -> Date {
            Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        }
        // The offsets that the zone has about then.
        let offsets = [-Self.dayMilliseconds, 0, Self.dayMilliseconds].map {
            Int64(offsetMinutes(at: moment(local + $0))) * 60_000
        }
        var low = local - (offsets.max() ?? 0) - 1
        var high = local - (offsets.min() ?? 0)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if self.day(of: moment(middle)) > day { high = middle } else { low = middle }
        }
        return moment(high)
    }

    /// Returns the midnight at which the date of a day begins, for calendars that show dates.
    public func midnight(of day: LearningDay) -> Date {
        LearningClock(rolloverHour: 0, timeZone: timeZone).end(of: day + -1)
    }

    // MARK: The formula

    private static let dayMilliseconds: Int64 = 86_400_000
    /// The years 1 to 9999.
    private static let seconds = -62_135_596_800.0...253_402_300_799.0

    /// Returns the day of a moment by its stored offset.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - offsetMinutes: The minutes by which the device's zone was then ahead of UTC.
    ///   - rolloverHour: The hour at which a day begins.
    /// - Returns: The learner's day.
    public static func day(
        of moment: Date, offsetMinutes: Int, rolloverHour: Int = Self.standardRolloverHour
    ) -> LearningDay {
        let offset = Int64(min(max(offsetMinutes, -offsetMinutesMax), offsetMinutesMax))
        let local =
            moment.wholeMilliseconds + 60_000 * offset
            - 3_600_000 * Int64(min(max(rolloverHour, 0), 23))
        let (days, rest) = local.quotientAndRemainder(dividingBy: dayMilliseconds)
        return LearningDay(Int(rest < 0 ? days - 1 : days))
    }
}
