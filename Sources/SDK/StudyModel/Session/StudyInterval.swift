public import Foundation
public import Underway

/// The time until a question is repeated: minutes within a step, else learner's days.
public enum StudyInterval: Sendable, Hashable {
    /// A number of minutes, at least 1.
    case minutes(Int)
    /// A number of days.
    case days(Int)

    /// Creates the interval of a schedule; `nil` for a card that was never asked.
    public init?(until schedule: CardSchedule, now: Date, in clock: LearningClock) {
        if let day = schedule.dueDay {
            self = .days(day - clock.day(of: now))
        } else if let moment = schedule.dueMoment {
            let minutes = (moment.timeIntervalSince(now) / 60).rounded()
            self = .minutes(Int(min(max(minutes, 1), 1_440)))
        } else {
            return nil
        }
    }
}
