import Foundation
import Testing

@testable import QuestionEngine

/// Allowance, spread, lapses and setting aside against the published vectors.
@Suite struct LearningRuleTests {
    private struct Vectors: Decodable {
        struct Allowance: Decodable {
            var newLimit: Int
            var reviewLimit: Int
            var usedNew: Int
            var usedReviews: Int
            var dueReviews: Int
            var extraNew: Int
            var reviews: Int
            var new: Int
        }

        struct Spread: Decodable {
            var lastDay: Int
            var intervalDays: Int
            var card: String
            var reviewCount: Int
            var easyDays: EasyDays
            var bounds: [Int]
            var dueDay: Int
        }

        struct Answer: Decodable {
            var day: Int
            var isRight: Bool

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                day = try list.decode(Int.self)
                isRight = try list.decode(Bool.self)
            }
        }

        struct Lapses: Decodable {
            var answers: [Answer]
            var lapses: Int
        }

        struct Leech: Decodable {
            var threshold: Int
            var saidAt: [Int]
        }

        var allowance: [Allowance]
        var spread: [Spread]
        var lapses: [Lapses]
        var leeches: [Leech]
    }

    private let vectors: Vectors

    init() throws { vectors = try VectorFile.decode(Vectors.self, "learning_day.json") }

    @Test func allowancesAgree() {
        #expect(vectors.allowance.count == 11)
        for one in vectors.allowance {
            let allowance = DailyAllowance(
                due: one.dueReviews,
                limits: .init(
                    newCards: one.newLimit, reviews: one.reviewLimit, extraNew: one.extraNew),
                used: .init(newCards: one.usedNew, reviews: one.usedReviews))
            #expect(allowance.reviews == one.reviews && allowance.new == one.new, "\(one)")
        }
    }

    @Test func aBacklogHoldsNewCardsBackUnlessTheLearnerChoseOtherwise() {
        var limits = DueQueue.Limits(newCards: 20, reviews: 200)
        let used = DueQueue.Usage(newCards: 5, reviews: 60)
        #expect(
            DailyAllowance(due: 170, limits: limits, used: used).backlog
                == .init(due: 230, limit: 200, used: used))
        #expect(DailyAllowance(due: 139, limits: limits, used: used).backlog == nil)
        #expect(
            DailyAllowance(due: 170, limits: limits, used: .init(newCards: 20)).backlog == nil)
        limits.newDespiteBacklog = true
        let despite = DailyAllowance(due: 170, limits: limits, used: used)
        #expect(despite.new == 15 && despite.reviews == 140 && despite.backlog == nil)
    }

    /// Whatever is answered first, a day has as many reviews and new cards as its limits.
    @Test func newCardsUseUpTheRoomThatReviewsLeave() {
        let limits = DueQueue.Limits(newCards: 20, reviews: 22)
        let evening = [(0, 0, 2), (1, 0, 1), (2, 0, 0), (2, 7, 0), (0, 20, 2), (2, 20, 0)]
        for (usedNew, usedReviews, new) in evening {
            let allowance = DailyAllowance(
                due: 20 - usedReviews, limits: limits,
                used: .init(newCards: usedNew, reviews: usedReviews))
            #expect(allowance.new == new && allowance.reviews == 20 - usedReviews)
            #expect(allowance.backlog == nil, "the day's new cards were asked")
        }
    }

    @Test func spreadsAgree() throws {
        #expect(vectors.spread.count == 16)
        for one in vectors.spread {
            let scheduler = try ReviewScheduler(.init(hasFuzz: true, easyDays: one.easyDays))
            let last = LearningDay(one.lastDay)
            let bounds = IntervalFuzz.bounds(days: one.intervalDays, maximum: 36_500)
            #expect([bounds.lowerBound, bounds.upperBound] == one.bounds, "\(one)")
            let plain = CardSchedule(
                phase: .review, step: 0, lastDay: last, dueDay: last + one.intervalDays)
            let spread = scheduler.fuzzed(plain, card: one.card, reviewCount: one.reviewCount)
            #expect(spread.dueDay?.number == one.dueDay, "\(one)")
        }
    }

    @Test func dueDaysAreAsFrequentAsTheirWeights() throws {
        let days = try #require(EasyDays([100, 50, 0, 100, 100, 100, 100]))
        var counts: [Int: Int] = [:]
        // From Monday, 30 November 2026.
        let monday = LearningDay(20_787)
        for number in 0..<2_500 as Range<UInt64> {
            counts[days.day(at: number, from: monday, count: 4) - monday, default: 0] += 1
        }
        #expect(counts == [0: 1_000, 1: 500, 3: 1_000])
        let closed = try #require(EasyDays([0, 0, 0, 0, 0, 0, 0]))
        #expect(
            Set((0..<200).map { closed.day(at: $0, from: monday, count: 2) - monday }) == [0, 1])
        #expect(closed.weight(of: LearningDay(-5)) == 0)
        #expect(days.weight(of: LearningDay(-1)) == 0, "31 December 1969 was a Wednesday")
        #expect(EasyDays([100]) == nil && EasyDays([1, 2, 3, 4, 5, 6, 7]) == nil)
    }

    @Test func lapsesAgree() throws {
        #expect(vectors.lapses.count == 5)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        for one in vectors.lapses {
            let reviews = one.answers.enumerated().map { place, answer in
                Review(
                    Rating(isCorrect: answer.isRight),
                    at: Date(
                        timeIntervalSince1970: Double(answer.day) * 86_400 + 43_200 + Double(place)),
                    offsetMinutes: 0)
            }
            #expect(scheduler.replay(reviews, now: .distantFuture).lapses == one.lapses, "\(one)")
        }
    }

    @Test func questionsAreSetAsideAtTheStepsOfTheRule() {
        #expect(vectors.leeches.count == 4)
        for leech in vectors.leeches {
            let rule = LapseRule(limit: leech.threshold)
            var known: Int?
            var said: [Int] = []
            for lapses in 0...(leech.saidAt.last ?? 0)
            where rule.setsAside(at: lapses, known: known) {
                said.append(lapses)
                known = lapses
            }
            #expect(said == leech.saidAt, "\(leech)")
        }
        #expect(LapseRule(limit: 0).step(reachedBy: 99) == nil)
        #expect(LapseRule(limit: 8).setsAside(at: 13, known: 11))
        #expect(!LapseRule(limit: 8).setsAside(at: 13, known: 12))
    }
}
