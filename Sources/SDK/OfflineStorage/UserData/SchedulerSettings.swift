import Foundation
import QuestionEngine

/// The settings of a scheduler as text: schedules stored with other settings are replayed.
///
/// The text names everything on which a schedule depends, except the answers, so equal texts mean equal schedules. It
/// omits fuzz, which is added when a stored schedule is read.
struct SchedulerSettings: Codable, Hashable {
    /// The revision of the formulas; increment it when they change, so that all schedules are replayed.
    static let currentFormulas = 2

    private let formulas: Int
    private let retention: Double
    private let learningSteps: [TimeInterval]
    private let relearningSteps: [TimeInterval]
    private let intervalDaysMax: Int
    private let parameters: [Double]
    private let rolloverHour: Int

    init(_ scheduler: ReviewScheduler) {
        formulas = Self.currentFormulas
        retention = scheduler.settings.retention
        learningSteps = scheduler.settings.learningSteps
        relearningSteps = scheduler.settings.relearningSteps
        intervalDaysMax = scheduler.settings.intervalDaysMax
        parameters = scheduler.memory.parameters.values
        rolloverHour = scheduler.settings.rolloverHour
    }

    /// The text that is stored with the schedules.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// Makes a scheduler of a stored text; `nil` for a text of other formulas or out of range.
    static func scheduler(_ text: String) -> ReviewScheduler? {
        // A text of a newer version has no scheduler here; its cards are replayed.
        guard let stored = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
            stored.formulas == currentFormulas,
            let parameters = try? FSRSParameters(stored.parameters)
        else { return nil }
        return try? ReviewScheduler(
            ReviewScheduler.Settings(
                retention: stored.retention, learningSteps: stored.learningSteps,
                relearningSteps: stored.relearningSteps, intervalDaysMax: stored.intervalDaysMax,
                rolloverHour: stored.rolloverHour),
            parameters: parameters)
    }

    /// The scheduler of a bank before an app passes another one: right and wrong answers.
    static let standard: ReviewScheduler = {
        // The settings are constants within their ranges.
        guard let scheduler = try? ReviewScheduler(.rightOrWrong) else {
            preconditionFailure("the settings for right and wrong answers are out of range")
        }
        return scheduler
    }()
}
