import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing

/// Releases of one bank: first "a" is the key of every question, then it is said to have been a mistake.
struct CorrectedBank {
    static let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    var questions: [Question]

    /// Questions `q0`, `q1`, … with the options a, b and c.
    init(questions count: Int = 4) {
        questions = (0..<count).map { number in
            Question(
                id: "q\(number)", type: .singleChoice, domain: "d\(number % 2)", difficulty: 1,
                stem: "Question \(number)?",
                options: ["a", "b", "c"].map { QuestionOption(id: $0, text: $0) }, correct: [0])
        }
    }

    /// The bank as it was released first.
    var former: Blueprint { Self.blueprint(questions) }

    /// The bank with other keys, each of which is named as a correction of the first release.
    func corrected(_ keys: [Int: String], isNamed: Bool = true) throws -> Blueprint {
        var new = Self.blueprint(questions)
        for (number, key) in keys.sorted(by: { $0.key < $1.key }) {
            let old = questions[number]
            new.questions[number] = try #require(old.withKey(key))
            guard isNamed, key != old.keyLabel else { continue }
            new.corrections.append(
                GradeCorrection(
                    question: old.id, versions: [old.contentVersion], was: old.keyLabel, is: key,
                    day: "2026-05-03"))
        }
        return new
    }

    private static func blueprint(_ questions: [Question]) -> Blueprint {
        Blueprint(
            kind: .exam, id: bank.name, title: "Swift", version: "1",
            domains: ["d0", "d1"].map { Domain(id: $0, title: $0, weight: 50) },
            questions: questions)
    }

    /// An answer to a question as a release had it, graded by that.
    func answer(
        _ number: Int, _ response: QuestionResponse, to release: Blueprint? = nil,
        hours: Double = 0, rating: Rating? = nil, session: String = "s"
    ) -> AnswerRecord {
        let question = (release ?? former).questions[number]
        let isCorrect = Grading.isCorrect(response, to: question)
        return AnswerRecord(
            sessionID: session, questionID: question.id, domain: question.domain,
            contentVersion: question.contentVersion, response: response, isCorrect: isCorrect,
            credit: isCorrect ? 1 : 0, rating: rating, timeTaken: 5, exposuresBefore: 0,
            mode: .study, isRandomlySelected: false,
            date: Self.now.addingTimeInterval(hours * 3600 - 86_400 * 30))
    }

    /// A session of all questions that ended, in which each got the response of its place.
    func session(
        _ id: String, _ responses: [QuestionResponse], mode: SessionMode = .exam,
        policy: ScoringPolicy = ScoringPolicy(), startedAt: Date = now
    ) throws -> StudySession {
        var random = SeededGenerator(seed: 1)
        var session = StudySession(
            id: id, mode: mode,
            entries: questions.map {
                .init($0, contentVersion: $0.contentVersion, exposuresBefore: 0)
            },
            policy: policy, now: startedAt, using: &random)
        for (question, response) in zip(questions, responses) {
            try session.answer(response, to: question, now: startedAt.addingTimeInterval(1))
        }
        session.finish(now: startedAt.addingTimeInterval(2))
        return session
    }
}
