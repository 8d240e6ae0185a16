import Foundation

/// A moment as pages show it: relative up to 7 days, then a date; the exact time beside it.
struct DeskTime: Sendable {
    /// The moment in words.
    var words: String
    /// The moment by ISO 8601, for `datetime`.
    var exact: String

    /// Describes a moment; both times in milliseconds since 1970.
    init(_ time: Int64, now: Int64) {
        let date = Date(timeIntervalSince1970: Double(time) / 1000)
        exact = date.formatted(.iso8601)
        let seconds = (now - time) / 1000
        switch seconds {
        case ..<60: words = "just now"
        case ..<3_600: words = Self.ago(seconds / 60, "minute")
        case ..<86_400: words = Self.ago(seconds / 3_600, "hour")
        case ..<604_800: words = Self.ago(seconds / 86_400, "day")
        default: words = Self.day(date)
        }
    }

    private static func ago(_ count: Int64, _ unit: String) -> String {
        "\(count) \(unit)\(count == 1 ? "" : "s") ago"
    }

    /// Returns a day as "3 May 2026", by the calendar of UTC.
    static func day(_ date: Date) -> String {
        var style = Date.FormatStyle(locale: Locale(identifier: "en_GB"), timeZone: .gmt)
        style = style.day().month(.wide).year()
        return date.formatted(style)
    }
}
