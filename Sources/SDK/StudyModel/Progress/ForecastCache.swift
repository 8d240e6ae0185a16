import Foundation
import Synchronization
import Underway

/// The forecasts of a device, each computed once a day and after each new answer or another exam day.
///
/// A forecast of 5,000 questions in 60 days takes 0.7 s, and pages are loaded more often than their numbers change.
public final class ForecastCache: Sendable {
    /// All that a forecast depends on but the hour of the day.
    struct Key: Sendable, Hashable {
        var user: String
        var bank: String
        /// The questions that may be asked.
        var questions: [String]
        var scoring: Scoring
        /// The counts of the answers to the bank, by domain.
        var answers: [UserStore.Progress]
        var examDay: LearningDay
        var today: LearningDay
        /// The memory model, which a fit to the learner's answers changes.
        var parameters: [Double]
    }

    /// The number of forecasts that are kept at most.
    static let countMax = 16

    private let entries = Mutex<[(key: Key, forecast: ExamForecast)]>([])

    /// Creates an empty cache.
    public init() {}

    /// Returns the forecast of a key; `nil` if it was not computed yet.
    func forecast(_ key: Key) -> ExamForecast? {
        entries.withLock { $0.first { $0.key == key }?.forecast }
    }

    /// Caches a forecast, in place of one of another day or of fewer answers.
    func keep(_ forecast: ExamForecast, for key: Key) {
        entries.withLock { entries in
            entries.removeAll { $0.key.bank == key.bank }
            entries.append((key, forecast))
            entries.removeFirst(max(0, entries.count - Self.countMax))
        }
    }
}
