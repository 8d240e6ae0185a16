import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

/// Repeats of wrong answers within a study session.
@Suite struct SessionRepeatTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let questions = (0..<20).map { makeQuestion(.singleChoice, [0], id: "q\($0)") }

    private func session(
        _ mode: SessionMode = .study, count: Int = 20, repeatsToday: Bool = true
    ) -> StudySession {
        var random = SeededGenerator(seed: 2)
        return StudySession(
            id: "s", mode: mode,
            entries: questions.prefix(count).map {
                .init($0, contentVersion: "v1", exposuresBefore: 0, isRandomlySelected: true)
            }, repeatsToday: repeatsToday, now: start, using: &random)
    }

    /// Answers the question on the screen, and returns the id of its item.
    @discardableResult
    private func answer(_ session: inout StudySession, _ isRight: Bool) throws -> String {
        let item = try #require(session.current)
        let question = try #require(questions.first { $0.id == item.questionID })
        try session.answer([isRight ? "a" : "b"], to: question, now: start)
        return item.id
    }

    @Test func aWrongAnswerComesAgainBehindTenOthers() throws {
        var session = session()
        try answer(&session, false)
        #expect(session.items.count == 21 && session.items[11].id == "q0#1")
        let asked = try (0..<11).map { _ in try answer(&session, true) }
        #expect(asked == (1...10).map { "q\($0)" } + ["q0#1"])
    }

    @Test func twoWrongAnswersInARowStayInTheirOrder() throws {
        var session = session()
        try answer(&session, false)
        try answer(&session, false)
        let asked = try (0..<12).map { _ in try answer(&session, true) }
        #expect(asked == (2...10).map { "q\($0)" } + ["q0#1", "q1#1", "q11"])
    }

    @Test func withFewerOthersItComesAtTheEnd() throws {
        var session = session(count: 3)
        let asked = try (0..<4).map { try answer(&session, $0 > 0) }
        #expect(asked == ["q0", "q1", "q2", "q0#1"] && session.current == nil)
    }

    @Test func aQuestionIsRepeatedThreeTimesAtMost() throws {
        var session = session(count: 1)
        let asked = try (0..<4).map { _ in try answer(&session, false) }
        #expect(asked == ["q0", "q0#1", "q0#2", "q0#3"] && session.current == nil)
        #expect(session.records.map(\.exposuresBefore) == [0, 1, 2, 3])
        #expect(session.records.map(\.mode) == [.study, .repeat, .repeat, .repeat])
        #expect(session.records.map(\.isRandomlySelected) == [true, false, false, false])
    }

    @Test func aRightRepeatEndsThem() throws {
        var session = session(count: 2)
        for isRight in [false, true, false, true] { try answer(&session, isRight) }
        #expect(session.current == nil && session.items.count == 4)
    }

    @Test(arguments: [SessionMode.exam, .placement])
    func examsAndPlacementTestsHaveNone(mode: SessionMode) throws {
        var session = session(mode, count: 2)
        try answer(&session, false)
        #expect(session.items.count == 2 && !session.repeatsToday)
    }

    @Test func studyWithoutTheSettingHasNone() throws {
        var session = session(count: 2, repeatsToday: false)
        try answer(&session, false)
        #expect(session.items.count == 2)
    }

    @Test func theResultCountsFirstPlacesAlone() throws {
        var session = session(count: 3)
        // q0 and q1 wrong, q2 right; q0 right when asked again, q1 wrong, then right.
        for isRight in [false, false, true, true, false, true] { try answer(&session, isRight) }
        let result = SessionResult(session, passFraction: 0.3)
        #expect(result.total.questionCount == 3 && result.total.correctCount == 1)
        #expect(result.total.credit == 1 && result.hasPassed == true)
        #expect(result.again.questionCount == 2 && result.again.correctCount == 2)
    }

    @Test func whoLeavesLosesTheRepeats() throws {
        var session = session(count: 3)
        try answer(&session, false)
        session.finish(now: start)
        #expect(session.items.map(\.id) == ["q0", "q1", "q2"])
        #expect(SessionResult(session).again.questionCount == 0)
        #expect(SessionResult(session).total.unansweredCount == 2)
    }

    @Test func answeredRepeatsAreTheLastItemsOfAFinishedSession() throws {
        var session = session(count: 14)
        for step in 0..<13 { try answer(&session, step > 0) }
        #expect(session.items[11].id == "q0#1" && session.position == 13)
        session.finish(now: start)
        #expect(session.items.map(\.id) == (0..<14).map { "q\($0)" } + ["q0#1"])
        try session.undo(now: start)
        #expect(session.current?.id == "q11")
    }

    @Test func aStoredSessionKeepsItsRepeats() throws {
        var session = session(count: 3)
        try answer(&session, false)
        var again = try JSONDecoder().decode(
            StudySession.self, from: JSONEncoder().encode(session))
        #expect(again == session)
        let asked = try (0..<3).map { _ in try answer(&again, true) }
        #expect(asked == ["q1", "q2", "q0#1"])
    }
}
