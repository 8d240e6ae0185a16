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

/// The time that it is at least now, as it was last read from the learner's data, see `UserStore.present(at:)`.
final class KnownTime: Sendable {
    private let time = Mutex(Date.distantPast)

    var value: Date { time.withLock { $0 } }

    func change(to time: Date) { self.time.withLock { $0 = time } }
}

extension StudyServices {
    /// Reads what determines the learner's day: the hour at which it begins, for ``days``, and what the device knows of
    /// the time, for ``now``.
    func readDay() async throws {
        let (hour, time) = try await userData.perform {
            (try $0.learningSettings().rolloverHour, try $0.present(at: .distantPast))
        }
        rolloverHour.change(to: hour)
        knownTime.change(to: time)
    }
}
