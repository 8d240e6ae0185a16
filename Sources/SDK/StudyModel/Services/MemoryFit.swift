import Foundation
import Underway

/// The steps by which the memory model is fitted to a learner's answers, see `ParameterStep`.
struct MemoryFit: Sendable {
    /// What a step starts from.
    private struct Input: Sendable {
        var record: MemoryRecord?
        var histories: [[Review]]
        /// The conversion of moments to learner's days.
        var days: LearningClock
    }

    private let userData: any StudyUserData
    private let timeZone: TimeZone
    private let now: Date

    init(_ services: StudyServices) {
        self.init(
            services.userData, timeZone: services.calendar.timeZone, now: services.now)
    }

    /// Creates the steps over a learner's data.
    ///
    /// - Parameters:
    ///   - userData: The learner's data.
    ///   - timeZone: The zone of the learner's days.
    ///   - now: The wall clock.
    init(_ userData: any StudyUserData, timeZone: TimeZone, now: Date) {
        (self.userData, self.timeZone, self.now) = (userData, timeZone, now)
    }

    /// Takes a step and saves its record; all answers are read only when they can be enough.
    ///
    /// - Parameter isRequested: True if the learner asked for the step; else it is taken only if the settings allow it.
    /// - Returns: The outcome; `nil` if there is no step to take, or if another process took one meanwhile.
    /// - Throws: An error of the user data.
    @discardableResult
    func step(isRequested: Bool = false) async throws -> ParameterStep.Outcome? {
        guard let input = try await read(isRequested) else { return nil }
        let step = ParameterStep(
            input.histories, record: input.record, today: input.days.day(of: now),
            rolloverHour: input.days.rolloverHour, isRequested: isRequested)
        guard case .fitted(let fitted, _) = step.outcome else { return step.outcome }
        return try await userData.perform { [now] store in
            let present = try store.record(MemoryRecord.self, id: MemoryRecord.recordID)
            guard present == input.record else { return nil }
            try store.put(fitted, id: MemoryRecord.recordID, now: now)
            return step.outcome
        }
    }

    private func read(_ isRequested: Bool) async throws -> Input? {
        try await userData.perform { [timeZone, now] store in
            let settings = try store.learningSettings()
            let days = LearningClock(rolloverHour: settings.rolloverHour, timeZone: timeZone)
            let record = try store.record(MemoryRecord.self, id: MemoryRecord.recordID)
            func isDue() throws -> Bool {
                try settings.optimises
                    && ParameterStep.canFit(
                        store.reviewCount(), record: record, today: days.day(of: now), in: days)
            }
            guard try isRequested || isDue() else { return nil }
            return Input(record: record, histories: try store.reviewHistories(), days: days)
        }
    }
}
