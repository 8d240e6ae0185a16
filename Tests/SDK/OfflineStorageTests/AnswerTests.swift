import ContentModel
import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing

@Suite struct AnswerTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let question = Question(
        id: "q", type: .singleChoice, difficulty: 1, stem: "?",
        options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store() throws -> UserStore { try UserStore(folder: folder.url) }

    private func session(_ mode: SessionMode = .study, _ id: String = "s") -> StudySession {
        var random = SeededGenerator(seed: 1)
        return StudySession(
            id: id, mode: mode, entries: [.init(question, contentVersion: "v", exposuresBefore: 0)],
            now: start,
            using: &random)
    }

    @Test func aSessionIsTakenUpAgainAfterACrash() throws {
        var session = session()
        try store().save(session, of: bank, now: start)
        var again = try #require(try store().openSession(of: bank, mode: .study))
        #expect(again == session)
        #expect(try store().openSession(of: bank, mode: .exam) == nil)
        #expect(try store().openSession(of: .placement(language: "es"), mode: .study) == nil)
        try again.resume(now: start.addingTimeInterval(900))
        try again.answer(["a"], to: question, now: start.addingTimeInterval(905))
        try store().save(again, of: bank, now: start.addingTimeInterval(905))
        session = again
        session.finish(now: start.addingTimeInterval(906))
        try store().save(session, of: bank, now: start.addingTimeInterval(906))
        #expect(try store().openSession(of: bank, mode: .study) == nil)
        let answers = try store().answers(of: bank)
        #expect(answers == session.records && answers.map(\.timeTaken) == [5])
    }

    @Test func keepingTwiceDoublesNothing() throws {
        var session = session()
        try session.answer(["b"], to: question, now: start)
        let store = try store()
        for _ in 0..<3 { try store.save(session, of: bank, now: start) }
        #expect(try store.answers(of: bank).count == 1)
        #expect(try store.add(session.records, to: bank, now: start) == 0)
        var other = session.records
        other[0].date += 60
        #expect(try store.add(other, to: bank, now: start) == 1)
        #expect(try store.answers(of: bank).map(\.isCorrect) == [false, false])
    }

    @Test func droppingSessionsKeepsAnswers() throws {
        var session = session()
        try session.answer(["b"], to: question, now: start)
        let store = try store()
        try store.save(session, of: bank, now: start)
        try store.dropSessions(of: bank, mode: .study)
        #expect(try store.openSession(of: bank, mode: .study) == nil)
        #expect(try store.answers(of: bank).count == 1)
    }

    @Test func aSessionOfAnotherShapeIsPassedOver() throws {
        let store = try store()
        try store.save(session(), of: bank, now: start)
        let database = try DatabaseQueue(path: folder.path + "/user.sqlite")
        try database.write { try $0.execute(sql: "UPDATE session SET json = x'7b7d'") }
        #expect(try store.openSession(of: bank, mode: .study) == nil)
    }
}
