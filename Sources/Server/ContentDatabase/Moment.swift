/// A time in microseconds, as in the database and RFC 3339.
///
/// ```swift
/// let moment = Moment(rfc3339: "2026-11-22T10:00:00.5+01:00")
/// print(moment?.text ?? "no moment")  // 2026-11-22T09:00:00.500000Z
/// ```
package struct Moment: Hashable, Sendable, Comparable {
    /// The microseconds since 1970.
    package var microseconds: Int64

    /// Creates a moment by its microseconds since 1970.
    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Parses a time of RFC 3339, section 5.6, from 1970 to 9999; digits after microseconds are dropped, and a leap
    /// second counts as the next second.
    ///
    /// - Returns: `nil` for anything else.
    package init?(rfc3339 text: some StringProtocol) {
        var reader = DigitReader(rest: Array(text.utf8)[...])
        guard let year = reader.number(4), year >= 1970, reader.skip("-"),
            let month = reader.number(2), (1...12).contains(month), reader.skip("-"),
            let day = reader.number(2), (1...Self.days(in: month, of: year)).contains(day),
            reader.skip("T") || reader.skip("t"),
            let hour = reader.number(2), hour < 24, reader.skip(":"),
            let minute = reader.number(2), minute < 60, reader.skip(":"),
            let second = reader.number(2), second <= 60,
            let fraction = reader.fraction(), let offset = reader.offsetMinutes(),
            reader.rest.isEmpty
        else { return nil }
        let minutes = (Self.dayNumber(year, month, day) * 24 + hour) * 60 + minute - offset
        microseconds = Int64((minutes * 60 + second) * 1_000_000 + fraction)
    }

    /// The time in UTC, with six decimal digits of the second.
    package var text: String {
        let (second, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let (date, clock) = Int(second).quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = Self.date(ofDay: date)
        let parts = [clock / 3600, clock / 60 % 60, clock % 60].map { Self.padded($0, 2) }
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
            + "T\(parts.joined(separator: ":")).\(Self.padded(Int(fraction), 6))Z"
    }

    /// Orders by time.
    package static func < (left: Moment, right: Moment) -> Bool {
        left.microseconds < right.microseconds
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The Gregorian calendar from 1970, in days of a cycle of 400 years that begins in March.
extension Moment {
    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let days = number + 719_468
        let (cycle, dayOfCycle) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear =
            dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = 400 * cycle + yearOfCycle + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

/// A reader of the fixed fields of a time.
private struct DigitReader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ width: Int) -> Int? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        rest.removeFirst(width)
        return digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
    }

    /// Reads the microseconds behind the second; 0 without any.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        let six = digits.prefix(6) + Array(repeating: 0x30, count: max(0, 6 - digits.count))
        return six.reduce(0) { 10 * $0 + Int($1 - 0x30) }
    }

    mutating func offsetMinutes() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(2), hours < 24, skip(":"), let minutes = number(2),
            minutes < 60
        else { return nil }
        return sign * (60 * hours + minutes)
    }
}
