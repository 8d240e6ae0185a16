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
        for saved in try await services.userData.finishedSessions(limit: Self.sessionsMax) {
            guard let corrected = await corrected(saved), seen[saved.id] != corrected.correctCount
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
            let corrected = await corrected(saved)
        else { return }
        let recent = Set(finished.map(\.id))
        try await services.settings.change { settings in
            settings.seenResults = settings.seenResults.filter { recent.contains($0.key) }
            settings.seenResults[id] = corrected.correctCount
        }
    }

    private func corrected(_ saved: SavedSession) async -> TodayScreen.Corrected? {
        // A result that cannot be read says so itself, when it is opened.
        guard let blueprint = try? await services.content.blueprint(saved.bank).value,
            let result = try? ResultScreen(saved, blueprint), let question = result.corrected,
            result.correctCount != result.formerCorrectCount
        else { return nil }
        return TodayScreen.Corrected(
            id: saved.id, startedAt: result.startedAt,
            formerCorrectCount: result.formerCorrectCount, correctCount: result.correctCount,
            questionCount: result.questionCount, number: question.number)
    }
}
