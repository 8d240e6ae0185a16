import Accounts
import Foundation
import Operations
import ServiceAPI
import Testing
import UserData

@testable import Boards
@testable import Ledger
@testable import Review

/// Answers that are graded again on a server: by laying grades over them, whoever comes when.
@Suite struct RegradeTests {
    private static let right = BoardWorld.corrections(release: 7, ["q0": "a", "q1": "b"])

    private func answers(_ id: String = "s") -> [AnswerRow] {
        // All chose "a": q0 was counted wrong, q1 right.
        var rows = BoardWorld.session(id, right: 3, of: 3, at: BoardWorld.start)
        rows[0].isCorrect = false
        rows[0].credit = 0
        return rows
    }

    private func progress(_ world: BoardWorld) async throws -> AnswerProgress {
        try #require(try await world.accounts.ledger.progress(of: world.users[0]))
    }

    @Test(arguments: AccountAdapter.allCases)
    func boardsAndStatisticsShowTheNewGrades(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define(BoardRule(), periods: [.all])
        try await world.answer(world.users[0], answers())
        try await world.refresh(BoardWorld.corrections(release: 6, [:]))
        #expect(try await world.top(.all) == [[1, 20]])
        let only = BoardWorld.corrections(release: 7, ["q0": "a"])
        let preview = try await world.regrader.preview(only, boards: world.boards)
        var expected = RegradePreview()
        (expected.answers, expected.learners) = (1, 1)
        (expected.sessions, expected.places) = (1, 1)
        #expect(preview == expected)
        #expect(try await world.top(.all) == [[1, 20]])
        try await world.refresh(only)
        #expect(try await world.top(.all) == [[1, 30]])
        #expect(try await progress(world).days.map(\.correct) == [3])
        #expect(try await progress(world).domains.map(\.correct) == [3])
        // Another key for another question, and the first one's old grade again.
        try await world.refresh(BoardWorld.corrections(release: 8, ["q1": "b"]))
        #expect(try await world.top(.all) == [[1, 10]])
        #expect(try await progress(world).days.map(\.correct) == [1])
    }

