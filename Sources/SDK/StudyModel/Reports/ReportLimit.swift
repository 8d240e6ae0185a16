public import Foundation

/// The limit of new reports from one device.
///
/// A change or withdrawal of a report does not count.
public enum ReportLimit {
    /// The maximum number of questions reported within ``period``.
    public static let reportsMax = 30
    /// The period in seconds: a day.
    public static let period: TimeInterval = 86_400

    /// Returns the times of reports that still count, oldest first; times after `now` are of a clock that was wrong.
    static func counted(_ times: [Date], now: Date) -> [Date] {
        times.filter { $0 <= now && $0 > now - period }.suffix(reportsMax)
    }
}
