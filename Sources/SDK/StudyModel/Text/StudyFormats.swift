public import Foundation

/// The formats of numbers, dates and spans of time in a learner's language.
///
/// All formats use the language of the words, and the time zone and days of the calendar; the caller passes the present
/// time.
///
/// ```swift
/// let formats = StudyFormats(words: words, calendar: services.calendar)
/// formats.percent(0.864)                       // "86%"
/// formats.relative(session.savedAt, now: now)  // "12 minutes ago"
/// ```
public struct StudyFormats: Sendable {
    /// The words of the language.
    public let words: StudyText
    /// The calendar of days, with the learner's time zone and the words' locale.
    public let calendar: Calendar

    /// Creates the formats of a language.
    public init(words: StudyText, calendar: Calendar) {
        self.words = words
        var calendar = calendar
        calendar.locale = words.locale
        self.calendar = calendar
    }

    // MARK: Numbers

    /// Returns a whole number with the language's grouping: "1,240".
    public func number(_ value: Int) -> String { value.formatted(.number.locale(words.locale)) }

    /// Returns a share from 0 to 1 in whole percent: "86%".
    public func percent(_ share: Double) -> String {
        let style = FloatingPointFormatStyle<Double>.Percent(locale: words.locale)
        return share.formatted(style.precision(.fractionLength(0)))
    }

    /// Returns an amount of data in units of 1,000: "412 kB", "4.8 MB".
    public func bytes(_ count: Int) -> String {
        let style = ByteCountFormatStyle(
            style: .file, spellsOutZero: false, locale: words.locale)
        return Int64(count).formatted(style)
    }

    /// Returns a list with the language's commas and its "and".
    public func list(_ items: [String]) -> String {
        items.formatted(.list(type: .and).locale(words.locale))
    }

    // MARK: Dates

    /// Returns the day: "21 November", with the year when it is not that of `now`.
    public func date(_ date: Date, now: Date) -> String { date.formatted(day(date, now)) }

    /// Returns the day with its weekday: "Saturday 21 November".
    public func dateWithWeekday(_ date: Date, now: Date) -> String {
        date.formatted(day(date, now).weekday(.wide))
    }

    /// Returns the day with the year: "12 December 2026".
    public func dateWithYear(_ date: Date) -> String {
        date.formatted(style.day().month(.wide).year())
    }

    /// Returns the day and the clock time: "12 December, 09:30".
    public func dateAndTime(_ date: Date, now: Date) -> String {
        words.text(
            "time.dateAndClock", ["date": self.date(date, now: now), "clock": time(date)])
    }

    /// Returns the clock time: "14:31".
    public func time(_ date: Date) -> String { date.formatted(style.hour().minute()) }

    /// Returns the day in short form, for axes: "1 Oct".
    public func shortDate(_ date: Date) -> String {
        date.formatted(style.day().month(.abbreviated))
    }

    /// Returns the weekday in short form, for axes: "Mon".
    public func shortWeekday(_ date: Date) -> String {
        date.formatted(style.weekday(.abbreviated))
    }

    /// Returns the month in short form, for axes: "Aug".
    public func shortMonth(_ date: Date) -> String { date.formatted(style.month(.abbreviated)) }

    /// Returns the exact time for `time datetime`: "2026-11-21T14:31:00Z" (RFC 3339, in UTC).
    public func timestamp(_ date: Date) -> String { date.formatted(.iso8601) }

    private var style: Date.FormatStyle {
        Date.FormatStyle(
            locale: words.locale, calendar: calendar, timeZone: calendar.timeZone)
    }

    private func day(_ date: Date, _ now: Date) -> Date.FormatStyle {
        let isThisYear = calendar.isDate(date, equalTo: now, toGranularity: .year)
        return isThisYear ? style.day().month(.wide) : style.day().month(.wide).year()
    }
}
