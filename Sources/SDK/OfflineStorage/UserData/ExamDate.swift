public import Foundation
public import QuestionEngine

/// The date of an exam: a day, such as `2026-12-24`, or a moment with its time zone, such as
/// `2026-12-24T09:00+01:00` (ISO 8601, at most 25 characters).
///
/// Each initializer of an app creates a valid date. A record of another program may contain any text: it is decoded
/// unchanged, ``isValid`` is false, and it is written back unchanged.
///
/// ```swift
/// let planned: ExamDate = "2026-12-24"
/// for text in ["2026-12-24T09:00Z", "next week"] {  // as a person entered them
///     guard let entered = ExamDate(text) else { continue }
///     print(planned < entered)  // true
/// }
/// ```
public struct ExamDate: Sendable, Hashable, LosslessStringConvertible, ExpressibleByStringLiteral {
    /// The stored text of the date.
    public let text: String

    /// The stored text of the date.
    public var description: String { text }

    /// Parses a day or a moment; `nil` for any other text.
    public init?(_ text: String) {
        guard ExamDateParts(text) != nil else { return nil }
        self.text = text
    }

    /// Creates a date from a literal of the program, which must be valid.
    public init(stringLiteral text: String) {
        guard let date = ExamDate(text) else {
            preconditionFailure("\"\(text)\" is neither a day nor a moment with a time zone")
        }
        self = date
    }

    /// Creates the day of a moment in a time zone, such as that of a `DatePicker`.
    public init(dayOf moment: Date, in timeZone: TimeZone = .current) {
        self.init(
            stringLiteral: Self.bounded(moment).formatted(
                Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()))
    }

    /// Creates a moment, in whole seconds.
    public init(moment: Date) {
        self.init(stringLiteral: Self.bounded(moment).formatted(.iso8601))
    }

    /// Limits a moment to the years 1 to 9999, which ISO 8601 writes with four digits in every time zone.
    private static func bounded(_ moment: Date) -> Date {
        let seconds = moment.timeIntervalSince1970
        guard seconds.isFinite else { return Date(timeIntervalSince1970: 0) }
        return Date(timeIntervalSince1970: min(max(seconds, -62_135_424_000), 253_402_128_000))
    }

    /// False for a text of another program that is neither a day nor a moment.
    public var isValid: Bool { ExamDateParts(text) != nil }

    /// True for a day without a time.
    public var isDay: Bool { ExamDateParts(text).map { $0.time == nil } ?? false }

    /// The learner's day of the exam: the day itself, or that of the moment in the time zone of its text; `nil` for an
    /// invalid date.
    public var day: LearningDay? { ExamDateParts(text)?.learningDay }

    /// Returns the moment, or the start of the day in a time zone; `nil` for an invalid date.
    public func start(in timeZone: TimeZone = .current) -> Date? {
        ExamDateParts(text)?.start(in: timeZone)
    }
}

extension ExamDate: Comparable {
    /// Orders dates by their start in UTC, then by their texts; invalid ones come last.
    public static func < (one: ExamDate, other: ExamDate) -> Bool {
        let (first, second) = (one.start(in: .gmt), other.start(in: .gmt))
        guard first == second else { return first ?? .distantFuture < second ?? .distantFuture }
        return one.text < other.text
    }
}

extension ExamDate: Codable {
    /// Decodes any text, so that records of other programs can be shown.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// The parts of a date in the form that every side accepts.
private struct ExamDateParts {
    struct Time {
        var secondOfDay: Double
        /// The seconds by which its zone is ahead of UTC.
        var offset: Int
    }

    let day: DateComponents
    /// The day as it is written.
    let date: String
    /// The time; `nil` for a day alone.
    let time: Time?

    /// The maximum length of the text, by the collection's rules.
    static let lengthMax = 25

    init?(_ text: String) {
        let pattern =
            #/
            ([0-9]{4})-([0-9]{2})-([0-9]{2})
            (?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?(Z|[+-][0-9]{2}:[0-9]{2}))?
            /#
        guard text.utf8.count <= Self.lengthMax, let match = text.wholeMatch(of: pattern) else {
            return nil
        }
        day = DateComponents(year: Int(match.1), month: Int(match.2), day: Int(match.3))
        date = String(text.prefix(10))
        guard day.isValidDate(in: Self.calendar(.gmt)) else { return nil }
        guard let hour = match.4.flatMap({ Double($0) }), let zone = match.7 else {
            time = nil
            return
        }
        let minute = match.5.flatMap { Double($0) } ?? 0
        let second = match.6.flatMap { Double($0) } ?? 0
        guard hour < 24, minute < 60, second < 60, let offset = Self.offset(zone) else {
            return nil
        }
        time = Time(secondOfDay: hour * 3600 + minute * 60 + second, offset: offset)
    }

    /// Returns the seconds by which a zone is ahead of UTC; `nil` for more than a day.
    private static func offset(_ zone: Substring) -> Int? {
        guard zone != "Z" else { return 0 }
        guard let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)),
            hours < 24, minutes < 60
        else { return nil }
        return (zone.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The learner's day.
    var learningDay: LearningDay? {
        guard let time, let moment = start(in: .gmt) else { return LearningDay(date) }
        return LearningClock.day(of: moment, offsetMinutes: time.offset / 60)
    }

    func start(in timeZone: TimeZone) -> Date? {
        guard let time else { return Self.calendar(timeZone).date(from: day) }
        return Self.calendar(.gmt).date(from: day)
            .map { $0 + time.secondOfDay - Double(time.offset) }
    }

    private static func calendar(_ timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }
}
