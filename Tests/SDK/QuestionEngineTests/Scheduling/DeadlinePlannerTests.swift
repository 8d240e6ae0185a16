import Foundation
import TestSupport
import Testing

@testable import QuestionEngine

@Suite struct DeadlinePlannerTests {
    private func cards(_ count: Int, seed: UInt64) -> [DeadlinePlanner.Card] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let isNew = Int.random(in: 0..<4, using: &random) == 0
            let memory = MemoryState(
                stability: .random(in: 0.5...60, using: &random),
                difficulty: .random(in: 1...10, using: &random))
            return DeadlinePlanner.Card(
                id: "q\(number)", memory: isNew ? nil : memory,
                daysSinceReview: isNew ? 0 : Int.random(in: 0..<30, using: &random),
                marks: .random(in: 0.5...3, using: &random))
        }
    }

    /// Every plan of one review a day for three cards and three days, against the planner's.
    @Test(arguments: 0..<40)
    func smallPlansAreCloseToTheBest(seed: UInt64) {
        let cards = cards(3, seed: seed)
        let planner = DeadlinePlanner()
        let plan = planner.plan(cards, daysToExam: 3, reviewsPerDay: 1)
        var best = 0.0
        for code in 0..<64 {
            let choice = [code & 3, (code >> 2) & 3, (code >> 4) & 3]
            let marks = cards.indices.reduce(0) { sum, card in
                let days = choice.indices.filter { choice[$0] == card }
                return sum + planner.value(cards[card], reviews: days, exam: 3)
            }
            best = max(best, marks)
        }
        let gain = best - plan.expectedMarksWithoutReviews
        #expect(
            plan.expectedMarks >= plan.expectedMarksWithoutReviews + 0.9 * gain, "seed \(seed)")
        #expect(plan.expectedMarks <= best + 1e-9, "seed \(seed)")
    }

    @Test(arguments: 0..<10)
    func itBeatsReviewingWhateverIsLeastRemembered(seed: UInt64) {
        let cards = cards(60, seed: seed)
        let planner = DeadlinePlanner()
        let plan = planner.plan(cards, daysToExam: 7, reviewsPerDay: 5)
        #expect(plan.days.count == 7)
        #expect(plan.days.allSatisfy { $0.count <= 5 && Set($0).count == $0.count })
        let model = FSRS()
        let order = cards.indices.sorted { left, right in
            func recall(_ card: DeadlinePlanner.Card) -> Double {
                card.memory.map {
                    model.retrievability(of: $0, afterDays: card.daysSinceReview)
                } ?? 0
            }
            return recall(cards[left]) < recall(cards[right])
        }
        let plain = order.enumerated().reduce(0.0) { sum, entry in
            let days = entry.offset < 35 ? [entry.offset / 5] : []
            return sum + planner.value(cards[entry.element], reviews: days, exam: 7)
        }
        #expect(plan.expectedMarks > plain, "seed \(seed)")
    }

    @Test func expectedMarksAreThoseOfThePlan() {
        let cards = cards(12, seed: 5)
        let planner = DeadlinePlanner(guessing: 0.25)
        let plan = planner.plan(cards, daysToExam: 5, reviewsPerDay: 3)
        let marks = cards.reduce(0) { sum, card in
            let days = plan.days.indices.filter { plan.days[$0].contains(card.id) }
            return sum + planner.value(card, reviews: days, exam: 5)
        }
        #expect(isNear(plan.expectedMarks, marks, absolute: 1e-9))
    }

    @Test func aCardThatWasAnsweredTodayWaitsForTomorrow() {
        let memory = MemoryState(stability: 0.5, difficulty: 8)
        let cards = [
            DeadlinePlanner.Card(id: "today", memory: memory, daysSinceReview: 0),
            DeadlinePlanner.Card(id: "before", memory: memory, daysSinceReview: 1),
        ]
        let plan = DeadlinePlanner().plan(cards, daysToExam: 2, reviewsPerDay: 2)
        #expect(plan.days[0] == ["before"])
        #expect(Set(plan.days[1]) == ["today", "before"])
    }

    @Test func theRestOfTodayHasRoomForTheRestOfThePlan() {
        let planner = DeadlinePlanner()
        let cards = cards(9, seed: 2)
        let plan = planner.plan(cards, daysToExam: 2, reviewsPerDay: 3, usedToday: 2)
        #expect(plan.days.map(\.count) == [1, 3])
        let over = planner.plan(cards, daysToExam: 2, reviewsPerDay: 3, usedToday: 7)
        #expect(over.days.map(\.count) == [0, 3])
    }

    @Test func aCardThatWasSetAsideCountsByItsPresentMemory() {
        let planner = DeadlinePlanner()
        var cards = cards(2, seed: 4)
        cards[0].isSetAside = true
        let plan = planner.plan(cards, daysToExam: 4, reviewsPerDay: 5)
        #expect(!plan.days.joined().contains("q0") && plan.days.joined().contains("q1"))
        let alone = planner.plan([cards[1]], daysToExam: 4, reviewsPerDay: 5)
        let kept = planner.value(cards[0], reviews: [], exam: 4)
        #expect(isNear(plan.expectedMarks, alone.expectedMarks + kept, absolute: 1e-9))
    }

    @Test func nothingToPlanIsAnEmptyPlan() {
        let planner = DeadlinePlanner()
        #expect(planner.plan([], daysToExam: 5, reviewsPerDay: 3).expectedMarks == 0)
        #expect(planner.plan(cards(3, seed: 1), daysToExam: -2, reviewsPerDay: 3).days.isEmpty)
        let closed = planner.plan(cards(3, seed: 1), daysToExam: 2, reviewsPerDay: -4)
        #expect(closed.days == [[], []])
        #expect(closed.expectedMarks == closed.expectedMarksWithoutReviews)
    }
}
