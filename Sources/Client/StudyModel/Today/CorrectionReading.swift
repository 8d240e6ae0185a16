import Underway

/// Finds results whose points are others since a question was corrected.
struct CorrectionReading {
    /// The finished sessions that are looked at, the newest ones.
    private static let sessionsMax = 10

    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the newest result that changed and was not looked at since; `nil` for none.
    func newest() async throws -> TodayScreen.Corrected? {
        let seen = await services.settings.value.seenResults
        // Most sessions are of few banks: each is read once.
        var blueprints: [QuestionFilter.Bank: Blueprint] = [:]
        for saved in try await services.userData.finishedSessions(limit: Self.sessionsMax) {
            if blueprints[saved.bank] == nil {
                blueprints[saved.bank] = await blueprint(saved.bank)
            }
            guard let corrected = corrected(saved, blueprints[saved.bank]),
                seen[saved.id] != corrected.correctCount
            else { continue }
            return corrected
        }
        return nil
    }

    /// Notes that the learner looked at the present points of a result.
    ///
    /// - Throws: ``StudyProblem`` `notSaved`.
    func see(_ id: String) async throws {
        let finished = try await services.userData.finishedSessions(limit: Self.sessionsMax)
        guard let saved = finished.first(where: { $0.id == id }),
            let corrected = corrected(saved, await blueprint(saved.bank))
        else { return }
        let recent = Set(finished.map(\.id))
        try await services.settings.change { settings in
            settings.seenResults = settings.seenResults.filter { recent.contains($0.key) }
            settings.seenResults[id] = corrected.correctCount
        }
    }

    /// Returns the questions of a bank; `nil` when they cannot be read, which the result says.
    private func blueprint(_ bank: QuestionFilter.Bank) async -> Blueprint? {
        try? await services.content.blueprint(bank).value
    }

    private func corrected(
        _ saved: SavedSession, _ blueprint: Blueprint?
    ) -> TodayScreen.Corrected? {
        guard let blueprint, let result = try? ResultScreen(saved, blueprint),
            let question = result.corrected, result.correctCount != result.formerCorrectCount
        else { return nil }
        return TodayScreen.Corrected(
            id: saved.id, startedAt: result.startedAt,
            formerCorrectCount: result.formerCorrectCount, correctCount: result.correctCount,
            questionCount: result.questionCount, number: question.number)
    }
}
