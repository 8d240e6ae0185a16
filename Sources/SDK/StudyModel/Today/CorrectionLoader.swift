import Underway

/// Finds results whose points are others since a question was corrected.
struct CorrectionLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the newest result that changed since the learner looked at it, or since its end; `nil` for none.
    func newest() async throws -> TodayScreen.Corrected? {
        let seen = await services.settings.value.seenResults
        var changed = try await services.userData.perform { try $0.correctedSessions() }
        // A correction that was taken back changes what the learner saw, too.
        let corrected = Set(changed.map(\.id))
        for id in seen.keys.sorted() where !corrected.contains(id) {
            if let saved = try await services.userData.savedSession(id: id) {
                changed.append(saved)
            }
        }
        for saved in changed.sorted(by: { $0.savedAt > $1.savedAt }) {
            let known = seen[saved.id] ?? saved.session.correctCount
            let session = saved.regraded ?? saved.session
            guard session.correctCount != known else { continue }
            return TodayScreen.Corrected(
                id: saved.id, startedAt: session.startedAt, formerCorrectCount: known,
                correctCount: session.correctCount,
                questionCount: SessionResult(session).total.questionCount,
                number: session.firstDifference(from: saved.session).map { $0 + 1 })
        }
        return nil
    }

    /// Records that the learner viewed the present points of a result.
    ///
    /// - Throws: ``StudyProblem`` `notSaved`.
    func see(_ id: String) async throws {
        guard let saved = try await services.userData.savedSession(id: id) else { return }
        try await see(saved)
    }

    /// Records that the learner viewed the present points of a result.
    ///
    /// - Throws: ``StudyProblem`` `notSaved`.
    func see(_ saved: SavedSession) async throws {
        let correctCount = (saved.regraded ?? saved.session).correctCount
        let seen = await services.settings.value.seenResults
        guard correctCount != seen[saved.id] ?? saved.session.correctCount else { return }
        let finished = try await services.userData.perform {
            try $0.finishedSessions(limit: UserStore.finishedSessionsMax)
        }
        let present = Set(finished.map(\.id))
        try await services.settings.change { settings in
            settings.seenResults = settings.seenResults.filter { present.contains($0.key) }
            settings.seenResults[saved.id] = correctCount
        }
    }
}

extension StudySession {
    fileprivate var correctCount: Int { SessionResult(self).total.correctCount }

    /// Returns the index of the first question that the other grades otherwise.
    fileprivate func firstDifference(from other: StudySession) -> Int? {
        zip(items, other.items).enumerated().first { _, pair in
            pair.0.answer?.isCorrect != pair.1.answer?.isCorrect
        }?.offset
    }
}

extension StudyServices {
    /// Regrades stored answers by the corrections of a bank.
    ///
    /// - Returns: True when the points of a finished session changed.
    /// - Throws: An error of the store; a device that cannot write shows the former grades.
    @discardableResult
    func applyCorrections(of bank: Blueprint) async throws -> Bool {
        do {
            return try await userData.perform { [now = clock()] in
                try !$0.applyCorrections(of: bank, now: now).isEmpty
            }
        } catch let error as StoreError where error.code == .storage {
            return false
        }
    }
}
