import Foundation
import Testing

@testable import QuestionEngine

/// Days and schedules against the published vectors: IANA time zones, and py-fsrs 6.3.2.
@Suite struct LearningDayTests {
    private struct Vectors: Decodable {
        struct Day: Decodable {
            var note: String
            var zone: String
            var milliseconds: Int64
            var offsetMinutes: Int
            var rolloverHour: Int
            var day: Int
            var date: String
        }

        struct State: Decodable {
            var day: Int
            var elapsedDays: Int
            var retrievability: Double
            var phase: String
            var step: Int?
            var stability: Double
            var difficulty: Double
            var intervalDays: Int?
            var dueDay: Int?
            var dueMilliseconds: Int64?
        }

        struct History: Decodable {
            var note: String
            var rolloverHour: Int
            var retention: Double
            var learningSteps: [Double]
            var relearningSteps: [Double]
            var parameters: [Double]?
            var reviews: [[Int64]]
            var states: [State]
        }

        struct Clock: Decodable {
            var note: String
            var now: Int64
            var milliseconds: [Int64]
            var effective: [Int64]
        }

        var tolerance: Double
        var clocks: [Clock]
        var days: [Day]
        var histories: [History]
    }

    private let vectors: Vectors

    init() throws { vectors = try VectorFile.decode(Vectors.self, "learning_day.json") }

    private func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    @Test func daysAgree() throws {
        #expect(vectors.days.count == 25)
        for one in vectors.days {
            let note = Comment(rawValue: one.note)
            let day = LearningClock.day(
                of: date(one.milliseconds), offsetMinutes: one.offsetMinutes,
                rolloverHour: one.rolloverHour)
            #expect(day.number == one.day && day.date == one.date, note)
            #expect(LearningDay(one.date) == day, note)
            guard let zone = TimeZone(identifier: one.zone) else { continue }
            let clock = LearningClock(rolloverHour: one.rolloverHour, timeZone: zone)
            #expect(clock.offsetMinutes(at: date(one.milliseconds)) == one.offsetMinutes, note)
            #expect(clock.day(of: date(one.milliseconds)) == day, note)
        }
    }

    @Test func effectiveTimesAgree() {
        #expect(vectors.clocks.count == 6)
        for clock in vectors.clocks {
            var times = EffectiveTimes()
            let effective = clock.milliseconds.reversed().map {
                min(clock.now, times.time(of: $0, hasZone: true, isOfExam: false))
            }
            #expect(effective.reversed() == clock.effective, Comment(rawValue: clock.note))
        }
    }

    @Test func someAnswersSayNothingOfThoseBeforeThem() {
        let noon = 1_796_151_600_000 as Int64
        var times = EffectiveTimes(before: noon)
        #expect(times.time(of: noon - 9, hasZone: false, isOfExam: false) == noon - 9)
        #expect(times.time(of: noon + 9, hasZone: false, isOfExam: false) == noon + 9)
        #expect(times.time(of: noon - 8, hasZone: true, isOfExam: true) == noon - 8)
        #expect(times.time(of: noon + 8, hasZone: true, isOfExam: true) == noon)
        #expect(times.time(of: 7, hasZone: true, isOfExam: false) == 7)
        #expect(times.least == noon)
    }

