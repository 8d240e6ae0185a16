package import Foundation

/// The field `Retry-After` of a reply (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Returns the wait that a reply requests, as seconds or as a date.
    ///
    /// A date counts from the time at which the server sent the reply, so that a device with a wrong clock waits
    /// equally long.
    /// - Parameters:
    ///   - headers: Header fields by lowercase name.
    ///   - now: The device's time, for replies without `Date`.
    /// - Returns: `nil` when the reply requests none.
    package static func wait(in headers: [String: String], now: Date) -> Duration? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Int(text) { return bounded(seconds) }
        // A number too large for an integer.
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return bounded(.max)
        }
        guard let moment = HTTPDate.parse(text) else { return nil }
        let sent = headers["date"].flatMap(HTTPDate.parse) ?? now
        let seconds = moment.timeIntervalSince(sent).rounded(.up)
        // The device's clock may be at no time at all.
        return bounded(Int(exactly: seconds) ?? (seconds > 0 ? .max : 0))
    }

    /// Bounds a wait from below by 0 and from above; callers have bounds of their own.
    private static func bounded(_ seconds: Int) -> Duration {
        .seconds(min(max(0, seconds), 1_000_000_000))
    }
}

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT
/// Sunday, 06-Nov-94 08:49:37 GMT
/// Sun Nov  6 08:49:37 1994
/// ```
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads a date; `nil` when it is none.
    package static func parse(_ text: String) -> Date? {
        let parts = text.split { " ,-".contains($0) }.map(String.init)
        switch parts.count {
        case 6 where parts[5] == "GMT": return date(parts[1], parts[2], parts[3], parts[4])
        case 5: return date(parts[2], parts[1], parts[4], parts[3])
        default: return nil
        }
    }

    private static func date(
        _ day: String, _ month: String, _ year: String, _ time: String
    ) -> Date? {
        let clock = time.split(separator: ":").map { Int($0) ?? -1 }
        guard let day = Int(day), let month = months.firstIndex(of: month), let year = Int(year),
            clock.count == 3, (1...31).contains(day), (0...9999).contains(year),
            (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: full(year), month: month + 1, day: day, hour: clock[0], minute: clock[1],
                second: clock[2]))
    }

    /// Expands a year of two digits: up to 69 of this century, then of the last.
    private static func full(_ year: Int) -> Int {
        switch year {
        case 0..<70: year + 2000
        case 70..<100: year + 1900
        default: year
        }
    }
}
