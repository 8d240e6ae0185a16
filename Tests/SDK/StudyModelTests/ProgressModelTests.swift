import Foundation
import StudyModel
import Synchronization
import Testing
import Underway

@Suite struct ProgressModelTests {
    @Test func newLearnerSeesNoSubject() async throws {
        let screen = try #require(try await ProgressFixture().screen())

        #expect(screen.subjects.isEmpty && screen.missing.isEmpty)
        #expect(screen.figures == ProgressFigures())
        #expect(screen.figures.remembered == nil)
        #expect(screen.forecast == .noExam)
        #expect(screen.dueDays.count == DueDay.dayCount)
        #expect(screen.busiestDueDay == nil && screen.weakestDomain == nil)
    }

    @Test func figuresAreThoseOfTheCards() async throws {
        let fixture = try ProgressFixture()
        for number in 1...6 { try await fixture.answer(number, daysAgo: 10) }
        for number in 1...2 { try await fixture.answer(number, isCorrect: false, daysAgo: 1) }
        try await fixture.answer(7)  // today, which says nothing about memory
        try await fixture.answer(30)  // retired
        try await fixture.answer(99)  // removed

        let screen = try #require(try await fixture.screen())

        let studied = try fixture.userData.schedules(
            of: ProgressFixture.bank, by: StudyServices.scheduler, now: fixture.now)
        let cards = (1...6).compactMap { studied["q\($0)"]?.schedule }
        let recall = cards.map {
            StudyServices.scheduler.retrievability(of: $0, on: fixture.services.today)
        }
        #expect(screen.figures.seen == 7 && screen.figures.questions == 29)
        #expect(screen.figures.rested == 6 && screen.figures.answers == 11)
        let remembered = try #require(screen.figures.remembered)
        #expect(abs(remembered - recall.reduce(0, +) / 6) < 1e-12)
        #expect(screen.figures.aim == 0.9)
        #expect(screen.studiedDays == 3 && screen.streak == 2 && screen.longestStreak == 2)
    }

    @Test func theAimIsThatOfTheSettings() async throws {
        let fixture = try ProgressFixture(blueprints: [.rules(), .rules(id: "int/tides")])
        var fields = LearningFields()
        fields.retention = 0.85
        try fixture.userData.put(fields, id: LearningFields.allBanks)
        #expect(try await fixture.screen()?.figures.aim == 0.85, "without an answer, too")
        let tides = QuestionFilter.Bank.exam(region: "int", exam: "tides")
        for number in 1...3 { try await fixture.answer(number, daysAgo: 2) }
        #expect(try await fixture.screen()?.figures.aim == 0.85)
        #expect(try await fixture.screen(of: "int/rules")?.figures.aim == 0.85)
        // Two aims: the mean of the remembered questions is compared with the mean of their aims.
        try await fixture.answer(4, daysAgo: 2, bank: tides)
        fields.retention = 0.95
        try fixture.userData.put(fields, id: tides.name)
        let aim = try #require(try await fixture.screen()?.figures.aim)
        #expect(abs(aim - (3 * 0.85 + 0.95) / 4) < 1e-12)
    }

    @Test func theFirstDaySaysNothingAboutMemory() async throws {
        let fixture = try ProgressFixture()
        for number in 1...9 { try await fixture.answer(number) }

        let screen = try #require(try await fixture.screen())

        #expect(screen.figures.seen == 9 && screen.figures.remembered == nil)
        let words = ProgressText(
            screen, StudyFormats(words: StudyText(language: "en"), calendar: .current))
        let figure = try #require(words.figures.first { $0.name == "Remembered" })
        #expect(figure.number == "–" && figure.note == "You see it tomorrow")
    }

