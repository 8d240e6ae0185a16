import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// Questions that study leaves out, on the screens.
@MainActor @Suite struct SetAsideTests {
    private let fixture: ProgressFixture
    private var services: StudyServices { fixture.services }
    private let bank = ProgressFixture.bank

    init() throws { fixture = try ProgressFixture(blueprints: [.rules(questions: 4)]) }

    /// Misses a question on as many days before today.
    private func miss(_ number: Int, days: Int) async throws {
        for day in (1...days + 1).reversed() {
            try await fixture.answer(number, isCorrect: false, daysAgo: Double(day))
        }
    }

    /// Begins a session, and answers its questions wrong until one is set aside.
    private func session() async throws -> SessionModel {
        let id = try await SessionStart(services).begin(bank, .study)
        let model = SessionModel(services, id: id)
        for _ in 0..<20 {
            await model.load()
            let screen = try #require(model.screen)
            await model.answer(["b"], at: screen.index)
            if model.screen?.verdict?.setAside != nil { return model }
        }
        return model
    }

    private func questions(_ filter: QuestionQuery.Filter) async throws -> [String] {
        let model = QuestionListModel(services, bank: bank)
        await model.load(QuestionQuery(filter: filter))
        return try #require(model.screen).rows.map(\.id)
    }

    @Test func theEighthMissedDaySetsAQuestionAside() async throws {
        try await miss(1, days: 7)
        #expect(try await fixture.today()?.aside.isEmpty == true)
        let model = try await session()
        let record = try #require(model.screen?.verdict?.setAside)
        #expect(record.question == "q1" && record.lapses == 8)
        let words = StudyText(language: "en")
        #expect(
            record.sentence(words)
                == "You have missed this question on 8 days. It is set aside; it may be unclear.")
        #expect(try await fixture.today()?.aside.map(\.count) == [1])
        #expect(try await questions(.aside) == ["q1"])

