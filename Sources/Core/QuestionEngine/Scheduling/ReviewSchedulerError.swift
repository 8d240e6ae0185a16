public import Foundation

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
public enum ReviewSchedulerError: Error, Hashable, Sendable {
    /// The retention is not from 0.5 to 0.99.
    case retention(Double)
    /// A step is not a positive number of seconds of at most 30 days.
    case step(TimeInterval)
    /// The longest interval is not from 1 to 36,500 days.
    case intervalDaysMax(Int)
}

extension ReviewSchedulerError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .retention: .retentionOutOfRange
        case .step: .stepOutOfRange
        case .intervalDaysMax: .intervalOutOfRange
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .retention(let value):
            "The desired retention \(value) is not from 0.5 to 0.99."
        case .step(let seconds):
            "The step of \(seconds) seconds is not positive and at most 30 days."
        case .intervalDaysMax(let days):
            "The longest interval of \(days) days is not from 1 to 36500."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
