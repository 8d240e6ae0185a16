import Foundation
public import Observation
import Underway

/// The model of a session's result.
@MainActor @Observable
public final class ResultModel {
    /// The screen; `nil` before ``load()``.
    public private(set) var screen: ResultScreen?
    /// The reason why the screen could not be loaded; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The session's id.
    public nonisolated let id: String
    /// The model of the question for consent, which one result asks.
    public let consent: ConsentModel
    @ObservationIgnored let services: StudyServices

    /// Creates the model of a session's result.
    public init(_ services: StudyServices, id: String) {
        self.services = services
        self.id = id
        consent = ConsentModel(services)
    }

    /// Loads the result with corrected grades; the learner then needs no notice of them.
    public func load() async {
        do {
            var saved = try await saved()
            let blueprint = try await services.content.perform { [bank = saved.bank] in
                try $0.blueprint(bank).value
            }
            if try await services.applyCorrections(of: blueprint) { saved = try await self.saved() }
            var screen = try ResultScreen(saved, blueprint)
            screen.undoKey = saved.session.undoKey(now: services.clock(), by: services.days)
            if screen.mode == .study {
                let urgent = try await TodayLoader(services).mostUrgent()
                screen.next = urgent?.subject == screen.subject ? nil : urgent
            }
            screen.event = services.seenEvents.event(ofRound: saved, of: services.userData.user)
            // Announced again is no loss.
            try? await CorrectionLoader(services).see(saved)
            screen.reported = try await ReportLoader(services).reported(of: saved.bank)
            self.screen = screen
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    private func saved() async throws -> SavedSession {
        guard let saved = try await services.userData.savedSession(id: id) else {
            throw StudyProblem(.notFound)
        }
        // Keys of questions that are still asked are nobody's business.
        guard saved.session.state == .finished else { throw StudyProblem(.changed) }
        return saved
    }
}

extension ResultScreen {
    /// Shows a session beside the present questions of its bank.
    ///
    /// - Throws: `PlacementError`.
    init(_ saved: SavedSession, _ blueprint: Blueprint) throws {
        let (session, former) = (saved.regraded ?? saved.session, saved.session)
        let isPlacement = session.mode == .placement
        let questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let result = SessionResult(session)
        let (total, formerTotal) = (result.total, SessionResult(former).total)
        // Repeats are behind them, so the numbers are those of the items.
        let first = zip(session.items, former.items).filter { $0.0.isFirst }
        let reviewed = first.enumerated().compactMap { index, item in
            questions[item.0.questionID].map {
                Reviewed(item.0, former: item.1, $0, number: index + 1)
            }
        }
        self.init(
            id: session.id, mode: session.mode, subject: Subject(blueprint, of: saved.bank),
            startedAt: session.startedAt, secondsTaken: session.timeTaken,
            correctCount: total.correctCount, formerCorrectCount: formerTotal.correctCount,
            questionCount: total.questionCount, again: result.again,
            passCount: session.mode == .exam
                ? Self.passCount(blueprint.scoring.passFraction, total.questionCount) : nil,
            placement: isPlacement
                ? try PlacementOutcome(former, blueprint, regraded: saved.regraded) : nil,
            formerLevel: isPlacement ? try PlacementOutcome(former, blueprint).level : nil,
            parts: Self.parts(reviewed, blueprint), reviewed: reviewed,
            isTimeOver: session.timeLimit.map { session.timeTaken >= $0 } ?? false,
            missingCount: total.questionCount - reviewed.count)
    }

    /// Returns the least number of right answers that reaches a fraction.
    private static func passCount(_ fraction: Double?, _ count: Int) -> Int? {
        // A fraction such as 0.7 of 10 must not need 8 for the last bit of a product.
        fraction.map { Int((Double(count) * $0 - 1e-9).rounded(.up)) }
    }

    private static func parts(_ reviewed: [Reviewed], _ blueprint: Blueprint) -> [Part] {
        blueprint.domains.compactMap { domain in
            let own = reviewed.filter { $0.question.domain == domain.id }
            guard !own.isEmpty else { return nil }
            return Part(
                id: domain.id, title: domain.title, correctCount: own.count { $0.isCorrect },
                questionCount: own.count)
        }
    }
}

extension ResultScreen.Reviewed {
    fileprivate init(
        _ item: StudySession.Item, former: StudySession.Item, _ question: Question, number: Int
    ) {
        let isCorrect = item.answer?.isCorrect ?? false
        self.init(
            number: number, question: question, response: item.answer?.response,
            isCorrect: isCorrect, isRegraded: former.answer?.isCorrect ?? false != isCorrect,
            hasOtherKey: item.answer.map {
                Grading.isCorrect($0.response, to: question) != isCorrect
            } ?? false)
    }
}
