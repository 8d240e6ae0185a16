import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

@Suite struct ProgressForecastTests {
    @Test func forecastNeedsTwentyAnswers() async throws {
        let fixture = try ProgressFixture()
        try await book(fixture, inDays: 21)
        for number in 1...19 { try await fixture.answer(number, daysAgo: Double(number % 3)) }

        #expect(try await fixture.screen()?.forecast == .tooFewAnswers(19))

        try await fixture.answer(20)
        guard case .ready = try await fixture.screen()?.forecast else {
            Issue.record("no forecast after 20 answers")
            return
        }
    }

    /// One evening shows neither memory nor pace.
    @Test func forecastNeedsThreeDays() async throws {
        let fixture = try ProgressFixture()
        try await book(fixture, inDays: 21)
        for number in 1...29 { try await fixture.answer(number, daysAgo: Double(number % 2)) }

        #expect(try await fixture.screen()?.forecast == .tooFewDays(2))
        #expect(try await fixture.today()?.booked.map(\.forecast) == [nil])
        let screen = try #require(try await fixture.screen())
        let words = ProgressText(
            screen, StudyFormats(words: StudyText(language: "en"), calendar: .current))
        #expect(words.whatForecastNeeds == "After 3 days of study you see a forecast.")

        try await fixture.answer(1, daysAgo: 2)
        guard case .ready = try await fixture.screen()?.forecast else {
            Issue.record("no forecast after 3 days")
            return
        }
    }

    @Test(arguments: [Reservation.Status.taken, .cancelled])
    func examThatIsOverHasNoForecast(status: Reservation.Status) async throws {
        let fixture = try await answered()
        #expect(try await fixture.screen()?.forecast == .noDate)

        try await book(fixture, inDays: 3, status: status)
        #expect(try await fixture.screen()?.forecast == .noDate)
        try await book(fixture, inDays: -1, id: "past")
        #expect(try await fixture.screen()?.forecast == .noDate)
    }

    @Test func nextExamIsForecast() async throws {
        let fixture = try await answered()
        try await book(fixture, inDays: 30, id: "later")
        try await book(fixture, inDays: 9, id: "next")

        let forecast = try #require(try await ready(fixture))

        #expect(forecast.daysLeft == 9 && forecast.passFraction == 0.8)
        #expect(forecast.questionCount == 29)
        #expect(
            forecast.course.first?.date == fixture.services.calendar.startOfDay(for: fixture.now))
        #expect(forecast.course.last?.date == forecast.examDay)
        #expect(forecast.course.map(\.date) == forecast.course.map(\.date).sorted())
        #expect(
            forecast.course.allSatisfy {
                $0.share.low <= $0.share.expected && $0.share.expected <= $0.share.high
            })
        #expect(forecast.exam.expected > forecast.withoutReviews.expected)
    }

    @Test func examDayEqualsThePlan() async throws {
        let fixture = try await answered()
        try await book(fixture, inDays: 12)
        let forecast = try #require(try await ready(fixture))

        let studied = try fixture.userData.schedules(
            of: ProgressFixture.bank, by: StudyServices.scheduler, now: fixture.now)
        let cards = (1...29).map { number in
            let schedule = studied["q\(number)"]?.schedule ?? .new
            return DeadlinePlanner.Card(
                id: "q\(number)", memory: schedule.memory,
                daysSinceReview: schedule.days(until: fixture.services.today))
        }
        let plan = DeadlinePlanner().plan(
            cards, daysToExam: 12, reviewsPerDay: forecast.reviewsPerDay)

        #expect(abs(forecast.exam.expected * 29 - plan.expectedMarks) < 1e-9)
        #expect(
            abs(forecast.withoutReviews.expected * 29 - plan.expectedMarksWithoutReviews) < 1e-9)
        let recall = cards.reduce(0) { sum, card in
            let memory = StudyServices.scheduler.memory
            return sum
                + (card.memory.map {
                    memory.retrievability(of: $0, afterDays: card.daysSinceReview)
                } ?? 0)
        }
        #expect(abs(forecast.today.expected * 29 - recall) < 1e-9)
    }

    @Test func pastEqualsWhatTheForecastSaidThen() async throws {
        let fixture = try await answered(daysAgo: 20)
        try await book(fixture, inDays: 40)
        let before = try #require(try await ready(fixture))

        fixture.clock.advance(by: .seconds(7 * 86_400))
        try await fixture.answer(25)
        let after = try #require(try await ready(fixture))

        #expect(before.past.map(\.date) == before.past.map(\.date).sorted())
        #expect(after.past.count == before.past.count + 1)
        #expect(after.past.dropLast() == before.past[...])
        let last = try #require(after.past.last)
        #expect(abs(last.share - before.today.expected) < 1e-12)
    }

    @Test func examTodayHasOneDay() async throws {
        let fixture = try await answered()
        try await book(fixture, inDays: 0)

        let forecast = try #require(try await ready(fixture))

        #expect(forecast.daysLeft == 0 && forecast.course.count == 1)
        #expect(forecast.exam == forecast.today && forecast.exam == forecast.withoutReviews)
    }

    @Test func paceIsThatOfTheLastFourWeeks() async throws {
        let fixture = try ProgressFixture()
        try await book(fixture, inDays: 5)
        for number in 1...28 {
            try await fixture.answer(number, daysAgo: 3)
            try await fixture.answer(number, daysAgo: number == 1 ? 2 : 1)
        }

        // 56 answers since three days ago, today included.
        #expect(try await ready(fixture)?.reviewsPerDay == 14)
        fixture.clock.advance(by: .seconds(26 * 86_400))
        try await book(fixture, inDays: 5, id: "again")
        #expect(try await ready(fixture)?.reviewsPerDay == 1)
    }

    private func answered(daysAgo: Double = 9) async throws -> ProgressFixture {
        let fixture = try ProgressFixture()
        for number in 1...20 {
            try await fixture.answer(
                number, isCorrect: number % 4 > 0, daysAgo: daysAgo - Double(number % 5))
        }
        return fixture
    }

    private func book(
        _ fixture: ProgressFixture, inDays days: Double, id: String = "one",
        status: Reservation.Status = .planned
    ) async throws {
        let day = ExamDate(dayOf: fixture.now + days * 86_400, in: .gmt)
        try fixture.userData.put(
            Reservation(exam: "int/rules", date: day, status: status), id: id, now: fixture.now)
    }

    private func ready(_ fixture: ProgressFixture) async throws -> ExamForecast? {
        guard case .ready(let forecast) = try await fixture.screen()?.forecast else { return nil }
        return forecast
    }
}
