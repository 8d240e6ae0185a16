import Foundation
public import Observation
public import Underway

/// A learner's settings of scheduling, for all subjects or for one.
public struct LearningScreen: Sendable, Hashable {
    /// The settings that are in force.
    public var settings: LearningSettings
    /// The subject; `nil` for all.
    public var subject: Subject?
    /// True if the record has fields of its own, so that ``LearningModel/reset()`` changes something.
    public var isChanged: Bool
    /// True if the memory model is fitted to the learner's answers, so that intervals follow them.
    public var hasOwnMemory: Bool
}

/// The model of the learner's settings of scheduling.
@MainActor @Observable
public final class LearningModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: LearningScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices
    @ObservationIgnored private let bank: QuestionFilter.Bank?

    /// Creates the model of a bank's settings; `nil` for those of all banks.
    public init(_ services: StudyServices, bank: QuestionFilter.Bank? = nil) {
        self.services = services
        self.bank = bank
    }

    /// Loads the settings.
    public func load() async { await perform { _, _ in } }

    /// Keeps settings: the fields in which they differ from the defaults, or a bank's from those of all banks.
    ///
    /// A bank has no rollover hour of its own.
    public func save(_ settings: LearningSettings) async {
        await perform { [id, bank] store, now in
            let inherited =
                try bank == nil ? .standard : store.learningSettings()
            try store.put(
                LearningFields(settings, differingFrom: inherited), id: id, now: now)
        }
    }

    /// Removes all fields, so that the defaults are in force, or for a bank the settings of all banks.
    public func reset() async {
        await perform { [id] in try $0.put(LearningFields(), id: id, now: $1) }
    }

    /// Returns the price of the retention of settings before they are saved; `nil` if as many reviews are due with it.
    public func price(of settings: LearningSettings) async -> RetentionPrice? {
        guard let present = screen?.settings, present.retention != settings.retention else {
            return nil
        }
        // A price that cannot be read keeps nobody from saving; the step that saves says why.
        let price = try? await RetentionPriceLoader(services).price(
            of: settings.retention, in: bank)
        return price?.dueCount == price?.presentCount ? nil : price
    }

    /// Fits the memory model to the learner's answers now, see `ParameterStep`.
    ///
    /// - Returns: The outcome; `nil` after a failure, or if another device's step arrived meanwhile.
    public func optimise() async -> ParameterStep.Outcome? {
        do {
            let outcome = try await MemoryFit(services).step(isRequested: true)
            await load()
            return outcome
        } catch {
            problem = StudyProblem(error)
            return nil
        }
    }

    /// Returns the subject of the bank, which is read once.
    private func subject() async throws -> Subject? {
        guard screen == nil, let bank else { return screen?.subject }
        return try await services.content.perform {
            Subject(try $0.blueprint(bank).value, of: bank)
        }
    }

    private var id: String { bank?.name ?? LearningFields.allBanks }

    /// Takes a step and reads the screen after it.
    private func perform(_ step: @escaping @Sendable (UserStore, Date) throws -> Void) async {
        do {
            let now = services.clock()
            let subject = try await subject()
            let (settings, fields, memory) = try await services.userData.perform {
                [id, bank] store in
                try step(store, now)
                return (
                    try store.learningSettings(of: bank),
                    try store.record(LearningFields.self, id: id),
                    try store.record(MemoryRecord.self, id: MemoryRecord.recordID)
                )
            }
            if bank == nil { services.rolloverHour.change(to: settings.rolloverHour) }
            screen = LearningScreen(
                settings: settings, subject: subject,
                isChanged: (fields ?? LearningFields()) != LearningFields(),
                hasOwnMemory: (memory?.used ?? .standard) != .standard)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}
