import Foundation
import Testing
import Underway

@testable import StudyModel

/// One question outside of a session: its key is no gift, and a note is the learner's.
@Suite struct QuestionModelTests {
    private let fixture: ProgressFixture

    init() throws {
        var bank = Blueprint.rules()
        bank.questions[1].type = .ordering
        bank.questions[1].correct = [1, 0]
        fixture = try ProgressFixture(blueprints: [bank])
    }

    private func screen(_ id: String = "q1") async throws -> QuestionScreen {
        let model = await QuestionModel(fixture.services, id: id, of: ProgressFixture.bank)
        await model.load()
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen)
    }

    @Test func theKeyIsShownAfterTheFirstAnswer() async throws {
        let before = try await screen()
        #expect(before.secret == .unanswered && !before.options.contains { before.isRight($0) })
        try await fixture.answer(1, isCorrect: false)
        let after = try await screen()
        #expect(after.secret == nil && after.isLastRight == false)
        #expect(after.options.filter { after.isRight($0) }.map(\.id) == ["a"])
    }

    @Test(arguments: [SessionMode.exam, .study])
    func anOpenExamHidesTheKeysOfItsQuestionsUntilItEnds(mode: SessionMode) async throws {
        try await fixture.answer(1, daysAgo: 40)
        let id = try await SessionStart(fixture.services).begin(ProgressFixture.bank, mode)
        let asked = try #require(try fixture.userData.session(id: id)).session.items
        try #require(asked.contains { $0.questionID == "q1" })
        #expect(try await screen().secret == (mode == .exam ? .asked : nil))
        await SessionModel(fixture.services, id: id).finish()
        #expect(try await screen().secret == nil)
    }

    @Test func anOrderIsShownRightWhenItsKeyIs() async throws {
        let hidden = try await screen("q2")
        #expect(try await screen("q2").options == hidden.options)
        try await fixture.answer(2)
        #expect(try await screen("q2").options.map(\.id) == ["b", "a"])
    }

    @Test func aQuestionThatIsNotThereIsAProblem() async throws {
        let model = await QuestionModel(fixture.services, id: "none", of: ProgressFixture.bank)
        await model.load()
        #expect(await model.problem?.code == .notFound)
    }

    // MARK: Notes

    private func write(_ typed: String, on id: String = "q1") async throws -> String? {
        let model = await NoteModel(fixture.services)
        let note = try #require(QuestionNote(typed))
        let former = await model.write(note, on: id, of: ProgressFixture.bank)
        if let problem = await model.problem { throw problem }
        return former
    }

    @Test func aNoteSavesItsQuestionAndAnEmptyOneLeavesItSaved() async throws {
        #expect(try await write("  green\r\nto starboard ") == nil)
        let noted = try await screen()
        #expect(noted.note == "green\nto starboard" && noted.isSaved)
        #expect(try await write("") == "green\nto starboard")
        let bare = try await screen()
        #expect(bare.note == nil && bare.isSaved)
        let saved = try #require(try fixture.userData.record(Favourite.self, id: "q1"))
        #expect(saved == Favourite(bank: ProgressFixture.bank))
    }

    @Test func anEmptyNoteOnAQuestionThatHasNoneSavesNothing() async throws {
        #expect(try await write(" \n ") == nil)
        #expect(try fixture.userData.records(Favourite.self).isEmpty)
    }

    @Test func aNoteOfAnotherBankIsNotThisOnes() async throws {
        try fixture.userData.put(
            Favourite(bank: .placement(language: "eo"), note: "other"), id: "q1", now: fixture.now)
        #expect(try await screen().note == nil)
        #expect(await NoteModel(fixture.services).notes(of: ProgressFixture.bank).isEmpty)
    }

    @Test func aNoteHasTheLengthThatTheServerAccepts() throws {
        let rule = try #require(CollectionRules.favourites.fields["note"])
        let longest = String(repeating: "é", count: QuestionNote.lengthMax)
        #expect(rule.accepts(.text(try #require(QuestionNote(longest)).text)))
        #expect(QuestionNote(longest + "x") == nil)
        #expect(!rule.accepts(.text(longest + "x")))
    }
}
