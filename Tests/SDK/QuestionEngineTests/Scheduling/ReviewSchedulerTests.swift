import Foundation
import TestSupport
import Testing

@testable import QuestionEngine

@Suite struct ReviewSchedulerTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let scheduler: ReviewScheduler

    init() throws {
        scheduler = try ReviewScheduler(.rightOrWrong)
    }

    private func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }

    @Test func settingsOutOfRangeAreNamed() {
        #expect(throws: ReviewSchedulerError.retention(1.2)) {
            try ReviewScheduler(.init(retention: 1.2))
        }
        #expect(throws: ReviewSchedulerError.self) {
            try ReviewScheduler(.init(retention: .nan))
        }
        #expect(throws: ReviewSchedulerError.step(-1)) {
            try ReviewScheduler(.init(learningSteps: [60, -1]))
        }
        #expect(throws: ReviewSchedulerError.intervalDaysMax(0)) {
            try ReviewScheduler(.init(intervalDaysMax: 0))
        }
    }

    @Test func parametersOutOfBoundsAreNamed() {
        #expect(throws: FSRSParametersError.wrongCount(19)) {
            try FSRSParameters(Array(repeating: 1, count: 19))
        }
        var values = FSRSParameters.standard.values
        values[20] = .nan
        #expect(throws: FSRSParametersError.self) { try FSRSParameters(values) }
        values[20] = 0.9
        #expect(
            throws: FSRSParametersError.outOfBounds(index: 20, value: 0.9, bounds: 0.1...0.8)
        ) {
            try FSRSParameters(values)
        }
    }

    @Test func aClockThatGoesBackDoesNotChangeTheMemoryMoreThanTheSameMoment() {
        let first = scheduler.schedule(.new, after: .good, at: day(10))
        let earlier = scheduler.schedule(first, after: .good, at: day(3))
        let same = scheduler.schedule(first, after: .good, at: day(10))
        #expect(earlier.memory == same.memory && earlier.lastReview == same.lastReview)
        let before = LearningClock().day(of: day(-9))
        #expect(scheduler.retrievability(of: first, on: before) == 1)
    }

    @Test func impossibleDatesGiveAStatedValue() {
        let strange = [Double.nan, .infinity, -.infinity, 1e300]
        for seconds in strange {
            let date = Date(timeIntervalSince1970: seconds)
            let schedule = scheduler.schedule(.new, after: .good, at: day(0))
            let next = scheduler.schedule(schedule, after: .good, at: date)
            #expect(next.memory?.stability.isFinite == true)
            #expect(
                (0...1).contains(
                    scheduler.retrievability(of: schedule, on: Review(.good, at: date).day())))
        }
    }

    @Test(arguments: 0..<100)
    func replayDoesNotDependOnTheOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let reviews = (0..<20).map { _ in
            Review(
                Rating.allCases.randomElement(using: &random) ?? .good,
                at: day(Double.random(in: 0..<200, using: &random)))
        }
        let expected = scheduler.replay(reviews, now: day(300))
        #expect(
            scheduler.replay(reviews.shuffled(using: &random), now: day(300)) == expected,
            "seed \(seed)")
        #expect((expected.memory?.stability ?? 0) >= 0.001)
        #expect((1...10).contains(expected.memory?.difficulty ?? 0))
    }

    @Test func reviewsFromTheFutureCountAsMadeNow() {
        let ahead = [Review(.good, at: day(0)), Review(.good, at: day(900))]
        let now = [Review(.good, at: day(0)), Review(.good, at: day(5))]
        #expect(scheduler.replay(ahead, now: day(5)) == scheduler.replay(now, now: day(5)))
    }

    @Test(arguments: 0..<200)
    func fuzzStaysInItsBoundsAndAReplayFindsItAgain(number: Int) throws {
        let fuzzy = try ReviewScheduler(
            .init(learningSteps: [], relearningSteps: [], hasFuzz: true))
        let clock = LearningClock()
        let card = "question-\(number)"
        var reviews: [Review] = []
        var shown = CardSchedule.new
        for count in 1...6 {
            reviews.append(
                Review(.good, at: shown.dueDay.map { clock.midnight(of: $0) + 43_200 } ?? start))
            let plain = fuzzy.replay(reviews, now: .distantFuture)
            shown = fuzzy.fuzzed(plain, card: card, reviewCount: count)
            let days = plain.days(until: try #require(plain.dueDay))
            let bounds = IntervalFuzz.bounds(days: days, maximum: 36_500)
            #expect(bounds.contains(shown.days(until: try #require(shown.dueDay))), "\(card)")
            #expect(shown.memory == plain.memory && shown.lastReview == plain.lastReview)
            let replayed = fuzzy.replay(reviews.shuffled(), now: .distantFuture)
            #expect(fuzzy.fuzzed(replayed, card: card, reviewCount: count) == shown)
            #expect(scheduler.fuzzed(plain, card: card, reviewCount: count) == plain)
        }
    }

    @Test func cardsLearntTogetherSpreadOverTheirWholeBounds() {
        var counts: [Int: Int] = [:]
        for card in 0..<9_000 {
            let dueDay = IntervalFuzz.dueDay(
                of: (LearningDay(0), 50), maximum: 36_500, easyDays: .none, card: "q\(card)",
                reviewCount: 3)
            counts[dueDay.number, default: 0] += 1
        }
        #expect(counts.keys.sorted() == Array(46...54))
        #expect(counts.values.allSatisfy { (880...1_120).contains($0) }, "\(counts)")
    }

    @Test func fuzzBoundsAreThoseOfTheReference() {
        // Computed by hand from the ranges of py-fsrs: 1 + .15 * 4.5 + .1 * 13 + .05 * 30.
        #expect(IntervalFuzz.bounds(days: 50, maximum: 36_500) == 46...54)
        #expect(IntervalFuzz.bounds(days: 2, maximum: 36_500) == 2...2)
        #expect(IntervalFuzz.bounds(days: 3, maximum: 36_500) == 2...4)
        #expect(IntervalFuzz.bounds(days: 30, maximum: 30).upperBound == 30)
    }

    @Test func aLongerWaitNeverShortensTheNextInterval() {
        let first = scheduler.schedule(.new, after: .good, at: day(0))
        let waits = (1...60).map { day(Double($0)) }
        let intervals = waits.map {
            scheduler.schedule(first, after: .good, at: $0).memory?.stability ?? 0
        }
        #expect(zip(intervals, intervals.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func twoRatingsAreGoodAndAgain() {
        #expect(Rating(isCorrect: true) == .good)
        #expect(Rating(isCorrect: false) == .again)
    }
}

