import Foundation
import StudyModel
import Testing
import Underway

@Suite struct FavouritesModelTests {
    private let fixture: ProgressFixture
    private let model: FavouritesModel

    init() async throws {
        fixture = try ProgressFixture()
        model = await FavouritesModel(fixture.services)
    }

    private func save(_ ids: String..., bank: QuestionFilter.Bank = ProgressFixture.bank)
        async throws
    {
        for id in ids {
            try fixture.userData.put(Favourite(bank: bank), id: id, now: fixture.now)
        }
    }

    @Test func savedQuestionsStandByTheirSubjectInItsOrder() async throws {
        try await save("q11", "q2", "q30", "gone")
        try await save("eo-1", bank: .placement(language: "eo"))

        await model.load()

        let groups = try #require(await model.screen?.groups)
        let rules = try #require(groups.first { $0.id == "int/rules" })
        #expect(Set(groups.map(\.id)) == ["int/rules", "eo"])
        #expect(rules.rows.map(\.id) == ["q2", "q11", "q30", "gone"])
        #expect(rules.rows.map { $0.question == nil } == [false, false, false, true])
        #expect(rules.askedCount == 2)
        #expect(groups.first { $0.id == "eo" }?.askedCount == 0)
    }

    @Test func aRemovedQuestionCanBeRestored() async throws {
        try fixture.userData.put(
            Favourite(bank: ProgressFixture.bank, note: "hard"), id: "q1", now: fixture.now)

        let removed = try #require(await model.remove(id: "q1"))
        #expect(await model.screen?.groups == [])
        #expect(await model.remove(id: "q1") == nil)
        await model.restore(removed, id: "q1")

        #expect(await model.screen?.groups.first?.rows.map(\.id) == ["q1"])
        #expect(try fixture.userData.record(Favourite.self, id: "q1")?.note == "hard")
    }

    @Test func aSessionAsksTheSavedQuestionsOnceForEachSet() async throws {
        try await save("q3", "q5", "q30")
        try await fixture.answer(5, daysAgo: 30)

        let first = try #require(await model.study(ProgressFixture.bank))
        let again = try #require(await model.study(ProgressFixture.bank))
        try await save("q7")
        let other = try #require(await model.study(ProgressFixture.bank))

        #expect(first == again && first != other)
        let session = try #require(try fixture.userData.session(id: first)).session
        #expect(session.items.map(\.questionID) == ["q5", "q3"])
        #expect(session.mode == .study && session.items[0].exposuresBefore == 1)
    }

    @Test func aSessionOfSavedQuestionsHasABound() async throws {
        for number in 1...29 { try await save("q\(number)") }

        let id = try #require(await model.study(ProgressFixture.bank))

        let session = try #require(try fixture.userData.session(id: id)).session
        #expect(session.items.count == SessionStart.studyQuestionsMax)
    }

    @Test func withoutAQuestionToAskNoSessionBegins() async throws {
        try await save("q30", "gone")

        #expect(await model.study(ProgressFixture.bank) == nil)

        #expect(await model.problem?.code == .nothingToAsk)
        #expect(try fixture.userData.openSessions().isEmpty)
    }
}
