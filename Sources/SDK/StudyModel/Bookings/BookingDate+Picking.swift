public import Foundation
import Underway

// A picker has moments where a form has texts. A day is shown at noon, which every clock has on that day.
extension BookingDate {
    /// Creates the day of a moment, without a time.
    public init(dayOf moment: Date, calendar: Calendar) {
        self.init(day: ExamDate(dayOf: moment, in: calendar.timeZone).text, time: "")
    }

    /// The entered day as a moment in it, for a picker; if unreadable, the day of `now`.
    public subscript(day calendar: Calendar, now now: Date) -> Date {
        get { moment(calendar) ?? now }
        set { day = BookingDate(dayOf: newValue, calendar: calendar).day }
    }

    /// The entered time on the entered day, for a picker.
    public subscript(time calendar: Calendar, now now: Date) -> Date {
        get { moment(calendar) ?? now }
        set { time = BookingDate(ExamDate(moment: newValue), calendar: calendar).time }
    }

    /// True with a time; setting it enters noon, or removes the time.
    public var hasTime: Bool {
        get { !time.isEmpty }
        set { time = newValue ? "12:00" : "" }
    }

    private func moment(_ calendar: Calendar) -> Date? {
        guard let start = ExamDate(day)?.start(in: calendar.timeZone) else { return nil }
        let parts = (time.isEmpty ? "12:00" : time).split(separator: ":").compactMap { Int($0) }
        guard parts.count >= 2 else { return nil }
        return calendar.date(bySettingHour: parts[0], minute: parts[1], second: 0, of: start)
    }
}