@Suite struct DueQueueTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private var today: LearningDay { LearningClock().day(of: now) }

    private func review(dueIn days: Int) -> CardSchedule {
        CardSchedule(
            phase: .review, step: 0, memory: MemoryState(stability: 5, difficulty: 5),
            lastReview: now - 86_400 * Double(10 - days), lastDay: today + (days - 10),
            dueDay: today + days)
    }

    private func step(dueIn seconds: Double, lastDay: Int = 0) -> CardSchedule {
        CardSchedule(
            phase: .learning, step: 0, memory: MemoryState(stability: 5, difficulty: 5),
            lastReview: now - 600 + seconds, lastDay: today + lastDay, dueMoment: now + seconds)
    }

    @Test func stepsComeFirstThenTheLeastRememberedThenNewOnes() throws {
        let scheduler = try ReviewScheduler()
        let cards: [(String, CardSchedule)] = [
            ("new1", .new), ("late", review(dueIn: -5)), ("new2", .new),
            ("fresh", review(dueIn: 0)), ("step", step(dueIn: -10)),
            ("future", review(dueIn: 3)), ("soon", step(dueIn: 500)),
        ]
        let named = cards.map { (id: $0.0, schedule: $0.1) }
        let queue = DueQueue(named, scheduler: scheduler, now: now)
        #expect(queue.cards == ["step", "late", "fresh", "new1", "new2"])
        #expect(queue.nextDue == today, "the step that is due in eight minutes")
        func limited(despite: Bool) -> DueQueue {
            DueQueue(
                named, scheduler: scheduler,
                limits: .init(newCards: 2, reviews: 1, newDespiteBacklog: despite),
                used: .init(newCards: 1, reviews: 0), now: now)
        }
        #expect(limited(despite: true).cards == ["step", "late", "new1"])
        #expect(limited(despite: false).cards == ["step", "late"])
        #expect(
            limited(despite: false).backlog
                == .init(due: 2, limit: 1, used: .init(newCards: 1, reviews: 0)))
        let known = named.filter { $0.schedule.phase != .new }
        let alone = DueQueue(known, scheduler: scheduler, limits: .init(reviews: 1), now: now)
        #expect(alone.backlog == nil, "no new card waits")
        #expect(DueQueue([], scheduler: scheduler, now: now).cards.isEmpty)
    }

    @Test func aStepIsAskedEarlyWhereNothingElseIsLeftAndAtOnceOnTheNextDay() throws {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        func asked(_ schedule: CardSchedule) -> [String] {
            DueQueue([(id: "q", schedule: schedule)], scheduler: scheduler, now: now).cards
        }
        #expect(asked(step(dueIn: 1_200)) == ["q"])
        #expect(asked(step(dueIn: 1_201)).isEmpty)
        #expect(asked(step(dueIn: 1_201, lastDay: -1)) == ["q"])
        let both = DueQueue(
            [(id: "step", schedule: step(dueIn: 60)), (id: "new", schedule: .new)],
            scheduler: scheduler, now: now)
        #expect(both.cards == ["new"])
    }
}
