import Foundation
import Testing
import Underway

@testable import StudyModel

/// The forecast of Today and of Progress, and how often it is computed.
@Suite struct ProgressForecastCacheTests {
    @Test func todayShowsTheForecastOfProgress() async throws {
        let fixture = try await booked(answers: 20)

        let exam = try #require(try await fixture.today()?.booked.first)
        let forecast = try #require(exam.forecast)

        #expect(try await fixture.screen()?.forecast == .ready(forecast))
        #expect(forecast.daysLeft == 9)
        try await fixture.answer(3)
        let later = try #require(try await fixture.today()?.booked.first?.forecast)
        #expect(later.exam.expected > forecast.exam.expected)
        #expect(try await fixture.screen()?.forecast == .ready(later))
    }

    @Test func aFitOfTheMemoryModelChangesTheForecast() async throws {
        let fixture = try await booked(answers: 20)
        let before = try #require(try await fixture.today()?.booked.first?.forecast)
        var values = FSRSParameters.standard.values
        // Less is remembered after the first answer.
        for place in 0..<4 { values[place] /= 20 }
        var record = MemoryRecord(
            candidate: try FSRSParameters(values), through: fixture.now, reviewCount: 600)
        record.parameters = values
        try fixture.userData.put(record, id: MemoryRecord.recordID, now: fixture.now)
        let after = try #require(try await fixture.today()?.booked.first?.forecast)
        #expect(after != before)
    }

    @Test func todayHasNoForecastOfFewAnswersOrAnExamThatWasTaken() async throws {
        let few = try await booked(answers: 19)
        #expect(try await few.today()?.booked.map(\.forecast) == [nil])

        let taken = try await booked(answers: 20, status: .taken)
        #expect(try await taken.today()?.booked.isEmpty == true)
    }

    @Test func forecastIsComputedOnceUntilSomethingChanges() async throws {
        let fixture = try await booked(answers: 20)
        let cache = ForecastCache()
        let key = key(fixture)
        var computed = 0
        func ask(_ key: ForecastCache.Key) async throws {
            guard cache.forecast(key) == nil else { return }
            computed += 1
            cache.keep(try await forecast(fixture), for: key)
        }

        try await ask(key)
        try await ask(key)
        #expect(computed == 1)

        var changes = Array(repeating: key, count: 7)
        changes[0].answers[0].correct += 1
        changes[1].today = key.today + 1
        changes[2].examDay = key.examDay + 1
        changes[3].questions.removeLast()
        changes[4].scoring.passFraction = 0.5
        // Two users of the device may have equal counts.
        changes[5].user = "two"
        changes[6].parameters[0] += 0.1
        for change in changes { try await ask(change) }
        #expect(computed == 8)
    }

    @Test func aLargePlanIsThatOfASampleAtTheSamePartOfThePace() {
        let most = ExamForecast.planSizeMax
        #expect(ExamForecast.stride(questions: most / 60, days: 60, pace: 20) == 1)
        #expect(ExamForecast.stride(questions: most / 60, days: 61, pace: 20) == 2)
        #expect(ExamForecast.stride(questions: 5000, days: 365, pace: 60) == 7)
        // A slow learner's pace has no smaller part.
        #expect(ExamForecast.stride(questions: 5000, days: 365, pace: 3) == 3)
        #expect(ExamForecast.stride(questions: 0, days: 0, pace: 1) == 1)
    }

    @Test func theOldestForecastIsDropped() async throws {
        let fixture = try await booked(answers: 20)
        let cache = ForecastCache()
        var computed: [String] = []
        for number in (0...ForecastCache.countMax).map(\.self) + [1, 0] {
            var key = key(fixture)
            key.bank = "int/\(number)"
            guard cache.forecast(key) == nil else { continue }
            computed.append(key.bank)
            cache.keep(try await forecast(fixture), for: key)
        }

        #expect(computed == (0...ForecastCache.countMax).map { "int/\($0)" } + ["int/0"])
    }

    private func key(_ fixture: ProgressFixture) -> ForecastCache.Key {
        ForecastCache.Key(
            user: "one", bank: "int/rules", questions: ["q1", "q2"],
            scoring: Scoring(passFraction: 0.8),
            answers: [.init(name: "odd", bank: "int/rules", answers: 9, correct: 8, questions: 9)],
            examDay: fixture.services.today + 9, today: fixture.services.today,
            parameters: FSRSParameters.standard.values)
    }

    private func forecast(_ fixture: ProgressFixture) async throws -> ExamForecast {
        ExamForecast(
            .rules(), cards: [:], answers: [], examDay: fixture.services.today,
            now: fixture.now, clock: fixture.services.days, scheduler: StudyServices.scheduler)
    }

    private func booked(
        answers: Int, status: Reservation.Status = .booked
    ) async throws -> ProgressFixture {
        let fixture = try ProgressFixture()
        for number in 1...answers {
            try await fixture.answer(
                number, isCorrect: number % 3 > 0, daysAgo: Double(number % 7) + 1)
        }
        let day = ExamDate(dayOf: fixture.now + 9 * ProgressFixture.day, in: .gmt)
        try fixture.userData.put(
            Reservation(exam: "int/rules", date: day, status: status), id: "one", now: fixture.now)
        return fixture
    }
}
