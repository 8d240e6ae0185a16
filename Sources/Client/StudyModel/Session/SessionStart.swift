public import Foundation
public import Underway

/// Begins sessions.
public struct SessionStart: Sendable {
    /// The most questions of one study session; the rest waits for the next.
    public static let studyQuestionsMax = 20
    /// The most questions of a simulated exam.
    public static let examQuestionsMax = 30
    /// The time for each question of a simulated exam, in seconds.
    public static let examSecondsPerQuestion: TimeInterval = 60

    private let services: StudyServices

    /// Creates a start over services.
    public init(_ services: StudyServices) { self.services = services }

    /// Begins a session, or continues the open one of the same bank and purpose.
    ///
    /// - Parameters:
    ///   - bank: The bank of the questions.
    ///   - mode: The purpose; a placement test chooses each question by the answers so far.
    ///   - ratesAnswers: True to let the learner rate right answers.
    /// - Returns: The session's id.
    /// - Throws: ``StudyProblem``; `nothingToAsk` when no question is due.
    public func begin(
        _ bank: QuestionFilter.Bank, _ mode: SessionMode, ratesAnswers: Bool = false
    ) async throws -> String {
        do {
            if let open = try await open(bank, mode) { return open }
            let blueprint = try await services.content.blueprint(bank).value
            let session = try await session(bank, blueprint, mode, ratesAnswers)
            try await services.userData.save(session, of: bank, now: services.clock())
            return session.id
        } catch {
            throw StudyProblem(error)
        }
    }

    private func open(_ bank: QuestionFilter.Bank, _ mode: SessionMode) async throws -> String? {
        try await services.userData.openSessions()
            .first { $0.bank == bank && $0.session.mode == mode }?.id
    }

    private func session(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, _ mode: SessionMode,
        _ ratesAnswers: Bool
    ) async throws -> StudySession {
        let now = services.clock()
        var random = SeededRandom(seed: services.makeSeed())
        let entries: [StudySession.Entry]
        if mode == .placement {
            entries = try await [firstOfPlacement(bank, blueprint)].compactMap { $0 }
        } else {
            entries = try await plan(bank, blueprint, mode).entries
        }
        guard !entries.isEmpty else { throw StudyProblem(.nothingToAsk) }
        return StudySession(
            id: services.makeID(), mode: mode, entries: entries,
            timeLimit: mode == .exam
                ? Double(entries.count) * Self.examSecondsPerQuestion : nil,
            // A placement test shows no verdict that could be rated.
            ratesAnswers: ratesAnswers && mode == .study,
            now: now, using: &random)
    }

    private func firstOfPlacement(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint
    ) async throws -> StudySession.Entry? {
        let course = try PlacementCourse(blueprint, answers: [])
        return course.next(
            seed: services.makeSeed(), seen: try await answerCounts(of: bank))
    }

    /// Returns how often the learner has answered each question of a bank, by its id.
    func answerCounts(of bank: QuestionFilter.Bank) async throws -> [String: Int] {
        try await services.userData.schedules(
            of: bank, by: StudyServices.scheduler, now: services.clock()
        ).mapValues(\.answerCount)
    }

    /// Returns the questions that are due by the end of today, as a session or a count needs them.
    func plan(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, _ mode: SessionMode,
        questionsMax: Int? = nil
    ) async throws -> StudyPlan {
        let now = services.clock()
        let studied = try await services.userData.schedules(
            of: bank, by: StudyServices.scheduler, now: now)
        let used = try await services.userData.usage(
            since: services.calendar.startOfDay(for: now), in: bank)
        let cards = studied.mapValues {
            StudyPlan.Card(schedule: $0.schedule, answerCount: $0.answerCount)
        }
        var random = SeededRandom(seed: services.makeSeed())
        let limit = mode == .exam ? Self.examQuestionsMax : Self.studyQuestionsMax
        return StudyPlan(
            blueprint,
            StudyPlan.Request(
                mode: mode, cards: cards, questionsMax: questionsMax ?? limit, used: used),
            scheduler: StudyServices.scheduler, now: services.endOfToday, using: &random)
    }
}