        await model.askAgain()
        #expect(model.problem == nil && model.screen?.verdict?.setAside == nil)
        #expect(try await questions(.aside).isEmpty)
        #expect(try await fixture.today()?.aside.isEmpty == true)
    }

    @Test func anUndoneAnswerSetsNothingAside() async throws {
        try await miss(1, days: 7)
        let model = try await session()
        let key = try #require(model.screen?.undoKey)
        #expect(try await questions(.aside) == ["q1"])
        await model.undo(key)
        #expect(model.problem == nil && model.screen?.question.id == "q1")
        #expect(try await questions(.aside).isEmpty)
        // Missed again it is set aside again, and asked again only at the learner's wish.
        await model.answer(["b"], at: try #require(model.screen).index)
        #expect(model.screen?.verdict?.setAside?.lapses == 8)
    }

    @Test func aSetAsideQuestionIsNotRepeated() async throws {
        try await miss(1, days: 7)
        let model = try await session()
        var asked: [String] = []
        await model.load()
        while !model.isOver {
            let screen = try #require(model.screen)
            asked.append(screen.question.id)
            await model.answer(["a"], at: screen.index)
            await model.load()
        }
        #expect(!asked.contains("q1"), "\(asked)")
        let result = ResultModel(services, id: model.id)
        await result.load()
        #expect(result.screen?.reviewed.count == result.screen?.questionCount)
    }

    /// Answers wrong until a question is asked again.
    private func repeated() async throws -> (SessionModel, SessionScreen) {
        let id = try await SessionStart(services).begin(bank, .study)
        let model = SessionModel(services, id: id)
        var asked: Set<String> = []
        await model.load()
        while let screen = model.screen, asked.insert(screen.question.id).inserted {
            await model.answer(["b"], at: screen.index)
            await model.load()
        }
        return (model, try #require(model.screen))
    }

    @Test func aRepeatOnTheScreenTakesItsAnswerThoughItWasSetAside() async throws {
        let (model, seen) = try await repeated()
        await SetAsideModel(services).set(true, seen.question.id, of: bank)
        await model.answer(["a"], at: seen.index, of: seen.question.id)
        #expect(model.problem == nil && model.screen?.question.id == seen.question.id)
        #expect(model.screen?.verdict?.grade.isCorrect == true)
    }

    @Test func anAnswerDoesNotReachTheNextQuestion() async throws {
        let (model, seen) = try await repeated()
        await SetAsideModel(services).set(true, seen.question.id, of: bank)
        let other = SessionModel(services, id: model.id)
        await other.load()
        let next = try #require(other.screen)
        #expect(next.index == seen.index && next.question.id != seen.question.id)
        await model.answer(["a"], at: seen.index, of: seen.question.id)
        #expect(model.problem?.code == .changed)
        #expect(model.screen?.question.id == next.question.id && model.screen?.verdict == nil)
    }

    @Test func whatTheLearnerSetAsideWasNotMissed() async throws {
        try await fixture.answer(1)
        try await fixture.answer(2)
        for id in ["q1", "q2"] { await SetAsideModel(services).set(true, id, of: bank) }
        let words = StudyText(language: "en")
        let rows = try #require(try await fixture.today()).aside
        #expect(
            rows.map { $0.sentence(words) } == [
                "You have set 2 questions of Rules of int/rules aside."
            ])
    }

    @Test func aQuestionThatWasSetAsideIsLeftOutOfTheOpenSession() async throws {
        let id = try await SessionStart(services).begin(bank, .study)
        let model = SessionModel(services, id: id)
        await model.load()
        #expect(model.screen?.question.id == "q1" && model.screen?.count == 3)
        await model.answer(["a"], at: 0)
        await SetAsideModel(services).set(true, "q2", of: bank)
        await model.load()
        #expect(model.screen?.question.id == "q3" && model.screen?.count == 2)
        // An answer to the question on the screen counts, though it was set aside meanwhile.
        await SetAsideModel(services).set(true, "q3", of: bank)
        await model.answer(["a"], at: 1, of: "q3")
        #expect(model.problem == nil && model.screen?.verdict?.grade.isCorrect == true)
        await model.load()
        #expect(model.isOver)
        let result = ResultModel(services, id: id)
        await result.load()
        #expect(result.screen?.questionCount == 2 && result.screen?.correctCount == 2)
    }

    @Test func aSessionOfWhichAllWasSetAsideEnds() async throws {
        try await fixture.answer(1, daysAgo: 30)
        let id = try await SessionStart(services).begin(bank, .study)
        for number in 1...3 { await SetAsideModel(services).set(true, "q\(number)", of: bank) }
        let model = SessionModel(services, id: id)
        await model.load()
        #expect(model.isOver && model.problem == nil && model.screen == nil)
        let result = ResultModel(services, id: id)
        await result.load()
        #expect(result.problem == nil && result.screen?.questionCount == 0)
    }

    @Test func anExamAsksWhatIsSetAside() async throws {
        let id = try await SessionStart(services).begin(bank, .exam)
        for number in 1...3 { await SetAsideModel(services).set(true, "q\(number)", of: bank) }
        let model = SessionModel(services, id: id)
        await model.load()
        #expect(model.screen?.count == 3)
    }

    @Test func whatCannotBeSetAsideIsNotSaidToBe() async throws {
        let asides = SetAsideModel(services)
        await asides.set(true, String(repeating: "x", count: 300), of: bank)
        #expect(asides.problem != nil)
        #expect(try fixture.userData.records(SetAsideQuestion.self).isEmpty)
    }

    @Test func anUndoLeavesWhatTheLearnerSetAside() async throws {
        try await miss(1, days: 7)
        let id = try await SessionStart(services).begin(bank, .study)
        let model = SessionModel(services, id: id)
        await model.load()
        while model.screen?.question.id != "q1" {
            await model.answer(["a"], at: try #require(model.screen).index)
            await model.load()
        }
        await SetAsideModel(services).set(true, "q1", of: bank)
        await model.answer(["b"], at: try #require(model.screen).index)
        #expect(model.screen?.verdict?.setAside?.reason == .own)
        await model.undo(try #require(model.screen?.undoKey))
        #expect(try await questions(.aside) == ["q1"])
    }

    @Test func theLearnerSetsAQuestionAside() async throws {
        try await fixture.answer(1, daysAgo: 30)
        try await fixture.answer(2, daysAgo: 30)
        let asides = SetAsideModel(services)
        await asides.set(true, "q1", of: bank)
        await asides.set(true, "q1", of: bank)
        let question = QuestionModel(services, id: "q1", of: bank)
        await question.load()
        let screen = try #require(question.screen)
        #expect(screen.setAside?.reason == .own)
        #expect(screen.standing(StudyText(language: "en")) == "last answer right · set aside")
        #expect(try await questions(.aside) == ["q1"])

        let plan = try await SessionStart(services).outlook(of: bank, .study)
        #expect(!plan.entries.map(\.question.id).contains("q1"))
        let exam = try await SessionStart(services).outlook(of: bank, .exam)
        #expect(exam.entries.map(\.question.id).contains("q1"))
        let chosen = try await ChosenQuestionsStart(services).entries(bank) { _ in true }
        #expect(chosen.map(\.question.id) == ["q2", "q3"])

        await asides.set(false, "q1", of: bank)
        #expect(try await questions(.aside).isEmpty)
        // What was never set aside is no record.
        await asides.set(false, "q3", of: bank)
        let records = try fixture.userData.records(SetAsideQuestion.self)
        #expect(records.map(\.value.question) == ["q1"] && asides.problem == nil)
    }
}
