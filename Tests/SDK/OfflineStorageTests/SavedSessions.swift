import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import TestSupport

/// Sessions of three questions, of which "a" is the right answer.
struct SavedSessions {
    static let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let questions = (0..<3).map { number in
        Question(
            id: "q\(number)", type: .singleChoice, difficulty: 1, stem: "?",
            options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])
    }

    /// Returns a session that has just begun.
    func session(
        _ id: String, _ mode: SessionMode = .study, ratesAnswers: Bool = false
    ) -> StudySession {
        var random = SeededGenerator(seed: 1)
        return StudySession(
            id: id, mode: mode,
            entries: questions.map { .init($0, contentVersion: "v", exposuresBefore: 0) },
            ratesAnswers: ratesAnswers, now: Self.start, using: &random)
    }

    /// Returns a session that ended after one right answer.
    func finished(_ id: String) throws -> StudySession {
        var session = session(id)
        try session.answer(["a"], to: questions[0], now: Self.start)
        session.finish(now: Self.start)
        return session
    }
}
