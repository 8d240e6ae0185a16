import Foundation
import Testing
import Underway

@testable import StudyModel

/// The questions of a subject: search, filters and pages.
@Suite struct QuestionListTests {
    private let fixture: ProgressFixture

    init() throws {
        var bank = Blueprint.rules(questions: 50)
        bank.questions[0].stem = "Die STRASSE ist naß"
        bank.questions[1].stem = "¿Dónde está ＡＢＣ?"
        bank.questions[2].options[0].text = "Crème brûlée"
        fixture = try ProgressFixture(blueprints: [bank])
    }

    private func list(
        _ search: String = "", _ filter: QuestionQuery.Filter = .all, page: Int = 1
    ) async throws -> QuestionListScreen {
        let model = await QuestionListModel(fixture.services, bank: ProgressFixture.bank)
        await model.load(QuestionQuery(search: search, filter: filter, page: page))
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen)
    }

    private func save(
        _ id: String, note: String? = nil, bank: QuestionFilter.Bank = ProgressFixture.bank
    ) throws {
        try fixture.userData.put(Favourite(bank: bank, note: note), id: id, now: fixture.now)
    }

    @Test(arguments: [
        ("straße NASS", "q1"), ("donde abc", "q2"), ("ESTÁ ａｂｃ", "q2"), ("creme BRULEE", "q3"),
        ("q17", "q17"), ("  question   23 ", "q23"),
    ])
    func aSearchFoldsCaseAccentsAndWidth(search: String, found: String) async throws {
        #expect(try await list(search).rows.map(\.id) == [found])
    }

    @Test func nothingFoundSaysTheWordsAsTyped() async throws {
        let none = try await list("Xyzzy")
        let formats = await fixture.services.formats(language: "en")
        #expect(none.count == 0 && none.finding(formats) == "Nothing found for “Xyzzy”.")
        #expect(try await list("", .missed).finding(formats).hasPrefix("No question was answered"))
    }

    @Test func pagesHaveTwentyQuestionsInTheAuthorsOrderWithoutRetiredOnes() async throws {
        let first = try await list()
        let last = try await list(page: 3)
        #expect(first.count == 49 && first.page.count == 3)
        #expect(first.rows.map(\.id) == (1...20).map { "q\($0)" })
        #expect(last.rows.map(\.id) == (41...49).map { "q\($0)" })
    }

    @Test func theFiltersFollowTheLastAnswerTheMarksAndTheNotes() async throws {
        try await fixture.answer(4, isCorrect: false, daysAgo: 3)
        try await fixture.answer(5, isCorrect: false, daysAgo: 3)
        try await fixture.answer(5, isCorrect: true, daysAgo: 2)
        try await fixture.answer(6, isCorrect: true, daysAgo: 3)
        try await fixture.answer(6, isCorrect: false, daysAgo: 1)
        try save("q7", note: "look up")
        try save("q50", note: "")
        try save("q8", note: "elsewhere", bank: .placement(language: "eo"))

        #expect(try await list("", .missed).rows.map(\.id) == ["q4", "q6"])
        #expect(try await list("", .saved).rows.map(\.id) == ["q7", "q50"])
        #expect(try await list("", .noted).rows.map(\.id) == ["q7"])
        #expect(try await list("question 6", .missed).rows.map(\.id) == ["q6"])
    }

    @Test func aRowSaysWhatTheLearnerDidWithTheQuestion() async throws {
        try await fixture.answer(1, isCorrect: true)
        try await fixture.answer(2, isCorrect: false)
        try save("q2", note: "again")
        let words = StudyText(language: "en")
        let rows = try await list().rows
        #expect(rows[0].standing(words) == "last answer right")
        #expect(rows[1].standing(words) == "last answer wrong · saved · with a note")
        #expect(rows[2].standing(words) == "not answered yet")
    }

    @Test func aNewReleaseIsSearchedByItsOwnWords() throws {
        let cache = QuestionTextCache()
        let bank = ProgressFixture.bank
        var blueprint = Blueprint.rules()
        let now = Date(timeIntervalSince1970: 0)
        let old = Fresh(
            blueprint, ContentFreshness(source: .downloaded, release: 1, installedAt: now))
        #expect(cache.texts(of: old, bank).indices(of: "anchor").isEmpty)
        blueprint.questions[3].stem = "Anchor"
        let new = Fresh(
            blueprint, ContentFreshness(source: .downloaded, release: 2, installedAt: now))
        #expect(cache.texts(of: new, bank).indices(of: "anchor") == [3])
    }

    @Test func aLongSearchIsCutAndManyWordsAreBounded() {
        #expect(QuestionQuery(search: String(repeating: "x", count: 900)).search.count == 100)
        let texts = QuestionTexts(Blueprint.rules().questions)
        let words = (Array(repeating: "question", count: QuestionTexts.wordsMax) + ["none"])
        #expect(texts.indices(of: words.joined(separator: " ")).count == 30)
    }
}
