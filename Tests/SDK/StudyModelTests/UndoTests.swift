import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// Undo and repeats on the screens of a session.
@Suite struct UndoTests {
    private let fixture: ProgressFixture
    private var services: StudyServices { fixture.services }

    init() throws { fixture = try ProgressFixture(blueprints: [.rules(questions: 4)]) }

    /// Begins a session of three questions that asks wrongly answered ones again.
    private func begun() async throws -> SessionModel {
        var random = SeededRandom(seed: 1)
        let session = StudySession(
            id: "s", mode: .study,
            entries: Blueprint.rules(questions: 4).questions.prefix(3).map {
                .init($0, exposuresBefore: 0)
            }, repeatsToday: true, now: fixture.now, using: &random)
        try fixture.userData.save(session, of: ProgressFixture.bank, now: fixture.now)
        let model = await SessionModel(services, id: session.id)
        await model.load()
        return model
    }

    /// Answers the question that is asked, and returns the screen with the verdict.
    @discardableResult
    private func answer(_ model: SessionModel, _ isRight: Bool) async throws -> SessionScreen {
        await model.load()
        let screen = try #require(await model.screen)
        await model.answer([isRight ? "a" : "b"], at: screen.index)
        return try #require(await model.screen)
    }

    private func result(_ id: String) async throws -> ResultScreen {
        let model = await ResultModel(services, id: id)
        await model.load()
        return try #require(await model.screen)
    }

