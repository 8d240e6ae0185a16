import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing

/// One session in two processes or two requests: no answer is lost, and no question has two.
@Suite struct SessionReplacementTests {
    private let folder: TemporaryFolder
    private let sessions = SavedSessions()
    private let one: UserStore
    private let other: UserStore
    private let bank = SavedSessions.bank

    init() throws {
        folder = try TemporaryFolder()
        one = try UserStore(folder: folder.url)
        other = try UserStore(folder: folder.url)
    }

    private func at(_ seconds: Double) -> Date {
        SavedSessions.start.addingTimeInterval(seconds)
    }

    private func begin(_ mode: SessionMode = .study, ratesAnswers: Bool = false) throws
        -> StudySession
    {
        let session = sessions.session("s", mode, ratesAnswers: ratesAnswers)
        try one.save(session, of: bank, now: at(0))
        return session
    }

    private func expectRefusal(
        of session: StudySession, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try one.session(id: "s")
        let answers = try one.answers(of: bank)
        let failure = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try other.save(session, of: bank, now: at(99))
        }
        #expect(failure?.code == .refused, sourceLocation: sourceLocation)
        #expect(try one.session(id: "s") == before, sourceLocation: sourceLocation)
        #expect(try one.answers(of: bank) == answers, sourceLocation: sourceLocation)
        #expect(try one.status().waitingCount == answers.count, sourceLocation: sourceLocation)
    }

    @Test(arguments: [("b", 5.0), ("a", 5.1), ("b", 5.1)])
    func aSecondAnswerToAQuestionIsRefused(option: String, time: Double) throws {
        var (first, second) = try (begin(), begin())
        try first.answer(["a"], to: sessions.questions[0], now: at(5))
        try second.answer(.options([option]), to: sessions.questions[0], now: at(time))
        try one.save(first, of: bank, now: at(5))
        try expectRefusal(of: second)
        // The answers are compared also where the session itself is gone.
        try one.dropSession(id: "s", now: at(6))
        try expectRefusal(of: second)
    }

    @Test func theSameAnswerAgainIsHarmless() throws {
        var session = try begin()
        try session.answer(["a"], to: sessions.questions[0], now: at(5))
        try one.save(session, of: bank, now: at(5))
        try other.save(session, of: bank, now: at(6))
        #expect(try one.answers(of: bank) == session.records)
        #expect(try one.session(id: "s")?.savedAt == at(6))
    }

    /// Whoever reloads after a refusal can go on.
    @Test func aStepFromAnOlderStateIsRefused() throws {
        var (first, second) = try (begin(), begin())
        try first.answer(["a"], to: sessions.questions[0], now: at(5))
        try second.skip(now: at(6))
        try second.answer(["a"], to: sessions.questions[1], now: at(7))
        try one.save(first, of: bank, now: at(5))
        try expectRefusal(of: second)
        var reloaded = try #require(try other.session(id: "s")).session
        try reloaded.answer(["a"], to: sessions.questions[1], now: at(8))
        try other.save(reloaded, of: bank, now: at(8))
        #expect(try one.answers(of: bank).map(\.questionID) == ["q0", "q1"])
    }

    @Test func anAnswerElsewhereInTheSameMomentIsSavedOnce() async throws {
        var session = try begin()
        try session.answer(["a"], to: sessions.questions[0], now: at(5))
        let (saved, bank) = (session, bank)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let store = number % 2 == 0 ? one : other
                group.addTask { try store.save(saved, of: bank, now: SavedSessions.start) }
            }
            try await group.waitForAll()
        }
        #expect(try one.answers(of: bank).count == 1)
    }

    @Test func ofDifferentAnswersInTheSameMomentOneIsSaved() async throws {
        let sessions = sessions
        let (bank, stores) = (bank, [one, other])
        let begun = try begin()
        let refusals = await withTaskGroup(of: StoreError.Code?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    do {
                        var session = begun
                        let time = SavedSessions.start.addingTimeInterval(Double(number))
                        try session.answer(["a"], to: sessions.questions[0], now: time)
                        try stores[number % 2].save(session, of: bank, now: time)
                        return nil
                    } catch {
                        return (error as? StoreError)?.code
                    }
                }
            }
            return await group.reduce(into: [StoreError.Code]()) { codes, code in
                if let code { codes.append(code) }
            }
        }
        #expect(refusals == Array(repeating: .refused, count: 7))
        let answers = try one.answers(of: bank)
        #expect(try answers.count == 1 && one.session(id: "s")?.session.records == answers)
    }

    // MARK: The end

    @Test func anOlderStateDoesNotOpenAFinishedSession() throws {
        var session = try begin()
        let begun = session
        try session.answer(["a"], to: sessions.questions[0], now: at(5))
        let answered = session
        session.finish(now: at(6))
        try one.save(session, of: bank, now: at(6))
        // These have nothing that would be lost.
        for older in [begun, answered, session] {
            try other.save(older, of: bank, now: at(7))
            #expect(
                try one.session(id: "s") == SavedSession(session, of: bank, savedAt: at(6)))
        }
        #expect(try one.openSessions().isEmpty)
        var longer = answered
        try longer.answer(["a"], to: sessions.questions[1], now: at(7))
        try expectRefusal(of: longer)
    }

    // MARK: Exams

    @Test func anExamsAnswersMayChangeUntilItsEnd() throws {
        var session = try begin(.exam)
        for (option, time) in [("a", 1.0), ("b", 2), ("b", 3), ("a", 3)] {
            try session.go(to: 0, now: at(time))
            try session.answer(.options([option]), to: sessions.questions[0], now: at(time))
            try one.save(session, of: bank, now: at(time))
            #expect(try one.session(id: "s")?.session == session)
        }
        #expect(try one.answers(of: bank).isEmpty)
        session.finish(now: at(4))
        try one.save(session, of: bank, now: at(4))
        #expect(try one.answers(of: bank).map(\.optionIDs) == [["a"]])
    }

    @Test func anExamLosesNoAnswerToAnOlderState() throws {
        var (first, second) = try (begin(.exam), begin(.exam))
        try first.answer(["a"], to: sessions.questions[0], now: at(5))
        try one.save(first, of: bank, now: at(5))
        try second.go(to: 1, now: at(6))
        try second.answer(["a"], to: sessions.questions[1], now: at(6))
        try expectRefusal(of: second)
        var changed = first
        try changed.go(to: 0, now: at(7))
        try changed.answer(["b"], to: sessions.questions[0], now: at(7))
        try one.save(changed, of: bank, now: at(7))
        try first.answer(["a"], to: sessions.questions[1], now: at(8))
        try expectRefusal(of: first)
    }

    @Test func anExamEndsOnce() throws {
        var (first, second) = try (begin(.exam), begin(.exam))
        try first.answer(["a"], to: sessions.questions[0], now: at(5))
        try second.answer(["b"], to: sessions.questions[0], now: at(6))
        first.finish(now: at(7))
        try one.save(first, of: bank, now: at(7))
        try expectRefusal(of: second)
        second.finish(now: at(8))
        try expectRefusal(of: second)
    }

    // MARK: Ratings

    @Test func aRatingIsSavedWithItsAnswer() throws {
        var session = try begin(ratesAnswers: true)
        try session.answer(["a"], to: sessions.questions[0], now: at(5))
        try one.save(session, of: bank, now: at(5))
        #expect(try one.answers(of: bank).isEmpty)
        // Another process goes on after a crash.
        var again = try #require(try other.openSession(of: bank, mode: .study))
        try again.resume(now: at(60))
        try again.rate(.easy, questionID: "q0", now: at(61))
        try other.save(again, of: bank, now: at(61))
        #expect(try one.answers(of: bank).map(\.rating) == [.easy])
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let schedule = try one.schedules(of: bank, by: scheduler, now: at(70))["q0"]?.schedule
        #expect(schedule == scheduler.replay([Review(.easy, at: at(5))], now: at(70)))
        #expect(schedule != scheduler.replay([Review(.good, at: at(5))], now: at(70)))
    }

    @Test func anotherRatingIsRefused() throws {
        var session = try begin(ratesAnswers: true)
        try session.answer(["a"], to: sessions.questions[0], now: at(5))
        try one.save(session, of: bank, now: at(5))
        var (first, second) = (session, session)
        try first.rate(.hard, questionID: "q0", now: at(6))
        try one.save(first, of: bank, now: at(6))
        try second.rate(.easy, questionID: "q0", now: at(6))
        try expectRefusal(of: second)
        try expectRefusal(of: session)
        try session.skip(now: at(7))
        try expectRefusal(of: session)
    }
}
