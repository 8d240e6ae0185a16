import Foundation
public import Observation
import Underway

/// The model of a session's result.
@MainActor @Observable
public final class ResultModel {
    /// The screen; `nil` before ``load()``.
    public private(set) var screen: ResultScreen?
    /// The reason for which the screen could not be read; `nil` when it was.
    public private(set) var problem: StudyProblem?

    /// The session's id.
    public nonisolated let id: String
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a session's result.
    public init(_ services: StudyServices, id: String) {
        self.services = services
        self.id = id
    }

    /// Reads the result, judged by the present keys.
    public func load() async {
        do {
            guard let saved = try await services.userData.session(id: id) else {
                throw StudyProblem(.notFound)
            }
            // Keys of questions that are still asked are nobody's business.
            guard saved.session.state == .finished else { throw StudyProblem(.changed) }
            let blueprint = try await services.content.blueprint(saved.bank).value
            var screen = try ResultScreen(saved, blueprint)
            if screen.mode == .study {
                let urgent = try await TodayReading(services).mostUrgent()
                screen.next = urgent?.subject == screen.subject ? nil : urgent
            }
            self.screen = screen
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}

extension ResultScreen {
    /// Judges a session by the present keys of a bank.
    ///
    /// - Throws: `PlacementError`.
    init(_ saved: SavedSession, _ blueprint: Blueprint) throws {
        let session = saved.session
        let questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let reviewed = session.items.enumerated().compactMap { index, item in
            questions[item.questionID].map { Reviewed(item, $0, number: index + 1) }
        }
        let missing = session.items.filter { questions[$0.questionID] == nil }
        self.init(
            id: session.id, mode: session.mode, subject: Subject(blueprint, of: saved.bank),
            startedAt: session.startedAt, secondsTaken: session.timeTaken,
            correctCount: reviewed.count { $0.isCorrect }
                + missing.count { $0.answer?.isCorrect ?? false },
            formerCorrectCount: session.items.count { $0.answer?.isCorrect ?? false },
            questionCount: session.items.count,
            passCount: session.mode == .exam
                ? Self.passCount(blueprint.scoring.passFraction, session.items.count) : nil,
            placement: session.mode == .placement
                ? try PlacementOutcome(session, blueprint) : nil,
            parts: Self.parts(reviewed, blueprint), reviewed: reviewed,
            isTimeOver: session.timeLimit.map { session.timeTaken >= $0 } ?? false,
            missingCount: missing.count)
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
    fileprivate init(_ item: StudySession.Item, _ question: Question, number: Int) {
        let isCorrect = item.answer.map { Grading.isCorrect($0.response, to: question) } ?? false
        self.init(
            number: number, question: question, response: item.answer?.response,
            isCorrect: isCorrect,
            isRegraded: item.answer.map { $0.isCorrect != isCorrect } ?? false)
    }
}
