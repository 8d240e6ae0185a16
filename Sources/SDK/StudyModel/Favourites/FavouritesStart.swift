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
        let start = ChosenQuestionsStart(services)
        let favourites = try await services.userData.perform { try $0.records(Favourite.self) }
        let saved = Set(favourites.filter { $0.value.bank == bank.name }.map(\.id))
        let entries = try await start.entries(bank) { saved.contains($0.id) }
        let wanted = Set(entries.map(\.id))
        if !wanted.isEmpty, let open = try await start.open(bank, where: { $0 == wanted }) {
            return open
        }
        return try await start.begin(entries, of: bank, ratesAnswers: ratesAnswers)
    }
}
