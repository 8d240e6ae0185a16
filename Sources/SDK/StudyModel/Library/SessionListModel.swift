public import Observation
public import Underway

/// The model of the sessions of a subject.
@MainActor @Observable
public final class SessionListModel {
    /// The screen; `nil` before the first ``load(page:)``.
    public private(set) var screen: SessionListScreen?
    /// The reason why the screen could not be loaded; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The bank of the subject.
    public nonisolated let bank: QuestionFilter.Bank
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a bank.
    public init(_ services: StudyServices, bank: QuestionFilter.Bank) {
        self.services = services
        self.bank = bank
    }

    /// Loads a page of ``SessionListScreen/pageSize`` sessions; one beyond the last becomes the last.
    ///
    /// It reads the sessions of the page, and no other ones.
    /// - Parameter page: The page, from 1.
    public func load(page: Int = 1) async {
        do {
            let blueprint = try await services.content.perform { [bank] in
                try $0.blueprint(bank).value
            }
            screen = try await services.sessions(of: bank, blueprint, page: page)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}

extension StudyServices {
    /// Returns a page of the sessions of a bank; those in the format of another version are left out.
    func sessions(
        of bank: QuestionFilter.Bank, _ blueprint: Blueprint, page: Int,
        pageSize: Int = SessionListScreen.pageSize
    ) async throws -> SessionListScreen {
        let count = try await userData.perform { try $0.sessionCount(of: bank) }
        let page = PageNumber(page, itemCount: count, pageSize: pageSize)
        let saved = try await userData.perform {
            try $0.sessions(of: bank, limit: pageSize, offset: page.offset)
        }
        return SessionListScreen(
            subject: Subject(blueprint, of: bank),
            sessions: try saved.map { try SubjectSession($0, blueprint) }, count: count,
            page: page)
    }
}
