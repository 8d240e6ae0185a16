import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

/// Thirty evenings of a learner: what is asked follows from the learner's days, not from hours.
@Suite struct EveningTests {
    /// Evenings at the same minute, with a bank that is seen to its end.
    private static let plain = Task { try await thirty(.sameMinute, questions: 61) }

    /// Twenty questions are answered wrong on the first evening, and all are right since.
    private static func thirty(
        _ evenings: Evenings, questions: Int
    ) async throws -> [EveningLearner.Evening] {
        var learner = try EveningLearner(questions: questions)
        for number in 0..<Evenings.count {
            let (date, zone) = evenings.moment(number)
            learner.come(at: date)
            #expect(learner.services(in: zone).today == evenings.first + number)
            try await learner.study(in: zone, isRight: number > 0)
        }
        return learner.evenings
    }

    @Test func whatWasWrongComesBackInGrowingIntervals() async throws {
        let evenings = try await Self.thirty(.tenMinutesSooner, questions: 261)
        let first = evenings[0].new
        #expect(first.count == 20)
        let again = evenings.indices.filter { !evenings[$0].reviews.isDisjoint(with: first) }
        #expect(again == [1, 3, 9, 27], "\(again)")
        // Whatever is asked is one of the questions that Today counted; it counts nothing before the first session.
        for (number, evening) in evenings.enumerated().dropFirst() {
            let asked = evening.reviews.count + evening.new.count
            #expect(asked == min(20, evening.dueBefore), "evening \(number)")
            #expect(evening.dueAfter == evening.dueBefore - asked, "evening \(number)")
        }
        #expect(evenings.filter { !$0.new.isEmpty }.count == 11)
    }

    /// A step, then days: the memory and the queue agree on how many have passed.
    @Test(arguments: Evenings.allCases.dropFirst())
    func theHourTheZoneAndTheClocksChangeNothing(evenings: Evenings) async throws {
        let plain = try await Self.plain.value
        let these = try await Self.thirty(evenings, questions: 61)
        #expect(plain.reduce(0) { $0 + $1.new.count } == 60)
        for number in plain.indices {
            #expect(these[number] == plain[number], "evening \(number)")
        }
    }

    @Test func aDayBeginsAtFour() async throws {
        var learner = try EveningLearner(questions: 21)
        let (zone, day) = (TimeZone.gmt, Evenings.sameMinute.first)
        learner.come(at: zone.moment(day, minutes: 23 * 60))
        try await learner.study(in: zone, isRight: true)
        let services = learner.services(in: zone)
        let due = try #require(
            try learner.fixture.userData.schedules(
                of: ProgressFixture.bank, by: StudyServices.scheduler, now: learner.fixture.now
            )["q1"]?.schedule.dueDay)
        learner.come(at: zone.moment(due, minutes: 240) - 1)
        #expect(try await learner.due(services) == 0)
        #expect(try await learner.session(services, isRight: true).isEmpty)
        learner.come(at: zone.moment(due, minutes: 240))
        #expect(try await learner.due(services) == 20)
        #expect(try await learner.session(services, isRight: true).count == 20)
    }

    /// "Tomorrow" is the day after the date in the heading, after midnight, too.
    @Test(arguments: [(20 * 60, 0), (25 * 60 + 30, 0), (28 * 60, 1)])
    func theHeadingHasTheDateOfTheLearnersDay(minutes: Int, later: Int) async throws {
        let learner = try EveningLearner(questions: 4)
        let (zone, day) = (TimeZone.gmt, Evenings.sameMinute.first)
        learner.come(at: zone.moment(day, minutes: minutes))
        let model = await TodayModel(learner.services(in: zone))
        await model.load()
        let shown = try #require(await model.screen).day
        #expect(LearningClock(rolloverHour: 0, timeZone: zone).day(of: shown) == day + later)
    }

    @Test func whatIsWrongComesAgainInTenMinutesOrOnTheNextDay() async throws {
        let learner = try EveningLearner(questions: 4)
        let zone = TimeZone.gmt
        let services = learner.services(in: zone)
        learner.come(at: zone.moment(Evenings.sameMinute.first, minutes: 27 * 60 + 50))
        let asked = try await learner.session(services, isRight: false, leavingRepeats: true)
        #expect(asked == ["q1", "q2", "q3"])
        // Nothing else is left: the step is asked early.
        #expect(try await learner.due(services) == 3)
        learner.fixture.clock.advance(by: .seconds(9 * 60))
        #expect(learner.services(in: zone).today == Evenings.sameMinute.first)
        // After the rollover nobody waits for the ten minutes.
        learner.fixture.clock.advance(by: .seconds(50))
        #expect(services.today == Evenings.sameMinute.first + 1)
        #expect(try await learner.session(services, isRight: true) == ["q1", "q2", "q3"])
        let studied = try learner.fixture.userData.schedules(
            of: ProgressFixture.bank, by: StudyServices.scheduler, now: learner.fixture.now)
        for id in ["q1", "q2", "q3"] {
            #expect(studied[id]?.schedule.phase == .review)
            #expect(studied[id]?.schedule.dueDay == services.today + 2, "one day had passed")
        }
    }

    /// Who flies west over the date line lives a date twice: cards wait for their day, and nothing is asked again.
    @Test func aDateThatComesTwiceAsksNothingTwice() async throws {
        var learner = try EveningLearner(questions: 200)
        let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
        let angeles = try #require(TimeZone(identifier: "America/Los_Angeles"))
        let day = Evenings.sameMinute.first
        learner.come(at: auckland.moment(day, minutes: 600))
        try await learner.study(in: auckland, isRight: true)
        learner.come(at: angeles.moment(day + -1, minutes: 20 * 60))
        #expect(learner.services(in: angeles).today == day + -1)
        try await learner.study(in: angeles, isRight: true)
        #expect(learner.evenings[1].reviews.isEmpty)
        #expect(learner.evenings[0].new.isDisjoint(with: learner.evenings[1].new))
        let studied = try learner.fixture.userData.schedules(
            of: ProgressFixture.bank, by: StudyServices.scheduler, now: learner.fixture.now)
        let days = Set(studied.values.compactMap(\.schedule.lastDay))
        #expect(days == [day, day + -1])
        #expect(
            try learner.fixture.userData.verifySchedules(
                of: ProgressFixture.bank, by: StudyServices.scheduler, now: learner.fixture.now
            ).differences == [])
    }
}
