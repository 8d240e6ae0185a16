public import Foundation

/// The bound of new reports from one device.
///
/// A change of a report, and one that is taken back, does not count.
public enum ReportLimit {
    /// The most questions that are reported within ``period``.
    public static let reportsMax = 30
    /// The period in seconds: a day.
    public static let period: TimeInterval = 86_400

    /// Returns the times of reports that still count, oldest first; times after `now` are of a clock that was wrong.
    static func counted(_ times: [Date], now: Date) -> [Date] {
        times.filter { $0 <= now && $0 > now - period }.suffix(reportsMax)
    }
}
