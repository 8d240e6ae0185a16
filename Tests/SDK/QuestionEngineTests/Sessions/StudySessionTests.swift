import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct StudySessionTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let questions: [Question]

    init() {
        questions = (0..<4).map { number in
            var question = makeQuestion(.singleChoice, [0], id: "q\(number)")
            question.domain = number < 2 ? "x" : "y"
            return question
        }
    }

    private func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func session(
        _ mode: SessionMode = .study, policy: ScoringPolicy = ScoringPolicy(),
        timeLimit: TimeInterval? = nil
    ) -> StudySession {
        var random = SeededGenerator(seed: 2)
        return StudySession(
            id: "s", mode: mode,
            entries: questions.enumerated().map { index, question in
                .init(
                    question, contentVersion: "v1", exposuresBefore: index,
                    isRandomlySelected: index == 3)
            }, policy: policy, timeLimit: timeLimit, now: start, using: &random)
    }

    @Test func aWholeRunGivesRecordsAndAResult() throws {
        var session = session()
        #expect(try session.answer(["a"], to: questions[0], now: at(5)).isCorrect)
        try session.skip(now: at(8))
        try session.answer(["b"], to: questions[2], now: at(20))
        try session.answer(["a"], to: questions[3], now: at(21))
        #expect(session.current == nil)
        session.finish(now: at(30))
        let records = session.records
        #expect(records.map(\.questionID) == ["q0", "q2", "q3"])
        #expect(records.map(\.timeTaken) == [5, 12, 1])
        #expect(records.map(\.exposuresBefore) == [0, 2, 3])
        #expect(records.map(\.isRandomlySelected) == [false, false, true])
        #expect(records[1].optionIDs == ["b"] && records[1].credit == 0)
        #expect(records[0].review == Review(.good, at: at(5)))
        let result = SessionResult(session, passFraction: 0.5)
        #expect(result.total.credit == 2 && result.total.questionCount == 4)
        #expect(result.total.unansweredCount == 1 && result.hasPassed == true)
        #expect(result.domains["x"]?.fraction == 0.5 && result.domains["y"]?.correctCount == 1)
        #expect(result.timeTaken == 21)
    }

    @Test func timeStandsStillInAPauseAndAfterACrash() throws {
        var session = session()
        try session.pause(now: at(10))
        #expect(throws: StudySessionError.paused) {
            try session.answer(["a"], to: questions[0], now: at(11))
        }
        try session.resume(now: at(500))
        // A crash: the stored session is resumed an hour later.
        let kept = try JSONEncoder().encode(session)
        var again = try JSONDecoder().decode(StudySession.self, from: kept)
        #expect(again == session)
        try again.resume(now: at(4_000))
        try again.answer(["a"], to: questions[0], now: at(4_005))
        #expect(again.items[0].timeTaken == 15)
    }

    @Test func aClockThatJumpsCountsWithinReason() throws {
        var session = session()
        try session.answer(["a"], to: questions[0], now: at(-9_000))
        #expect(session.items[0].timeTaken == 0)
        try session.answer(["a"], to: questions[1], now: at(9e9))
        #expect(session.items[1].timeTaken == StudySession.stepSecondsMax)
        try session.answer(["a"], to: questions[2], now: Date(timeIntervalSince1970: .nan))
        #expect(session.timeTaken.isFinite)
    }

    @Test func examAnswersCanChangeUntilTheEnd() throws {
        var session = session(.exam)
        try session.answer(["b"], to: questions[0], now: at(1))
        try session.flag(0)
        try session.go(to: 0, now: at(2))
        #expect(session.items[0].isFlagged)
        try session.answer(["a"], to: questions[0], now: at(4))
        #expect(session.records.isEmpty)
        session.finish(now: at(5))
        #expect(session.records.map(\.optionIDs) == [["a"]])
        #expect(throws: StudySessionError.finished) { try session.skip(now: at(6)) }
        #expect(throws: StudySessionError.finished) { try session.resume(now: at(6)) }
    }

    @Test func stepsThatAreNotPossibleLeaveTheSessionAsItWas() throws {
        var session = session()
        let before = session
        #expect(throws: StudySessionError.notOnScreen(question: "q1")) {
            try session.answer(["a"], to: questions[1], now: at(1))
        }
        #expect(throws: StudySessionError.grading(.unknownOption("z", question: "q0"))) {
            try session.answer(["z"], to: questions[0], now: at(1))
        }
        #expect(throws: StudySessionError.noSuchItem(9)) { try session.go(to: 9, now: at(1)) }
        #expect(session == before)
        try session.answer(["a"], to: questions[0], now: at(1))
        try session.go(to: 0, now: at(2))
        #expect(throws: StudySessionError.answeredBefore(question: "q0")) {
            try session.answer(["b"], to: questions[0], now: at(3))
        }
    }

    @Test func timeLimitsEndSessionsAndSpoilLateAnswers() throws {
        var session = session(policy: .init(timeLimit: 10), timeLimit: 40)
        let late = try session.answer(["a"], to: questions[0], now: at(11))
        #expect(late.isLate && late.credit == 0 && late.isCorrect)
        #expect(!session.isTimeOver(now: at(39)))
        #expect(session.isTimeOver(now: at(40)))
    }

    @Test func aCorrectedKeyIsARegradeAndAReplay() throws {
        var session = session()
        try session.answer(["b"], to: questions[0], now: at(5))
        let wrong = try #require(session.records.first)
        var corrected = questions[0]
        corrected.correct = [1]
        let right = wrong.regraded(against: corrected)
        #expect(!wrong.isCorrect && right.isCorrect && right.credit == 1)
        #expect(right.contentVersion == wrong.contentVersion)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let before = scheduler.replay([wrong.review], now: at(10))
        let after = scheduler.replay([right.review], now: at(10))
        #expect(before.phase == .learning && after.phase == .review)
        corrected.options.removeLast(3)
        corrected.correct = [0]
        #expect(wrong.regraded(against: corrected) == wrong)
        #expect(wrong.regraded(against: questions[1]) == wrong)
    }

    @Test func aSessionWithoutQuestionsHasAResult() {
        var random = SeededGenerator(seed: 1)
        var empty = StudySession(id: "e", mode: .exam, entries: [], now: start, using: &random)
        #expect(throws: StudySessionError.nothingLeft) { try empty.skip(now: at(1)) }
        let result = SessionResult(empty, passFraction: 0.7)
        #expect(result.total.fraction == 0 && result.hasPassed == false)
    }
}
