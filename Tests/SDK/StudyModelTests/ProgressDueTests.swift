import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

/// What is due: one number on all screens.
@Suite struct ProgressDueTests {
    private static let tides = QuestionFilter.Bank.exam(region: "int", exam: "tides")

    @Test(arguments: 0..<8)
    func todayAndProgressSayTheSame(seed: UInt64) async throws {
        let fixture = try ProgressFixture(blueprints: [.rules(), .rules(id: "int/tides")])
        var random = SeededRandom(seed: seed)
        for number in 1...25 {
            try await fixture.answer(
                number, isCorrect: Int.random(in: 0..<3, using: &random) > 0,
                daysAgo: Double.random(in: 0..<30, using: &random),
                bank: Bool.random(using: &random) ? ProgressFixture.bank : Self.tides)
        }

        let today = try #require(try await fixture.today())
        let progress = try #require(try await fixture.screen())

        #expect(today.dueCount > 0)
        #expect(progress.figures.dueToday == today.dueCount)
        #expect(progress.figures.newToday == today.due.reduce(0) { $0 + $1.newCount })
        #expect(progress.dueDays[0].cards == progress.figures.dueToday)
        #expect(progress.dueDays[1].cards == today.dueTomorrow)
        #expect(progress.secondsOfDue == today.secondsOfDue)
        for row in today.due {
            let own = try #require(try await fixture.screen(of: row.id))
            #expect(own.figures.dueToday == row.count && own.figures.newToday == row.newCount)
            let model = await SubjectModel(fixture.services, bank: row.subject.bank)
            await model.load()
            let subject = try #require(await model.screen)
            let pace = today.secondsOfDue / Double(today.dueCount)
            #expect(subject.dueCount > 0 && subject.studySeconds == Double(subject.dueCount) * pace)
        }
    }

    /// Who only looks at an exam has not chosen to learn its questions.
    @Test func anExamThatWasOnlyOpenedAddsNoNewQuestions() async throws {
        let fixture = try ProgressFixture(blueprints: [.rules(), .rules(id: "int/tides")])
        let start = SessionStart(fixture.services)
        let exam = try await start.begin(Self.tides, .exam)
        let first = try #require(try await fixture.today())
        #expect(first.due.isEmpty && first.stopped?.id == exam && first.hasStarted)
        try await fixture.answer(1, daysAgo: 9)
        let today = try #require(try await fixture.today())
        #expect(today.due.map(\.subject.bank) == [ProgressFixture.bank])
        #expect(try await fixture.screen()?.figures.dueToday == today.dueCount)
        _ = try await start.begin(Self.tides, .study)
        #expect(try await fixture.today()?.due.count == 2)
    }

    @Test func aStepIsAskedInTenMinutesAndADueDayFromTheRolloverOn() async throws {
        let fixture = try ProgressFixture(blueprints: [.rules(questions: 4)])
        for number in 1...3 { try await fixture.answer(number, isCorrect: number == 3) }
        #expect(try await fixture.today()?.dueCount == 2, "nothing else is left")
        fixture.clock.advance(by: .seconds(60))
        try await fixture.answer(1)
        try await fixture.answer(2)
        #expect(try await fixture.today()?.dueCount == 0)
        let due = try #require(
            try fixture.userData.schedules(
                of: ProgressFixture.bank, by: StudyServices.scheduler, now: fixture.now
            )["q3"]?.schedule.dueDay)
        let rollover = fixture.services.days.end(of: due + -1)
        fixture.clock.advance(by: .seconds(rollover.timeIntervalSince(fixture.now) - 1))
        #expect(try await fixture.today()?.dueCount ?? 0 <= 2)
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.today()?.dueCount == 3)
    }

    @Test func aFewQuickTapsDoNotShortenTheDay() async throws {
        let fixture = try ProgressFixture()
        let id = try await SessionStart(fixture.services).begin(ProgressFixture.bank, .study)
        let model = await SessionModel(fixture.services, id: id)
        await model.load()
        while let screen = await model.screen, await !model.isOver {
            await model.answer(["a"], at: screen.index)
            await model.load()
        }
        for number in 1...9 { try await fixture.answer(number, isCorrect: false, daysAgo: 9) }
        let due = try #require(try await fixture.today())
        #expect(due.dueCount > 0 && due.secondsOfDue >= Double(due.dueCount) * 5)
    }

    @Test func whatTheDaysLimitLeavesWaitsForTomorrow() async throws {
        let fixture = try ProgressFixture(blueprints: [.rules(questions: 231)])
        for number in 1...230 { try await fixture.answer(number, daysAgo: 200) }

        let screen = try #require(try await fixture.screen())

        #expect(screen.figures.dueToday == 200 && screen.figures.newToday == 0)
        #expect(screen.dueDays.map(\.cards).prefix(3) == [200, 30, 0])
        #expect(try await fixture.today()?.dueTomorrow == 30)
    }
}
