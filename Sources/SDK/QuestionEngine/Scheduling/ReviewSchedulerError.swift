import Foundation

/// An error of creating a scheduler.
///
/// ```swift
/// var settings = ReviewScheduler.Settings()
/// settings.retention = 1
/// do throws(ReviewSchedulerError) {
///     _ = try ReviewScheduler(settings)
/// } catch {
///     print(error.code == .retentionOutOfRange, error.localizedDescription)
/// }
/// ```
public struct ReviewSchedulerError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The invalid setting: the retention, a step in seconds, or an interval in days.
    public var value: Double
}

extension ReviewSchedulerError {
    /// Reports that the retention is not from 0.5 to 0.99.
    public static func retention(_ value: Double) -> Self {
        Self(
            code: .retentionOutOfRange,
            message: "The desired retention \(value) is out of range: choose one from 0.5 to 0.99.",
            value: value)
    }

    /// Reports that a step is not a positive number of seconds of at most 30 days.
    public static func step(_ seconds: Double) -> Self {
        Self(
            code: .stepOutOfRange,
            message:
                "The step of \(seconds) seconds is out of range: choose a positive one of at most 30 days.",
            value: seconds)
    }

    /// Reports that the longest interval is not from 1 to 36,500 days.
    public static func intervalDaysMax(_ days: Int) -> Self {
        Self(
            code: .intervalOutOfRange,
            message:
                "The longest interval of \(days) days is out of range: choose one from 1 to 36500.",
            value: Double(days))
    }
}
