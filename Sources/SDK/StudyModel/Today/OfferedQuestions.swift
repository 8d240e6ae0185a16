import Foundation
import Underway

/// The questions of a bank that are offered when nothing is due.
struct OfferedQuestions {
    /// The ids of the questions of each kind, in the order in which to ask them.
    let questions: [StudyOffer.Kind: [String]]
    /// True if the limit of today holds back some of ``StudyOffer/Kind/tomorrow``.
    let isBeyondLimit: Bool

    /// Chooses the questions.
    ///
    /// - Parameters:
    ///   - blueprint: The bank.
    ///   - learning: The learner's state.
    ///   - missed: The questions that were answered wrongly of late and not right today, the newest first.
    ///   - today: The learner's day.
    init(_ blueprint: Blueprint, _ learning: BankLearning, missed: [String], today: LearningDay) {
        let askable = blueprint.questions.map { ($0.id, $0.isRetired) }
            .filter { !$0.1 && !learning.setAside.contains($0.0) }.map(\.0)
        let known = Set(askable)
        let tomorrow = askable.compactMap { id -> (id: String, day: LearningDay, recall: Double)? in
            // What the limit of today left over is due tomorrow, too. What was asked today was asked of tomorrow's.
            guard let schedule = learning.studied[id]?.schedule, let day = schedule.dueDay,
                day <= today + 1, !learning.studiedToday.contains(id)
            else { return nil }
            return (id, day, learning.scheduler.retrievability(of: schedule, on: today))
        }
        isBeyondLimit = tomorrow.contains { $0.day <= today }
        let max = SessionStart.studyQuestionsMax
        questions = [
            .missed: Array(missed.filter(known.contains).prefix(max)),
            .more: Array(
                askable.filter { learning.studied[$0] == nil }.prefix(StudyOffer.moreMax)),
            .tomorrow: Array(
                tomorrow.sorted { ($0.recall, $0.id) < ($1.recall, $1.id) }.map(\.id).prefix(max)),
        ]
    }
}

/// A loader of offers, and the start of their sessions.
struct OfferLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns what a bank offers, to a learner who takes some seconds for a question.
    func offers(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, pace: TimeInterval
    ) async throws -> [StudyOffer] {
        let offered = try await offered(bank, blueprint, services.learning(of: bank))
        let subject = Subject(blueprint, of: bank)
        return StudyOffer.Kind.allCases.map {
            let count = offered.questions[$0]?.count ?? 0
            return StudyOffer(
                $0, of: subject, count: count, seconds: Double(count) * pace,
                isBeyondLimit: $0 == .tomorrow && offered.isBeyondLimit)
        }
    }

    /// Returns the questions of an offer as entries of a session; for more new ones, the day's limit is raised first.
    func entries(
        _ kind: StudyOffer.Kind, _ bank: QuestionFilter.Bank, _ blueprint: Blueprint
    ) async throws -> [StudySession.Entry] {
        let learning = try await services.learning(of: bank)
        let ids = try await offered(bank, blueprint, learning).questions[kind] ?? []
        if kind == .more, !ids.isEmpty {
            let today = services.today
            try await services.userData.perform { [count = ids.count, now = services.now] in
                try $0.addExtraQuestions(count, of: bank, on: today, now: now)
            }
        }
        let questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let request = learning.request(.study, SessionWishes(), questionsMax: ids.count)
        return ids.compactMap { questions[$0] }.map(request.entry)
    }

    private func offered(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, _ learning: BankLearning
    ) async throws -> OfferedQuestions {
        let (now, today) = (services.now, services.today)
        let missed = try await services.userData.perform {
            try $0.missedQuestions(
                until: today, days: StudyOffer.missedDays, in: bank,
                limit: blueprint.questions.count, now: now)
        }
        return OfferedQuestions(blueprint, learning, missed: missed, today: today)
    }
}
