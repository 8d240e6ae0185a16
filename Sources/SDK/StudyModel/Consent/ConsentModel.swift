public import Observation
import Underway

/// The learner's consent to the use of first answers to find wrong keys.
public struct ConsentScreen: Sendable, Hashable {
    /// True for yes, false for no; `nil` without an answer, which counts as no.
    public var isGiven: Bool?
    /// True when this screen asks the question.
    public var isAsked: Bool

    /// Returns true if the question is asked after a session: on the result of one session, until it is answered.
    ///
    /// - Parameters:
    ///   - session: The session's id.
    ///   - isGiven: The answer; `nil` for none.
    ///   - former: The session after which it was asked before; `nil` for none.
    /// - Returns: True when it is asked.
    static func isAsked(after session: String, isGiven: Bool?, before former: String?) -> Bool {
        isGiven == nil && (former == nil || former == session)
    }
}

/// The model of the consent, which is stored at once and sent with the next sync.
@MainActor @Observable
public final class ConsentModel {
    /// The screen; `nil` before ``load()``, and on a device without a server.
    public private(set) var screen: ConsentScreen?
    /// The answer before the last step; `nil` for none.
    public private(set) var former: Bool?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the answer.
    public func load() async {
        do {
            screen = try await read()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Loads the answer for the result of a session, and decides if the question is asked there.
    ///
    /// A device that cannot record the question does not ask it.
    public func load(after result: ResultScreen) async {
        await load()
        guard let present = screen, result.hasAnswers else { return }
        let former = await services.settings.value.consentAskedAfter
        guard
            ConsentScreen.isAsked(after: result.id, isGiven: present.isGiven, before: former)
        else { return }
        do {
            if former == nil {
                try await services.settings.change { $0.consentAskedAfter = result.id }
            }
            screen?.isAsked = true
        } catch {
            // The next result asks, if it can be noted by then.
        }
    }

    /// Stores an answer; repeating the same one has no effect.
    public func answer(_ isGiven: Bool) async { await change(to: isGiven) }

    /// Undoes a step by restoring the former answer; `nil` for none.
    public func restore(_ former: Bool?) async { await change(to: former) }

    private func change(to wanted: Bool?) async {
        do {
            guard let present = try await read() else { throw StudyProblem(.notFound) }
            if let wanted, wanted != present.isGiven {
                try await services.change {
                    try $0.put(ConsentRecord(isGiven: wanted), id: Self.id, now: $1)
                }
            } else if wanted == nil, present.isGiven != nil {
                try await services.change {
                    try $0.delete(ConsentRecord.self, id: Self.id, now: $1)
                }
            }
            former = present.isGiven
            await load()
        } catch {
            problem = StudyProblem(error)
        }
    }

    private nonisolated static let id = Consent.answerAnalysis.rawValue

    private func read() async throws -> ConsentScreen? {
        guard services.sendsUserData else { return nil }
        let record = try await services.userData.perform {
            try $0.record(ConsentRecord.self, id: Self.id)
        }
        return ConsentScreen(isGiven: record?.isGiven, isAsked: false)
    }
}

extension ResultScreen {
    /// True when the learner answered a question of the session.
    var hasAnswers: Bool { reviewed.contains { $0.response != nil } }
}
