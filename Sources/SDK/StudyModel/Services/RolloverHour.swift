import Foundation
import Synchronization
import Underway

/// The hour at which the learner's day begins, as it was last read from the learner's settings.
///
/// Screens need the day of now without a wait; the hour changes only in the settings.
public final class RolloverHour: Sendable {
    private let hour = Mutex(LearningClock.standardRolloverHour)

    init() {}

    /// The hour, from 0 to 23.
    var value: Int { hour.withLock { $0 } }

    func change(to hour: Int) { self.hour.withLock { $0 = hour } }
}

extension StudyServices {
    /// Reads the hour at which the learner's day begins from the settings, for ``days``.
    func readRolloverHour() async throws {
        let hour = try await userData.perform { try $0.learningSettings().rolloverHour }
        rolloverHour.change(to: hour)
    }
}