    @Test func eachCardIsDueOnOneDay() async throws {
        let fixture = try ProgressFixture()
        for number in 1...20 {
            try await fixture.answer(
                number, isCorrect: number % 3 > 0, daysAgo: Double(number) / 2)
        }

        let screen = try #require(try await fixture.screen())

        let studied = try fixture.userData.schedules(
            of: ProgressFixture.bank, by: StudyServices.scheduler, now: fixture.now)
        let end = fixture.services.today + DueDay.dayCount
        // A step that is not due yet is no card of a day.
        let within = studied.values.count {
            $0.schedule.dueDay.map { $0 < end }
                ?? $0.schedule.isDue(now: fixture.now, today: fixture.services.today)
        }
        #expect(screen.dueDays.reduce(0) { $0 + $1.cards } == within + screen.figures.newToday)
        #expect(within > 0)
        #expect(screen.busiestDueDay?.cards == screen.dueDays.map(\.cards).max())
    }

    @Test func domainsAreInTheAuthorsOrderWithTheirInterval() async throws {
        let fixture = try ProgressFixture()
        for number in 1...28 {
            try await fixture.answer(number, isCorrect: number % 2 == 1 || number > 24)
        }

        let screen = try #require(try await fixture.screen())

        #expect(screen.domains.map(\.title) == ["Odd", "Even"])
        #expect(screen.domains.map(\.right) == [14, 2])
        #expect(screen.domains.map(\.answers) == [14, 14])
        #expect(screen.domains.map(\.interval) == [14, 2].map { WilsonInterval($0, of: 14) })
        #expect(screen.weakestDomain?.domain == "even")
    }

    @Test func chanceAloneMakesNoDomainWeak() async throws {
        let fixture = try ProgressFixture()
        for number in 1...6 { try await fixture.answer(number, isCorrect: number != 2) }

        let screen = try #require(try await fixture.screen())

        #expect(screen.domains.map(\.right) == [3, 2])
        #expect(screen.weakestDomain == nil)
    }

    @Test func missingContentIsNamedAndItsAnswersStay() async throws {
        let fixture = try ProgressFixture()
        try await fixture.answer(1)
        try await fixture.answer(1, daysAgo: 1, bank: .placement(language: "eo"))

        let screen = try #require(try await fixture.screen())

        #expect(screen.missing.map(\.name) == ["Esperanto"])
        #expect(screen.missing.map(\.figures.answers) == [1])
        #expect(screen.subjects.map(\.name) == ["Esperanto", "Rules of int/rules"])
        #expect(screen.figures.answers == 2 && screen.figures.seen == 1)
        #expect(screen.domains.map(\.bank).sorted() == ["eo", "int/rules"])
    }

    @Test func subjectShowsItsOwnFigures() async throws {
        let fixture = try ProgressFixture(blueprints: [.rules(), .rules(id: "int/tides")])
        let tides = QuestionFilter.Bank.exam(region: "int", exam: "tides")
        for number in 1...3 { try await fixture.answer(number, daysAgo: 2) }
        try await fixture.answer(4, bank: tides)

        let all = try #require(try await fixture.screen(of: "int/unknown"))
        let rules = try #require(try await fixture.screen(of: "int/rules"))

        #expect(all.selected == nil && all.figures.seen == 4 && all.studiedDays == 2)
        #expect(rules.selected == "int/rules" && rules.figures.seen == 3)
        #expect(rules.studiedDays == 1 && rules.streak == 0)
        #expect(rules.calendar.studiedDayCount == 1)
        #expect(rules.domains.allSatisfy { $0.bank == "int/rules" })
        #expect(rules.subjects == all.subjects)
    }

    @Test func failureLeavesTheLastFigures() async throws {
        let fixture = try ProgressFixture()
        try await fixture.answer(1)
        let data = SwitchableData(fixture.userData)
        var services = fixture.services
        services.userData = data
        let model = await ProgressModel(services)
        await model.load()

        data.fails.withLock { $0 = true }
        await model.load()

        #expect(await model.problem?.code == .notSaved)
        #expect(await model.screen?.figures.seen == 1)
        data.fails.withLock { $0 = false }
        await model.load()
        #expect(await model.problem == nil)
    }
}
