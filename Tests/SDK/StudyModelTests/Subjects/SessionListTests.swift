import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// The sessions of a subject's past.
@Suite struct SessionListTests {
    private let fixture: ProgressFixture

    init() throws { fixture = try ProgressFixture() }

    /// Saves a session of some answers, a minute after the last one.
    private func save(
        _ id: String, _ mode: SessionMode = .study, answers: Int = 1, isOver: Bool = true,
        bank: QuestionFilter.Bank = ProgressFixture.bank
    ) throws {
        fixture.clock.advance(by: .seconds(60))
        let questions = Blueprint.rules().questions.prefix(3)
        var random = SeededRandom(seed: 1)
        var session = StudySession(
            id: id, mode: mode, entries: questions.map { .init($0, exposuresBefore: 0) },
            now: fixture.now,
            using: &random)
        for index in 0..<answers {
            let question = try #require(
                questions.first { $0.id == session.items[index].questionID })
            fixture.clock.advance(by: .seconds(60))
            try session.answer(["a"], to: question, now: fixture.now)
        }
        if isOver { session.finish(now: fixture.now) }
        try fixture.userData.save(session, of: bank, now: fixture.now)
    }

    private func list(page: Int = 1) async throws -> SessionListScreen {
        let model = await SessionListModel(fixture.services, bank: ProgressFixture.bank)
        await model.load(page: page)
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen)
    }

    @Test func sessionsStandNewestFirstTwentyAPage() async throws {
        for number in 1...41 { try save("s\(number)") }
        try save("other", bank: .placement(language: "eo"))

        let first = try await list()
        let last = try await list(page: 9)

        #expect(first.count == 41 && first.page.count == 3)
        #expect(first.sessions.map(\.id) == (22...41).reversed().map { "s\($0)" })
        #expect(last.page.number == 3 && last.sessions.map(\.id) == ["s1"])
        #expect(try await list(page: -1).sessions == first.sessions)
    }

    @Test func aSessionSaysItsKindResultAndMinutes() async throws {
        try save("study", answers: 2)
        try save("exam", .exam, answers: 0)
        try save("open", answers: 1, isOver: false)
        let formats = await fixture.services.formats(language: "en")

        let sessions = try await list().sessions

        #expect(
            sessions.map { $0.kind(formats.words) }
                == ["Study session", "Exam simulation", "Study session"])
        #expect(
            sessions.map { $0.result(formats) }
                == ["Not finished, 1 answer", "0 of 3 · 1 minute", "2 of 3 · 2 minutes"])
        #expect(sessions.map(\.isFinished) == [false, true, true])
    }

    @Test func theSubjectListsTheNewestAndCountsAll() async throws {
        for number in 1...5 { try save("s\(number)") }
        let model = await SubjectModel(fixture.services, bank: ProgressFixture.bank)
        await model.load()
        let screen = try #require(await model.screen)
        let formats = await fixture.services.formats(language: "en")

        #expect(screen.sessions.sessions.map(\.id) == ["s5", "s4", "s3"])
        #expect(SubjectText(screen, formats).allSessions == "All 5 sessions")
        #expect(!screen.isNew)
    }

    @Test(arguments: [(1, 0, 1, 1), (2, 0, 1, 1), (0, 20, 1, 1), (2, 21, 2, 2), (3, 40, 2, 2)])
    func aPageLiesWithinTheList(wanted: Int, items: Int, number: Int, count: Int) {
        let page = PageNumber(wanted, itemCount: items, pageSize: 20)
        #expect((page.number, page.count, page.offset) == (number, count, 20 * (number - 1)))
        #expect((page.previous == nil) == (number == 1) && (page.next == nil) == (number == count))
    }
}

/// The level of a placement test, and a test that was skipped.
@Suite struct SubjectLevelTests {
    private static let bank = QuestionFilter.Bank.placement(language: "xx")
    private let fixture: ProgressFixture

    init() throws { fixture = try ProgressFixture(blueprints: [PlacementCourseTests.blueprint]) }

    private func text() async throws -> SubjectText {
        let model = await SubjectModel(fixture.services, bank: Self.bank)
        await model.load()
        if let problem = await model.problem { throw problem }
        let formats = await fixture.services.formats(language: "en")
        return SubjectText(try #require(await model.screen), formats)
    }

    /// Takes the placement test, answering all or none of its questions.
    private func place(answers: Bool) async throws {
        let id = try await SessionStart(fixture.services).begin(Self.bank, .placement)
        let model = await SessionModel(fixture.services, id: id)
        await model.load()
        for _ in 0..<50 {
            guard answers, await !model.isOver, let screen = await model.screen else { break }
            await model.answer(screen.question.correctResponse, at: screen.index)
            await model.load()
        }
        if await !model.isOver { await model.finish() }
    }

    @Test func aLevelStandsWithItsRangeAndDate() async throws {
        #expect(try await text().level == "Your level is not known yet.")
        try await place(answers: true)
        let level = try #require(try await text().level)
        #expect(level.wholeMatch(of: /Your level: .+, likely .+ to .+ \(\d+ \w+( \d+)?\)/) != nil)
    }

    @Test func aSkippedTestSaysThatALevelWouldRestOnNothing() async throws {
        try await place(answers: false)
        #expect(try await text().level?.hasSuffix("A level would rest on nothing.") == true)
        try await place(answers: true)
        #expect(try await text().level?.hasPrefix("Your level: ") == true)
    }
}
