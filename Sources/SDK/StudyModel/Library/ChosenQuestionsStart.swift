import Foundation
import Underway

/// Begins study sessions of chosen questions, whether they are due or not.
struct ChosenQuestionsStart {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the entries of the chosen questions of a bank, the ones due longest first and new ones last; at most
    /// ``SessionStart/studyQuestionsMax``, without retired ones and those that are set aside.
    ///
    /// - Throws: An error of the store or the user data.
    func entries(
        _ bank: QuestionFilter.Bank, where isChosen: @Sendable (Question) -> Bool
    ) async throws -> [StudySession.Entry] {
        let studied = try await services.schedules(of: bank, now: services.now)
        let seen = try await SessionStart(services).answerCounts(of: bank)
        let blueprint = try await services.content.perform { try $0.blueprint(bank).value }
        let aside = try await services.userData.perform {
            Set(try $0.setAsideQuestions(of: bank).map(\.question))
        }
        let questions = blueprint.questions.filter {
            !$0.isRetired && !aside.contains($0.id) && isChosen($0)
        }
        let ranked = questions.enumerated().sorted { one, other in
            let dues = [one, other].map {
                studied[$0.element.id]?.schedule.nextDay ?? LearningDay(.max)
            }
            return (dues[0], one.offset) < (dues[1], other.offset)
        }
        return ranked.prefix(SessionStart.studyQuestionsMax).map { _, question in
            StudySession.Entry(
                question, exposuresBefore: seen[question.id] ?? 0)
        }
    }

    /// Returns the id of an open study session of a bank whose questions' ids satisfy a condition; `nil` for none.
    ///
    /// - Throws: An error of the user data.
    func open(
        _ bank: QuestionFilter.Bank, where isSame: (Set<String>) -> Bool
    ) async throws -> String? {
        try await services.userData.perform { try $0.openSessions() }.first {
            $0.bank == bank && $0.session.mode == .study
                && isSame(Set($0.session.items.map(\.questionID)))
        }?.id
    }

    /// Begins a session.
    ///
    /// - Returns: The session's id.
    /// - Throws: ``StudyProblem`` `nothingToAsk` without entries; an error of the user data.
    func begin(
        _ entries: [StudySession.Entry], of bank: QuestionFilter.Bank, ratesAnswers: Bool
    ) async throws -> String {
        guard !entries.isEmpty else { throw StudyProblem(.nothingToAsk) }
        var random = SeededRandom(seed: services.makeSeed())
        let repeats = try await services.repeatsToday(in: bank)
        let session = StudySession(
            id: services.makeID(), mode: .study, entries: entries, ratesAnswers: ratesAnswers,
            repeatsToday: repeats, now: services.clock(), using: &random)
        try await services.userData.saveSession(session, of: bank, now: services.clock())
        return session.id
    }

    /// Begins a session of a topic, or continues an open one that asks nothing but this topic.
    ///
    /// - Returns: The session's id.
    /// - Throws: ``StudyProblem`` `nothingToAsk` for a topic without questions; an error of the store or the user data.
    func begin(
        _ topic: QuestionTopic, of bank: QuestionFilter.Bank, ratesAnswers: Bool
    ) async throws -> String {
        let blueprint = try await services.content.perform { try $0.blueprint(bank).value }
        let covered = Set(blueprint.questions.filter(topic.covers).map(\.id))
        if let open = try await open(bank, where: { !$0.isEmpty && $0.isSubset(of: covered) }) {
            return open
        }
        let entries = try await entries(bank) { covered.contains($0.id) }
        return try await begin(entries, of: bank, ratesAnswers: ratesAnswers)
    }
}
