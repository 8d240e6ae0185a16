public import Foundation
public import Underway

/// A starter of sessions.
public struct SessionStart: Sendable {
    /// The maximum number of questions of one study session; the next one asks the rest.
    public static let studyQuestionsMax = 20
    /// The maximum number of questions of a simulated exam.
    public static let examQuestionsMax = 30
    /// The time for each question of a simulated exam, in seconds.
    public static let examSecondsPerQuestion: TimeInterval = 60

    private let services: StudyServices

    /// Creates a starter over services.
    public init(_ services: StudyServices) { self.services = services }

    /// Begins a session, or continues the open one of the same bank and purpose.
    ///
    /// - Parameters:
    ///   - bank: The bank of the questions.
    ///   - mode: The purpose; a placement test selects each question by the answers so far.
    ///   - ratesAnswers: True to let the learner rate right answers.
    ///   - wishes: The wishes for a new session; an open one continues with its own.
    /// - Returns: The session's id.
    /// - Throws: ``StudyProblem``; `nothingToAsk` when no question is due.
    public func begin(
        _ bank: QuestionFilter.Bank, _ mode: SessionMode, ratesAnswers: Bool = false,
        wishes: SessionWishes = SessionWishes()
    ) async throws -> String {
        do {
            if let open = try await open(bank, mode) { return open }
            let blueprint = try await services.content.perform { try $0.blueprint(bank).value }
            let session = try await session(bank, blueprint, mode, ratesAnswers, wishes)
            try await services.userData.saveSession(session, of: bank, now: services.clock())
            return session.id
        } catch {
            throw StudyProblem(error)
        }
    }

    /// Returns the id of the open session of a bank and purpose; `nil` when there is none.
    ///
    /// - Throws: An error of the user data.
    public func open(_ bank: QuestionFilter.Bank, _ mode: SessionMode) async throws -> String? {
        try await services.userData.perform { try $0.openSessions() }
            .first { $0.bank == bank && $0.session.mode == mode }?.id
    }

    private func session(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, _ mode: SessionMode,
        _ ratesAnswers: Bool, _ wishes: SessionWishes
    ) async throws -> StudySession {
        let now = services.clock()
        var random = SeededRandom(seed: services.makeSeed())
        let entries: [StudySession.Entry]
        if mode == .placement {
            entries = try await [firstOfPlacement(bank, blueprint)].compactMap { $0 }
        } else if let offer = wishes.offer {
            entries = try await OfferLoader(services).entries(offer, bank, blueprint)
        } else {
            entries = try await plan(bank, blueprint, mode, wishes).entries
        }
        guard !entries.isEmpty else { throw StudyProblem(.nothingToAsk) }
        return StudySession(
            id: services.makeID(), mode: mode, entries: entries,
            timeLimit: mode == .exam
                ? Double(entries.count) * Self.examSecondsPerQuestion : nil,
            // A placement test shows no verdict that could be rated.
            ratesAnswers: ratesAnswers && mode == .study,
            repeatsToday: try await services.repeatsToday(in: bank),
            now: now, using: &random)
    }

    private func firstOfPlacement(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint
    ) async throws -> StudySession.Entry? {
        let course = try PlacementCourse(blueprint, answers: [])
        return course.next(
            seed: services.makeSeed(), seen: try await answerCounts(of: bank))
    }

    /// Returns the number of the learner's answers to each question of a bank, undone ones included, by its id.
    func answerCounts(of bank: QuestionFilter.Bank) async throws -> [String: Int] {
        try await services.schedules(of: bank, now: services.now).mapValues(\.answerCount)
            .merging(undoneCounts(of: bank)) { $1 }
    }

    /// Returns the same for the questions with an undone answer alone.
    private func undoneCounts(of bank: QuestionFilter.Bank) async throws -> [String: Int] {
        try await services.userData.perform { try $0.exposures(of: bank) }
    }

    /// Returns the questions that a session would ask now, with the next due day and, with a deadline, a forecast.
    ///
    /// - Throws: ``StudyProblem``.
    public func outlook(
        of bank: QuestionFilter.Bank, _ mode: SessionMode, wishes: SessionWishes = SessionWishes()
    ) async throws -> StudyPlan {
        do {
            return try await plan(
                bank, services.content.perform { try $0.blueprint(bank).value }, mode, wishes)
        } catch {
            throw StudyProblem(error)
        }
    }

    /// Returns what may be studied of a bank although nothing is due, see ``SessionWishes/offer``.
    ///
    /// - Throws: ``StudyProblem``.
    public func offers(of bank: QuestionFilter.Bank) async throws -> [StudyOffer] {
        do {
            let blueprint = try await services.content.perform { try $0.blueprint(bank).value }
            let pace = try await TodayLoader(services).pace()
            return try await OfferLoader(services).offers(bank, blueprint, pace: pace)
                .filter { $0.count > 0 }
        } catch {
            throw StudyProblem(error)
        }
    }

    /// Returns the questions that are due today, as a session or a count needs them.
    func plan(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, _ mode: SessionMode,
        _ wishes: SessionWishes = SessionWishes()
    ) async throws -> StudyPlan {
        let learning = try await services.learning(of: bank)
        var random = SeededRandom(seed: services.makeSeed())
        let limit = mode == .exam ? Self.examQuestionsMax : Self.studyQuestionsMax
        return StudyPlan(
            blueprint, learning.request(mode, wishes, questionsMax: limit),
            scheduler: learning.scheduler, now: services.now,
            timeZone: services.calendar.timeZone, using: &random)
    }
}