    @Test func historiesAgreeReviewByReview() throws {
        var count = 0
        for history in vectors.histories {
            let scheduler = try ReviewScheduler(
                .init(
                    retention: history.retention, learningSteps: history.learningSteps,
                    relearningSteps: history.relearningSteps, rolloverHour: history.rolloverHour),
                parameters: try history.parameters.map { try FSRSParameters($0) } ?? .standard)
            var schedule = CardSchedule.new
            for (review, state) in zip(history.reviews, history.states) {
                let note = Comment(rawValue: "\(history.note), day \(state.day)")
                let rating = try #require(Rating(rawValue: Int(review[0])))
                let made = Review(
                    rating, at: date(review[1]), offsetMinutes: Int(review[2]))
                let day = made.day(rolloverHour: history.rolloverHour)
                #expect(day.number == state.day, note)
                #expect(schedule.days(until: day) == state.elapsedDays, note)
                let recall = scheduler.retrievability(of: schedule, on: day)
                #expect(isNear(recall, state.retrievability, absolute: vectors.tolerance), note)
                schedule = scheduler.schedule(schedule, after: made)
                expect(schedule, state, note)
                count += 1
            }
            let reviews = history.reviews.map {
                Review(
                    Rating(rawValue: Int($0[0])) ?? .good, at: date($0[1]),
                    offsetMinutes: Int($0[2]))
            }
            #expect(
                scheduler.replay(reviews, now: .distantFuture) == schedule,
                Comment(rawValue: history.note))
        }
        #expect(count == 158)
    }

    private func expect(_ schedule: CardSchedule, _ state: Vectors.State, _ note: Comment) {
        let memory = schedule.memory ?? MemoryState(stability: 0, difficulty: 0)
        #expect(isNear(memory.stability, state.stability, relative: vectors.tolerance), note)
        #expect(isNear(memory.difficulty, state.difficulty, absolute: vectors.tolerance), note)
        #expect(schedule.phase.rawValue == state.phase, note)
        if let step = state.step { #expect(schedule.step == step, note) }
        #expect(schedule.dueDay?.number == state.dueDay, note)
        #expect(schedule.dueMoment?.wholeMilliseconds == state.dueMilliseconds, note)
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "GMT",
    ])
    func aDayEndsWhereALaterOneBegins(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        for rollover in [0, 2, 3, 4, 23] {
            let clock = LearningClock(rolloverHour: rollover, timeZone: zone)
            for number in 20_500..<20_900 {
                let day = LearningDay(number)
                let end = clock.end(of: day)
                #expect(clock.day(of: end) > day, "\(day.date) \(rollover)")
                #expect(clock.day(of: end - 0.001) <= day, "\(day.date) \(rollover)")
                #expect(abs(clock.end(of: day + 1).timeIntervalSince(end) - 86_400) <= 3_600)
            }
        }
    }

    @Test func datesAreThoseOfTheCalendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for number in stride(from: -700_000, to: 2_900_000, by: 9_973) {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            let text = LearningDay(number).date
            // Before 1582 Foundation counts as Caesar did.
            guard number > -141_427 else { continue }
            #expect(
                text.split(separator: "-").compactMap { Int($0) }
                    == [parts.year, parts.month, parts.day].compactMap(\.self))
            #expect(LearningDay(text)?.number == number)
        }
        for text in ["", "2026-13-01", "2026-02-29", "2026-1-01", "2026-01-01Z", "-026-01-01", "a"]
        {
            #expect(LearningDay(text) == nil, "\(text)")
        }
    }

    /// Who comes ten minutes sooner each day is asked what is due, and new questions.
    @Test func comingSoonerEachDayAsksNothingTooOften() throws {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        var cards: [String: CardSchedule] = [:]
        let start = Date(timeIntervalSince1970: 1_800_043_200)
        var asked: [[String]] = []
        for day in 0..<10 {
            var now = start + Double(day) * (86_400 - 600)
            let ids = (0..<400).map { "q\($0)" }
            let used = DueQueue.Usage()
            let queue = DueQueue(
                ids.map { (id: $0, schedule: cards[$0] ?? .new) }, scheduler: scheduler,
                limits: .init(newCards: 20), used: used, now: now, timeZone: .gmt)
            asked.append(queue.cards)
            for id in queue.cards {
                now += 5
                let isFirst = day == 0
                let review = Review(isFirst ? .again : .good, at: now, offsetMinutes: 0)
                cards[id] = scheduler.schedule(cards[id] ?? .new, after: review)
            }
        }
        #expect(asked.allSatisfy { Set($0).count == $0.count })
        let first = Set(asked[0])
        let again = asked.map { $0.count { first.contains($0) } }
        #expect(again[0] == 20 && again[1] == 20, "the step that nobody took")
        #expect(again.reduce(0, +) <= 80, "\(again)")
        #expect(asked.allSatisfy { $0.contains { !first.contains($0) } || $0.count == 20 })
    }
}
