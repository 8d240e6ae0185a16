import Foundation

/// A learner's day, which begins at the rollover hour: an answer at half past midnight belongs to the evening before.
///
/// Days are numbered from 1 January 1970. Only a ``LearningClock`` converts moments.
///
/// ```swift
/// let day = LearningDay(20_788)
/// print(day.date, LearningDay("2026-12-02").map { $0 - day } ?? 0)  // 2026-12-01 1
/// ```
public struct LearningDay: Sendable, Hashable, Comparable, Codable {
    /// The number of the day.
    public let number: Int

    /// Creates a day by its number; a number beyond the range of calendars counts as the nearest in it.
    public init(_ number: Int) {
        self.number = min(max(number, Self.first), Self.last)
    }

    /// Parses a date such as `2026-12-01`; `nil` for other texts.
    public init?(_ date: String) {
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            date.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) })
        else { return nil }
        let values = parts.compactMap { Int($0) }
        let day = Self.number(year: values[0], month: values[1], day: values[2])
        guard let day, LearningDay(day).date == date else { return nil }
        number = day
    }

    /// 1 January of the year 1.
    private static let first = -719_162
    /// 31 December 9999.
    private static let last = 2_932_896

    /// The date, as `2026-12-01` (ISO 8601).
    public var date: String {
        let (year, month, day) = gregorian
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Returns the day a number of days later.
    public static func + (day: LearningDay, count: Int) -> LearningDay {
        let (sum, hasOverflow) = day.number.addingReportingOverflow(count)
        return LearningDay(hasOverflow ? (count > 0 ? .max : .min) : sum)
    }

    /// Returns the number of days from another day to this one; negative when the other is later.
    public static func - (day: LearningDay, other: LearningDay) -> Int {
        day.number - other.number
    }

    /// Orders days by time.
    public static func < (day: LearningDay, other: LearningDay) -> Bool {
        day.number < other.number
    }

    /// Decodes the number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int.self))
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

// MARK: The calendar

extension LearningDay {
    /// The date in the Gregorian calendar by `civil_from_days` of Howard Hinnant.
    private var gregorian: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    /// Returns the number of a date by `days_from_civil` of Howard Hinnant; `nil` for a month or day that cannot be.
    private static func number(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
