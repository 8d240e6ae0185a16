import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

/// Ratings of right answers, and the records that wait for them.
@Suite struct SessionRatingTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let questions = (0..<3).map { makeQuestion(.singleChoice, [0], id: "q\($0)") }

    private func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func session(_ mode: SessionMode = .study, ratesAnswers: Bool = true) -> StudySession {
        var random = SeededGenerator(seed: 2)
        return StudySession(
            id: "s", mode: mode,
            entries: questions.map { .init($0, contentVersion: "v1", exposuresBefore: 0) },
            ratesAnswers: ratesAnswers, now: start, using: &random)
    }

    private func answered(_ mode: SessionMode = .study) throws -> StudySession {
        var session = session(mode)
        try session.answer(["a"], to: questions[0], now: at(5))
        return session
    }

    @Test(arguments: Rating.allCases)
    func aRightAnswerIsRecordedWithItsRating(rating: Rating) throws {
        var session = try answered()
        #expect(session.awaitingRating?.questionID == "q0" && session.records.isEmpty)
        try session.rate(rating, questionID: "q0", now: at(7))
        #expect(session.awaitingRating == nil)
        #expect(session.records.map(\.rating) == [rating])
        #expect(session.records.map(\.review) == [Review(rating, at: at(5))])
    }

    @Test func aWrongAnswerIsAgainByItself() throws {
        var session = session()
        try session.answer(["b"], to: questions[0], now: at(5))
        #expect(session.awaitingRating == nil && session.records.map(\.rating) == [.again])
        let before = session
        #expect(throws: StudySessionError.ratingNotAwaited(question: "q0")) {
            try session.rate(.easy, questionID: "q0", now: at(6))
        }
        #expect(session == before)
    }

    @Test func theNextStepMakesAnUnratedAnswerGood() throws {
        let steps: [(inout StudySession) throws -> Void] = [
            { try $0.answer(["b"], to: questions[1], now: at(9)) },
            { try $0.skip(now: at(9)) },
            { try $0.go(to: 2, now: at(9)) },
            { $0.finish(now: at(9)) },
        ]
        for step in steps {
            var session = try answered()
            try step(&session)
            #expect(session.awaitingRating == nil && session.records.first?.rating == .good)
            #expect(throws: StudySessionError.self) {
                try session.rate(.easy, questionID: "q0", now: at(10))
            }
            #expect(session.records.first?.rating == .good)
        }
    }

    @Test func aStepThatFailsLeavesTheRatingOpen() throws {
        var session = try answered()
        #expect(throws: StudySessionError.self) {
            try session.answer(["z"], to: questions[1], now: at(6))
        }
        #expect(throws: StudySessionError.noSuchItem(9)) { try session.go(to: 9, now: at(6)) }
        try session.flag(1)
        #expect(session.awaitingRating?.questionID == "q0")
    }

    @Test func anAnswerIsRatedOnceAndOnlyTheLastOne() throws {
        var session = try answered()
        #expect(throws: StudySessionError.ratingNotAwaited(question: "q1")) {
            try session.rate(.easy, questionID: "q1", now: at(6))
        }
        try session.rate(.hard, questionID: "q0", now: at(6))
        #expect(throws: StudySessionError.ratingNotAwaited(question: "q0")) {
            try session.rate(.easy, questionID: "q0", now: at(7))
        }
        try session.answer(["a"], to: questions[1], now: at(8))
        #expect(session.awaitingRating?.questionID == "q1")
        #expect(session.records.map(\.rating) == [.hard])
    }

    @Test func theLastAnswerBeforeACrashCanStillBeRated() throws {
        let saved = try JSONEncoder().encode(answered())
        var session = try JSONDecoder().decode(StudySession.self, from: saved)
        try session.resume(now: at(900))
        #expect(session.awaitingRating?.questionID == "q0")
        try session.rate(.easy, questionID: "q0", now: at(905))
        #expect(session.records.map(\.rating) == [.easy])
        #expect(session.records.map(\.date) == [at(5)])
    }

    @Test func aPauseKeepsTheRatingOpenUntilTheSessionGoesOn() throws {
        var session = try answered()
        try session.pause(now: at(6))
        #expect(throws: StudySessionError.paused) {
            try session.rate(.easy, questionID: "q0", now: at(7))
        }
        try session.resume(now: at(8))
        try session.rate(.easy, questionID: "q0", now: at(9))
        #expect(session.records.map(\.rating) == [.easy])
    }

    @Test func theTimeUntilTheRatingCountsForNoQuestion() throws {
        var session = try answered()
        try session.rate(.good, questionID: "q0", now: at(65))
        try session.answer(["b"], to: questions[1], now: at(68))
        #expect(session.records.map(\.timeTaken) == [5, 3])
    }

    @Test func anExamAndASessionOfTwoRatingsAwaitNone() throws {
        var exam = try answered(.exam)
        #expect(!exam.ratesAnswers && exam.awaitingRating == nil)
        exam.finish(now: at(9))
        var plain = session(ratesAnswers: false)
        try plain.answer(["a"], to: questions[0], now: at(5))
        #expect(plain.awaitingRating == nil)
        #expect(exam.records.map(\.rating) == [nil] && plain.records.map(\.rating) == [nil])
    }

    @Test func schedulesUseTheRating() throws {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let due = try [Rating.good, .easy].map { rating in
            var session = try answered()
            try session.rate(rating, questionID: "q0", now: at(6))
            return try #require(
                scheduler.replay(session.records.map(\.review), now: at(10)).dueDay)
        }
        #expect(due[0] < due[1])
    }
}