    @Test func aWrongAnswerIsAskedAgain() async throws {
        let model = try await begun()
        for isRight in [false, true, true] { try await answer(model, isRight) }
        await model.load()
        #expect(await model.screen?.index == 3)
        try await answer(model, true)
        #expect(await model.isOver)
        let screen = try await result(model.id)
        #expect(screen.questionCount == 3 && screen.reviewed.map(\.number) == [1, 2, 3])
        #expect(screen.correctCount == 2 && screen.again.correctCount == 1)
        let formats = StudyFormats(words: StudyText(language: "en"), calendar: services.calendar)
        #expect(
            ResultText(screen, formats).finding == "2 of 3 right, 1 of 1 when asked again")
    }

    @Test func examsAskNothingAgain() async throws {
        let id = try await SessionStart(services).begin(ProgressFixture.bank, .exam)
        let model = await SessionModel(services, id: id)
        await model.load()
        #expect(await model.screen?.undoKey == nil)
        await model.answer(["b"], at: 0)
        let answered = try #require(await model.screen)
        #expect(answered.count == 3 && answered.undoKey == nil)
    }

    @Test func undoAsksTheQuestionAnew() async throws {
        let model = try await begun()
        #expect(await model.screen?.undoKey == nil)
        let verdict = try await answer(model, false)
        let key = try #require(verdict.undoKey)
        await model.undo(key)
        let screen = try #require(await model.screen)
        #expect(screen.index == 0 && screen.verdict == nil && screen.question == verdict.question)
        #expect(screen.count == 3 && screen.undoKey == nil)
        let answers = try fixture.userData.answers(of: ProgressFixture.bank)
        #expect(answers.isEmpty)
    }

    /// A form that is sent twice undoes one answer.
    @Test func theSameUndoAgainDoesNothing() async throws {
        let model = try await begun()
        try await answer(model, true)
        let key = try #require(try await answer(model, true).undoKey)
        await model.undo(key)
        await model.undo(key)
        #expect(await model.problem == nil)
        #expect(await model.screen?.index == 1)
        #expect(try fixture.userData.answers(of: ProgressFixture.bank).count == 1)
    }

    @Test func severalAnswersAreUndoneNewestFirst() async throws {
        let model = try await begun()
        try await answer(model, true)
        try await answer(model, true)
        for index in [1, 0] {
            await model.load()
            await model.undo(try #require(await model.screen?.undoKey))
            #expect(await model.screen?.index == index)
        }
        #expect(await model.screen?.undoKey == nil)
    }

    @Test func aFinishedSessionContinues() async throws {
        let model = try await begun()
        for _ in 0..<3 { try await answer(model, true) }
        #expect(await model.isOver)
        let key = try #require(try await result(model.id).undoKey)
        await model.undo(key)
        #expect(await !model.isOver)
        #expect(await model.screen?.index == 2)
        try await answer(model, false)
        // The question comes again, since the new answer is wrong.
        await model.load()
        #expect(await model.screen?.index == 3)
        try await answer(model, true)
        let screen = try await result(model.id)
        #expect(screen.correctCount == 2 && screen.questionCount == 3)
    }

    @Test func theTableOfAnswersLeavesOutWhatWasTakenBack() async throws {
        let model = try await begun()
        try await answer(model, false)
        await model.undo(try #require(await model.screen?.undoKey))
        #expect(try fixture.userData.answers().answers.isEmpty)
        try await answer(model, true)
        try await answer(model, true)
        await model.undo(try #require(await model.screen?.undoKey))
        let page = try fixture.userData.answers()
        #expect(page.answers.map(\.record.isCorrect) == [true] && page.next == nil)
    }

    @Test func theListOfSessionsCountsEachQuestionOnce() async throws {
        let model = try await begun()
        for isRight in [false, true, true] { try await answer(model, isRight) }
        let list = await SessionListModel(services, bank: ProgressFixture.bank)
        await list.load()
        #expect(await list.screen?.sessions.first?.answerCount == 3)
        try await answer(model, true)
        await list.load()
        let session = try #require(await list.screen?.sessions.first)
        #expect(session.correctCount == 2 && session.questionCount == 3)
    }

    @Test func anAnswerToASessionThatWasEndedElsewhereIsSaidToBeLost() async throws {
        let model = try await begun()
        let screen = try #require(await model.screen)
        await SessionModel(services, id: model.id).finish()
        await model.answer(["a"], at: screen.index)
        #expect(await model.problem?.code == .ended)
        let (shown, isOver) = await (model.screen, model.isOver)
        #expect(shown == nil && isOver)
        #expect(try fixture.userData.answers().answers.isEmpty)
    }

    @Test func onAnotherDayNothingCanBeUndone() async throws {
        let model = try await begun()
        for _ in 0..<3 { try await answer(model, true) }
        let key = try #require(try await result(model.id).undoKey)
        fixture.clock.advance(by: .seconds(86_400))
        #expect(try await result(model.id).undoKey == nil)
        await model.undo(key)
        #expect(await model.problem?.code == .ofAnotherDay, "a page that stayed open says why")
        #expect(await model.isOver)
    }

    @Test func anUndoThatDoesNothingSaysWhy() async throws {
        let model = try await begun()
        await model.undo("q1 0")
        #expect(await model.problem?.code == .nothingToUndo)
        let former = try #require(try await answer(model, true).undoKey)
        let other = await SessionModel(services, id: model.id)
        try await answer(other, true)
        await model.undo(former)
        #expect(await model.problem?.code == .changed, "another window answered since")
        #expect(try fixture.userData.answers().answers.count == 2)
        let exam = try await SessionStart(services).begin(ProgressFixture.bank, .exam)
        let sheet = await SessionModel(services, id: exam)
        await sheet.load()
        await sheet.undo("q1 0")
        #expect(await sheet.problem?.code == .examNotUndoable)
    }

    @Test func anAnswerThatAnotherWindowGaveFirstIsSaid() async throws {
        let model = try await begun()
        let other = await SessionModel(services, id: model.id)
        try await answer(other, true)
        await model.answer(["b"], at: 0)
        #expect(await model.problem?.code == .answeredElsewhere)
        #expect(await model.screen?.verdict?.grade.isCorrect == true, "what was kept is shown")
        await model.answer(["a"], at: 0)
        #expect(await model.problem == nil, "the same answer is no surprise")
    }

    /// The page of a repeat, after another window took its answer back, leads to what is asked now.
    @Test func aPlaceThatWentLeadsToTheQuestionThatIsAsked() async throws {
        let model = try await begun()
        let key = try #require(try await answer(model, false).undoKey)
        await model.load(at: 3)
        #expect(await model.screen?.count == 4)
        await SessionModel(services, id: model.id).undo(key)
        await model.load(at: 3)
        #expect(await model.problem == nil)
        #expect(await model.screen?.index == 0)
    }
}
