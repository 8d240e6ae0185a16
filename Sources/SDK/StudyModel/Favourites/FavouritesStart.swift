import Foundation
import Underway

/// Begins sessions of saved questions.
struct FavouritesStart {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Begins a session of the saved questions of a bank, the ones due longest first and new ones last; at most
    /// ``SessionStart/studyQuestionsMax``.
    ///
    /// An open session of the same questions continues, so that a form sent twice begins one.
    /// - Returns: The session's id.
    /// - Throws: ``StudyProblem``; `nothingToAsk` without a saved question that can be asked.
    func begin(_ bank: QuestionFilter.Bank, ratesAnswers: Bool) async throws -> String {
        let entries = try await entries(bank)
        guard !entries.isEmpty else { throw StudyProblem(.nothingToAsk) }
        let wanted = Set(entries.map(\.id))
        let open = try await services.userData.perform { try $0.openSessions() }.first {
            $0.bank == bank && $0.session.mode == .study
                && Set($0.session.items.map(\.questionID)) == wanted
        }
        if let open { return open.id }
        var random = SeededRandom(seed: services.makeSeed())
        let session = StudySession(
            id: services.makeID(), mode: .study, entries: entries, ratesAnswers: ratesAnswers,
            now: services.clock(), using: &random)
        try await services.userData.saveSession(session, of: bank, now: services.clock())
        return session.id
    }

    private func entries(_ bank: QuestionFilter.Bank) async throws -> [StudySession.Entry] {
        let favourites = try await services.userData.perform { try $0.records(Favourite.self) }
        let studied = try await services.schedules(of: bank, now: services.clock())
        let saved = Set(favourites.filter { $0.value.bank == bank.name }.map(\.id))
        let blueprint = try await services.content.perform { try $0.blueprint(bank).value }
        let questions = blueprint.questions.filter { saved.contains($0.id) && !$0.isRetired }
        let ranked = questions.enumerated().sorted { one, other in
            let dues = [one, other].map {
                studied[$0.element.id]?.schedule.nextDay ?? LearningDay(.max)
            }
            return (dues[0], one.offset) < (dues[1], other.offset)
        }
        return ranked.prefix(SessionStart.studyQuestionsMax).map { _, question in
            StudySession.Entry(
                question, exposuresBefore: studied[question.id]?.answerCount ?? 0)
        }
    }
}
