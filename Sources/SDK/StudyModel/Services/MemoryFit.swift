import Foundation
import Underway

/// The steps by which the memory model is fitted to a learner's answers, see `ParameterStep`.
struct MemoryFit: Sendable {
    private let userData: any StudyUserData
    private let days: LearningClock
    private let now: Date

    init(_ services: StudyServices) {
        self.init(services.userData, days: services.days, now: services.clock())
    }

    /// Creates the steps over a learner's data.
    ///
    /// - Parameters:
    ///   - userData: The learner's data.
    ///   - days: The conversion of moments to learner's days.
    ///   - now: The wall clock.
    init(_ userData: any StudyUserData, days: LearningClock, now: Date) {
        (self.userData, self.days, self.now) = (userData, days, now)
    }

    /// Takes a step and saves its record; all answers are read only when they can be enough.
    ///
    /// - Parameter isRequested: True if the learner asked for the step; else it is taken only if the settings allow it.
    /// - Returns: The outcome; `nil` if there is no step to take, or if another process took one meanwhile.
    /// - Throws: An error of the user data.
    @discardableResult
    func step(isRequested: Bool = false) async throws -> ParameterStep.Outcome? {
        guard let (record, histories) = try await read(isRequested) else { return nil }
        let step = ParameterStep(
            histories, record: record, today: days.day(of: now), rolloverHour: days.rolloverHour,
            isRequested: isRequested)
        guard case .fitted(let fitted, _) = step.outcome else { return step.outcome }
        return try await userData.perform { [now] store in
            let present = try store.record(MemoryRecord.self, id: MemoryRecord.recordID)
            guard present == record else { return nil }
            try store.put(fitted, id: MemoryRecord.recordID, now: now)
            return step.outcome
        }
    }

    private func read(_ isRequested: Bool) async throws -> (MemoryRecord?, [[Review]])? {
        try await userData.perform { [days, now] store in
            let record = try store.record(MemoryRecord.self, id: MemoryRecord.recordID)
            let isDue =
                try store.learningSettings().optimises
                && ParameterStep.canFit(
                    store.reviewCount(), record: record, today: days.day(of: now), in: days)
            guard isRequested || isDue else { return nil }
            return (record, try store.reviewHistories())
        }
    }
}
