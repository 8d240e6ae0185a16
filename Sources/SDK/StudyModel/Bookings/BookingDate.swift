public import Foundation
public import Underway

/// A date and a time as a learner entered them.
public struct BookingDate: Sendable, Hashable {
    /// The reason why a date cannot be booked.
    public enum Refusal: Sendable, Hashable {
        /// The date is missing, invalid, or more than ``BookingDate/yearsMax`` years away.
        case unreadable
        /// The date is in the past.
        case past
    }

    /// The maximum number of years from now.
    public static let yearsMax = 10

    /// The day, as 2026-12-24.
    public var day: String
    /// The time, as 09:30; empty for a day without one.
    public var time: String

    /// Creates a date from entered texts.
    public init(day: String, time: String) {
        self.day = day.trimmingCharacters(in: .whitespaces)
        self.time = time.trimmingCharacters(in: .whitespaces)
    }

    /// Creates the entered form of a stored date, in the learner's time zone.
    public init(_ date: ExamDate, calendar: Calendar) {
        self.init(day: date.isValid ? String(date.text.prefix(10)) : "", time: "")
        guard !date.isDay, let start = date.start(in: calendar.timeZone) else { return }
        let style = Date.ISO8601FormatStyle(timeZone: calendar.timeZone)
        day = start.formatted(style.year().month().day())
        time = String(
            start.formatted(style.time(includingFractionalSeconds: false)).prefix(5))
    }

    /// Returns the entered date, in the calendar's time zone.
    ///
    /// A time that the clocks skip is moved forward by the length of the gap.
    /// - Throws: ``Failure`` with the reason.
    public func examDate(
        now: Date, calendar: Calendar
    ) throws(BookingDate.Failure) -> ExamDate {
        guard let date = ExamDate(day), date.isDay,
            let start = date.start(in: calendar.timeZone)
        else { throw Failure(.unreadable) }
        let last = calendar.date(byAdding: .year, value: Self.yearsMax, to: now)
        guard start <= last ?? .distantFuture else { throw Failure(.unreadable) }
        guard !time.isEmpty else {
            let today = LearningClock(timeZone: calendar.timeZone).day(of: now)
            guard let day = date.day, day >= today else { throw Failure(.past) }
            return date
        }
        guard let moment = Self.moment(start, time, calendar) else { throw Failure(.unreadable) }
        guard moment > now else { throw Failure(.past) }
        return ExamDate(moment: moment)
    }

    /// An error with the reason why a date was refused.
    public struct Failure: Error, Hashable {
        /// The reason.
        public var reason: Refusal

        /// Creates an error with a reason.
        public init(_ reason: Refusal) { self.reason = reason }
    }

    private static func moment(_ day: Date, _ time: String, _ calendar: Calendar) -> Date? {
        guard let match = time.wholeMatch(of: #/([0-9]{2}):([0-9]{2})(:[0-9]{2})?/#),
            let hour = Int(match.1), let minute = Int(match.2), hour < 24, minute < 60
        else { return nil }
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        var parts = gregorian.dateComponents([.year, .month, .day], from: day)
        (parts.hour, parts.minute) = (hour, minute)
        return gregorian.date(from: parts)
    }
}
