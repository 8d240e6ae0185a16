import Foundation
import Synchronization
import Underway

/// The forecasts of a device, each computed once a day and after each new answer or another exam day.
///
/// A forecast of 5,000 questions in 60 days takes 0.7 s; pages are read more often than their numbers change.
public final class ForecastCache: Sendable {
    /// All that a forecast depends on but the hour of the day.
    struct Key: Sendable, Hashable {
        var bank: String
        /// The questions that may be asked.
        var questions: [String]
        var scoring: Scoring
        /// The counts of the answers to the bank, by domain.
        var answers: [UserStore.Progress]
        var examDay: Date
        var today: Date
    }

    /// The number of forecasts that are kept at most.
    static let countMax = 16

    private let entries = Mutex<[(key: Key, forecast: ExamForecast)]>([])

    /// Creates an empty cache.
    public init() {}

    /// Returns the forecast of a key; computes it if there is none.
    ///
    /// Two callers at the same time may both compute it.
    func forecast(
        _ key: Key, compute: () async throws -> ExamForecast
    ) async rethrows -> ExamForecast {
        let cached = entries.withLock { $0.first { $0.key == key }?.forecast }
        if let cached { return cached }
        let forecast = try await compute()
        entries.withLock { entries in
            entries.removeAll { $0.key.bank == key.bank }
            entries.append((key, forecast))
            entries.removeFirst(max(0, entries.count - Self.countMax))
        }
        return forecast
    }
}
