import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

/// Undo of answers in a session.
@Suite struct SessionUndoTests {
    /// 2027-01-15, 08:00 in UTC.
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let clock = LearningClock(timeZone: .gmt)
    private let questions = (0..<30).map { makeQuestion(.singleChoice, [0], id: "q\($0)") }

    private func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func session(
        _ mode: SessionMode = .study, count: Int = 3, ratesAnswers: Bool = false
    ) -> StudySession {
        var random = SeededGenerator(seed: 2)
        return StudySession(
            id: "s", mode: mode,
            entries: questions.prefix(count).map {
                .init($0, contentVersion: "v1", exposuresBefore: 4)
            }, ratesAnswers: ratesAnswers, repeatsToday: true, now: start, using: &random)
    }

    private func answer(
        _ session: inout StudySession, _ isRight: Bool, at seconds: Double = 0
    ) throws {
        let item = try #require(session.current)
        let question = try #require(questions.first { $0.id == item.questionID })
        try session.answer(
            [isRight ? "a" : "b"], to: question, now: at(seconds), in: clock.timeZone)
    }

    @Test func theQuestionIsOpenAgainAndItsRepeatGoes() throws {
        var session = session()
        try answer(&session, false, at: 5)
        #expect(session.items.count == 4)
        let undone = try session.undo(now: at(9), by: clock)
        #expect(session.items.map(\.id) == ["q0", "q1", "q2"] && session.position == 0)
        #expect(session.current?.answer == nil && session.current?.exposuresBefore == 5)
        #expect(undone.record.mode == .study && undone.record.exposuresBefore == 4)
        #expect(undone.date == at(9) && undone.offsetMinutes == 0)
        #expect(session.undone == [undone])
    }

    @Test func theAnswerInItsPlaceIsARepeatThatTheResultCounts() throws {
        var session = session(count: 1)
        try answer(&session, false, at: 5)
        try session.undo(now: at(9), by: clock)
        try answer(&session, true, at: 12)
        #expect(session.records.map(\.mode) == [.study, .repeat])
        #expect(session.records.map(\.exposuresBefore) == [4, 5])
        #expect(session.records.map(\.timeTaken) == [5, 3] && session.timeTaken == 8)
        let result = SessionResult(session)
        #expect(result.total.correctCount == 1 && result.total.questionCount == 1)
        #expect(result.again.questionCount == 0 && result.timeTaken == 8)
    }

    @Test func aWrongAnswerAnewIsRepeated() throws {
        var session = session(count: 1)
        for _ in 0..<2 {
            try answer(&session, false)
            try session.undo(now: at(1), by: clock)
        }
        try answer(&session, false)
        #expect(session.items.map(\.id) == ["q0", "q0#1"])
        #expect(session.items.map(\.exposuresBefore) == [6, 7])
    }

    @Test func aRepeatIsUndoneAndTheFirstAnswerStays() throws {
        var session = session(count: 1)
        try answer(&session, false)
        try answer(&session, false)
        #expect(try session.undo(now: at(1), by: clock).record.mode == .repeat)
        #expect(session.items.map(\.id) == ["q0", "q0#1"])
        #expect(session.items.map { $0.answer == nil } == [false, true])
        try answer(&session, true)
        #expect(session.records.map(\.exposuresBefore) == [5, 4, 6])
    }