    @Test(arguments: AccountAdapter.allCases)
    func answersThatComeLaterAreGradedToo(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define(BoardRule(), periods: [.all])
        let right = BoardWorld.corrections(release: 7, ["q0": "a"])
        try await world.refresh(right)
        try await world.answer(world.users[1], answers())
        // A process that serves no release notes them as well.
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 20]])
        let report = try await world.regrader.regrade(right)
        #expect(report.answers == 1 && report.changedMembers == 1)
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 30]])
        let again = try await world.regrader.regrade(right)
        #expect(again.answers == 0 && again.changedMembers == 0)
    }

    /// Its new grade goes with it, and neither it nor its retraction is graded again.
    @Test(arguments: AccountAdapter.allCases)
    func anAnswerThatIsTakenBackHasNoGrade(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define(BoardRule(), periods: [.all])
        let rows = BoardWorld.session("s", right: 0, of: 2, at: BoardWorld.start, mode: "study")
        try await world.answer(world.users[0], rows)
        let right = BoardWorld.corrections(release: 7, ["q0": "a", "q1": "a"])
        try await world.refresh(right)
        #expect(try await world.top(.all) == [[1, 20]])
        let undo = rows[0].retraction(
            of: AnswerID(client: ClientID("device of \(world.users[0])"), number: 1),
            at: rows[0].milliseconds, offsetMinutes: nil)
        try await world.answer(world.users[0], [undo])
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 10]])
        #expect(try await progress(world).days.map { [$0.answers, $0.correct] } == [[1, 1]])
        try await world.refresh(BoardWorld.corrections(release: 8, ["q0": "a"]))
        #expect(try await world.top(.all) == [[1, 0]])
    }

    /// Counting anew counts what was counted.
    @Test(arguments: AccountAdapter.allCases)
    func countingAnewLeavesOutWhatIsTakenBack(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define(BoardRule(), periods: [.all])
        let rows = BoardWorld.session("s", right: 2, of: 2, at: BoardWorld.start, mode: "study")
        let undo = rows[0].retraction(
            of: AnswerID(client: ClientID("device of \(world.users[0])"), number: 1),
            at: rows[0].milliseconds, offsetMinutes: nil)
        try await world.answer(world.users[0], rows + [undo])
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 10]])
        #expect(try await world.boards.recount() == 1)
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 10]])
    }

    /// More accounts than one step looks at, and the last of them answered.
    @Test func allAccountsAreLookedAtInSteps() async throws {
        let world = try await BoardWorld(.sqlite, users: 1)
        try await world.define(BoardRule(), periods: [.all])
        let others = (0..<world.accounts.regrading.accountsMax).map {
            AccountChange.create("other-\($0)", tokenGeneration: 0, at: 0)
        }
        try await world.accounts.storage.change(AccountReadSet()) { _ in
            AccountOutcome(others + [.create("last", tokenGeneration: 0, at: 0)], reply: ())
        }
        try await world.answer("last", answers())
        _ = try await world.boards.refresh()
        let corrections = BoardWorld.corrections(release: 7, ["q0": "a"])
        #expect(try await world.regrader.follow(corrections) == true)
        #expect(try await world.accounts.regrading.noted(atMost: 9).isEmpty)
        #expect(try await world.regrader.follow(corrections) == false)
        #expect(try await world.regrader.regrade(corrections).answers == 1)
    }

    @Test(arguments: AccountAdapter.allCases)
    func anOlderReleaseChangesNothing(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define(BoardRule(), periods: [.all])
        try await world.answer(world.users[0], answers())
        try await world.refresh(BoardWorld.corrections(release: 7, ["q0": "a"]))
        #expect(try await world.top(.all) == [[1, 30]])
        try await world.refresh(BoardWorld.corrections(release: 6, ["q1": "b"]))
        #expect(try await world.top(.all) == [[1, 30]])
    }

    /// The sums stay those of the answers, so counting them anew changes nothing.
    @Test(arguments: AccountAdapter.allCases)
    func countingAnewKeepsTheNewGrades(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define(BoardRule(), periods: [.all])
        try await world.answer(world.users[0], answers())
        try await world.refresh(BoardWorld.corrections(release: 7, ["q0": "a"]))
        #expect(try await world.boards.recount() == 1)
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 30]])
    }

    /// Devices grade by themselves: what they receive, and an export has, is what was stored.
    @Test(arguments: AccountAdapter.allCases)
    func answersStayAsTheyWereStored(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.answer(world.users[0], answers())
        try await world.refresh(Self.right)
        let span = AnswerSpan(
            client: ClientID("device of \(world.users[0])"), first: 1, count: 3)
        let page = try await world.accounts.ledger.answers(
            [span], of: world.users[0], bytesMax: .max)
        #expect(page.runs.map(\.encoded.answers) == [answers()])
    }

    /// Corrections that give each question of a session a fraction of its own.
    private static func fractions(release: Int, of count: Int, _ part: Double) -> ServedCorrections
    {
        let entries = (0..<count).map { place in
            (
                ServedCorrections.Version(
                    bank: BoardWorld.bank, question: "q\(place)", version: ""), "a"
            )
        }
        return ServedCorrections(release: release, entries: entries) { version, _, _ in
            .init(
                isCorrect: false, credit: part / ((Double(version.question.dropFirst()) ?? 0) + 3))
        }
    }

    /// With every fraction as it is, or an account would be graded again for ever.
    @Test(arguments: AccountAdapter.allCases)
    func manyGradesAreWrittenReplacedAndRemoved(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define(BoardRule(), periods: [.all])
        for user in world.users {
            try await world.answer(
                user, BoardWorld.session("s", right: 9, of: 40, at: BoardWorld.start))
        }
        _ = try await world.boards.refresh()
        for (release, count, part, changed) in [(7, 40, 1.0, 80), (8, 30, 0.7, 80), (9, 0, 0, 60)] {
            let corrections = Self.fractions(release: release, of: count, part)
            while try await world.regrader.follow(corrections) == true {}
            #expect(try await world.regrader.regrade(corrections).answers == changed)
            for user in world.users {
                let plan = try await world.accounts.regrading.plan(of: user, corrections)
                #expect(plan.isEmpty, "\(release): \(plan.written.first as Any)")
            }
        }
    }

    @Test func manyGradesAreAsManyStatementsAsFew() {
        func counts(_ count: Int) -> [Int] {
            let rows = BoardWorld.session("s", right: count, of: count, at: BoardWorld.start)
            let answers = rows.enumerated().map {
                CorrectedAnswer(device: 1, counter: Int64($0 + 1), row: $1)
            }
            let first = Self.fractions(release: 7, of: count, 1)
            let written = RegradePlan(answers, known: [], first)
            let replaced = RegradePlan(
                answers, known: written.written, Self.fractions(release: 8, of: count, 0.7))
            let removed = RegradePlan([], known: written.written, first)
            #expect([written, replaced, removed].map(\.count) == [count, count, count])
            return [written, replaced, removed].map { RegradeStorage.writing($0).count }
        }
        #expect(counts(40) == counts(10))
        #expect(counts(10) == [2, 3, 2])
    }

    @Test func aPlanIsAFunctionOfAnswersAndCorrections() {
        let answered = answers().enumerated().map { place, row in
            CorrectedAnswer(device: 1, counter: Int64(place + 1), row: row)
        }.filter { $0.row.question != "q2" }
        let plan = RegradePlan(answered, known: [], Self.right)
        #expect(plan.written.map(\.correct) == [1, -1])
        #expect(plan.written.map(\.points) == [10, -10])
        #expect(plan.written.map(\.firstPoints) == [10, -10])
        #expect(RegradePlan(answered, known: plan.written, Self.right).isEmpty)
        let gone = RegradePlan([], known: plan.written, Self.right)
        #expect(gone.removed == plan.written && gone.written == [])
    }
}
