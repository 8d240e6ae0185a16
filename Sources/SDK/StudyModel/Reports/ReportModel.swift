import Foundation
public import Observation
public import Underway

/// The model of a report: one for each learner and question, stored at once and sent with the next sync.
@MainActor @Observable
public final class ReportModel {
    /// The effect of the last step.
    public enum Outcome: Sendable, Hashable {
        /// The report was stored; the former one, `nil` for none.
        case stored(former: QuestionReport?)
        /// The report is equal to the former one.
        case unchanged
        /// The report was withdrawn; its content.
        case takenBack(QuestionReport)
        /// The state before an earlier step was restored.
        case restored
    }

    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: ReportScreen?
    /// The effect of the last step; `nil` if it failed.
    public private(set) var outcome: Outcome?
    /// The reason why the last draft was not stored; `nil` when it was.
    public private(set) var refusal: ReportDraft.Refusal?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The session's id.
    public nonisolated let session: String
    /// The place of the question in its session, from 0.
    public nonisolated let index: Int
    /// The screen from which the learner came.
    public nonisolated let origin: ReportScreen.Origin
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of the report about a question of a session.
    public init(
        _ services: StudyServices, session: String, index: Int, origin: ReportScreen.Origin
    ) {
        self.services = services
        self.session = session
        self.index = index
        self.origin = origin
    }

    // MARK: Steps

    /// Loads the question, and the learner's report about it.
    public func load() async { await step { _ in nil } }

    /// Stores a report, which replaces an earlier one.
    public func send(_ draft: ReportDraft) async {
        await step { screen in
            let report = try screen.report(draft)
            guard report != screen.report else { return .unchanged }
            if screen.report == nil { try await countNew() }
            try await put(report)
            return .stored(former: screen.report)
        }
    }

    /// Withdraws the report; it has no effect without one.
    public func takeBack() async {
        await step { screen in
            guard let report = screen.report else { return .unchanged }
            try await delete(screen)
            return .takenBack(report)
        }
    }

    /// Undoes a step by restoring the former report; `nil` for none.
    public func restore(_ former: QuestionReport?) async {
        await step { screen in
            guard let former else {
                if screen.report != nil { try await delete(screen) }
                return .restored
            }
            guard former.recordID == screen.recordID else { throw StudyProblem(.notFound) }
            try await put(former)
            return .restored
        }
    }

    // MARK: One step

    private func step(_ body: (ReportScreen) async throws -> Outcome?) async {
        (outcome, refusal, problem) = (nil, nil, nil)
        do {
            screen = try await read()
            guard let screen, let outcome = try await body(screen) else { return }
            self.screen = try await read()
            self.outcome = outcome
        } catch let refusal as ReportDraft.Refusal {
            self.refusal = refusal
        } catch {
            problem = StudyProblem(error)
        }
    }

    private func read() async throws -> ReportScreen {
        try await ReportLoader(services).screen(session: session, index: index, origin: origin)
    }

    private func put(_ report: QuestionReport) async throws {
        try await services.change { try $0.put(report, id: report.recordID, now: $1) }
    }

    private func delete(_ screen: ReportScreen) async throws {
        try await services.change {
            try $0.delete(QuestionReport.self, id: screen.recordID, now: $1)
        }
    }

    /// Counts a new report.
    ///
    /// - Throws: ``ReportDraft/Refusal`` `tooMany`, or ``StudyProblem`` `notSaved`.
    private func countNew() async throws {
        let now = services.clock()
        let times = ReportLimit.counted(await services.settings.value.reportTimes, now: now)
        guard times.count < ReportLimit.reportsMax else { throw ReportDraft.Refusal.tooMany }
        try await services.settings.change { $0.reportTimes = times + [now] }
    }
}

extension SessionModel {
    /// Returns the model of the report about a checked question.
    public func report(at index: Int) -> ReportModel {
        ReportModel(services, session: id, index: index, origin: .question)
    }
}

extension ResultModel {
    /// Returns the model of the report about a reviewed question.
    public func report(_ reviewed: ResultScreen.Reviewed) -> ReportModel {
        ReportModel(services, session: id, index: reviewed.number - 1, origin: .review)
    }
}