    @Test func theNewestAnswerGoesFirst() throws {
        var session = session()
        for isRight in [true, false, true] { try answer(&session, isRight) }
        let undone = try (0..<3).map { _ in
            try session.undo(now: at(1), by: clock).record.questionID
        }
        #expect(undone == ["q2", "q1", "q0"] && session.position == 0)
        #expect(session.items.map(\.id) == ["q0", "q1", "q2"])
        #expect(throws: StudySessionError.nothingToUndo) {
            try session.undo(now: at(1), by: clock)
        }
    }

    @Test func twentyAnswersCanBeUndone() throws {
        var session = session(count: 25)
        for _ in 0..<25 { try answer(&session, true) }
        for _ in 0..<20 { try session.undo(now: at(1), by: clock) }
        #expect(session.undoable(now: at(1), by: clock) == nil)
        #expect(throws: StudySessionError.nothingToUndo) {
            try session.undo(now: at(1), by: clock)
        }
        #expect(session.position == 5)
    }

    @Test(arguments: [SessionMode.exam, .placement])
    func examsAndPlacementTestsAreNotUndone(mode: SessionMode) throws {
        var session = session(mode)
        try answer(&session, true)
        #expect(session.undoable(now: at(1), by: clock) == nil)
        let before = session
        #expect(throws: StudySessionError.examNotUndoable) {
            try session.undo(now: at(1), by: clock)
        }
        #expect(session == before)
    }

    @Test func anAnswerOfAnotherDayIsNot() throws {
        var session = session()
        try answer(&session, true)
        // 03:59 is still the day of the answer, 04:00 is not.
        let rollover = clock.end(of: clock.day(of: start))
        #expect(session.undoable(now: rollover - 1, by: clock)?.id == "q0")
        let before = session
        #expect(throws: StudySessionError.ofAnotherDay) {
            try session.undo(now: rollover, by: clock)
        }
        #expect(session == before)
    }

    @Test func aClockThatFellBackDatesTheUndoAtItsAnswer() throws {
        var session = session()
        try answer(&session, true, at: 60)
        #expect(try session.undo(now: at(1), by: clock).date == at(60))
    }

    @Test func aFinishedSessionContinues() throws {
        var session = session(count: 2)
        try answer(&session, true)
        try answer(&session, true)
        session.finish(now: at(2))
        try session.undo(now: at(9), by: clock)
        #expect(session.state == .running && session.current?.id == "q1")
        try answer(&session, false, at: 12)
        #expect(session.items[1].timeTaken == 3)
    }

    @Test func aPausedSessionIsResumedFirst() throws {
        var session = session()
        try answer(&session, true)
        try session.pause(now: at(2))
        #expect(throws: StudySessionError.paused) { try session.undo(now: at(3), by: clock) }
    }

    @Test func anAnswerThatAwaitsItsRatingIsRecordedAsGood() throws {
        var session = session(ratesAnswers: true)
        try answer(&session, true)
        #expect(session.records.isEmpty)
        #expect(try session.undo(now: at(1), by: clock).record.rating == .good)
        #expect(session.records.count == 1 && session.awaitingRating == nil)
    }

    @Test func aStoredSessionKeepsItsUndoneAnswers() throws {
        var session = session()
        try answer(&session, false)
        try answer(&session, true)
        try session.undo(now: at(1), by: clock)
        var again = try JSONDecoder().decode(
            StudySession.self, from: JSONEncoder().encode(session))
        #expect(again == session)
        #expect(try again.undo(now: at(2), by: clock).record.questionID == "q0")
    }

    /// Random steps: keys of answers stay unique, and no answer is lost.
    @Test(arguments: 0..<40 as Range<UInt64>) func anyStepsKeepTheKeysUnique(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var session = session(count: 12)
        var given = 0
        for step in 0..<120 {
            let now = Double(step)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                if session.undoable(now: at(now), by: clock) != nil {
                    try session.undo(now: at(now), by: clock)
                }
            case 2 where session.current != nil && session.state == .running:
                try session.skip(now: at(now))
            default:
                guard session.current != nil, session.state == .running else { continue }
                try answer(&session, Bool.random(using: &random), at: now)
                given += 1
            }
            let keys = session.records.map { "\($0.questionID) \($0.exposuresBefore)" }
            #expect(Set(keys).count == keys.count && keys.count == given, "seed \(seed)")
            #expect(Set(session.items.map(\.id)).count == session.items.count, "seed \(seed)")
            #expect(session.items.count { $0.isFirst } == 12, "seed \(seed)")
        }
    }
}
