/// A planner of the reviews before an exam that maximises the expected marks on its day.
///
/// Scheduling for life maintains memories above a threshold. Before an exam the days are limited, and every review
/// competes with every other. Each step adds the review, over all cards and days with capacity, that raises the
/// expected marks most.
///
/// ```swift
/// let cards = (1...3).map { DeadlinePlanner.Card(id: "q\($0)", memory: nil, daysSinceReview: 0) }
/// let plan = DeadlinePlanner(guessing: 0.25).plan(cards, daysToExam: 7, reviewsPerDay: 2)
/// print(plan.days.first ?? [], plan.expectedMarks)
/// ```
public struct DeadlinePlanner: Sendable {
    /// A card with a question of the exam.
    public struct Card: Sendable, Hashable, Codable, Identifiable {
        /// The question's id.
        public var id: String
        /// The memory state; `nil` for a card that was never reviewed.
        public var memory: MemoryState?
        /// The learner's days since its last review; 0 for a new card.
        public var daysSinceReview: Int
        /// True for a card that is not asked: it counts by its present memory.
        public var isSetAside: Bool
        /// The first day, from today (0), on which it may be reviewed: 1 for a card that was answered today.
        public var firstDay: Int
        /// The expected marks when it is recalled: its marks times the probability that it is asked.
        public var marks: Double

        /// Creates a card.
        public init(
            id: String, memory: MemoryState?, daysSinceReview: Int, marks: Double = 1,
            isSetAside: Bool = false
        ) {
            self.id = id
            self.memory = memory
            self.daysSinceReview = max(0, daysSinceReview)
            self.marks = marks
            self.isSetAside = isSetAside
            firstDay = memory != nil && daysSinceReview <= 0 ? 1 : 0
        }
    }

    /// The cards to review on each day.
    public struct Plan: Sendable, Hashable, Codable {
        /// The ids for each day, from today (0) to the day before the exam, the most valuable
        /// first.
        public var days: [[String]]
        /// The expected marks on the exam day with this plan.
        public var expectedMarks: Double
        /// The expected marks without any review.
        public var expectedMarksWithoutReviews: Double
    }

    /// The maximum number of reviews of one card in a plan; each doubles the tree of their outcomes.
    public static let reviewsPerCardMax = 3
    /// The maximum length of a plan, in days.
    public static let daysMax = 365

    /// The maximum time since a review: ten thousand years, which no calendar exceeds.
    private static let daysSinceReviewMax = 4_000_000

    private let model: FSRSModel<Double>
    private let guessing: Double

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the memory model.
    ///   - guessing: The probability of a right answer without knowledge, from 0 to 1; also for new cards.
    public init(parameters: FSRSParameters = .standard, guessing: Double = 0) {
        model = FSRSModel(parameters.values)
        self.guessing = min(max(guessing, 0), 1)
    }

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - cards: All cards with questions of the exam.
    ///   - daysToExam: The learner's days from today to the exam; 0 or less gives a plan without days.
    ///   - reviewsPerDay: The capacity of a day.
    ///   - usedToday: The number of cards that were studied today; a second session continues the plan of the day.
    /// - Returns: The cards of each day and the expected marks.
    public func plan(
        _ cards: [Card], daysToExam: Int, reviewsPerDay: Int, usedToday: Int = 0
    ) -> Plan {
        let days = min(max(daysToExam, 0), Self.daysMax)
        let idle = cards.map { value($0, reviews: [], exam: days) }
        var room = Array(repeating: max(0, reviewsPerDay), count: days)
        if days > 0 { room[0] = max(0, room[0] - max(0, usedToday)) }
        var plans = cards.map { _ in [Int]() }
        var values = idle
        var queue = PlanOffers()
        for card in cards.indices {
            if let offer = best(cards[card], plans[card], values[card], room, days) {
                queue.push(PlanOffer(card: card, day: offer.day, gain: offer.gain))
            }
        }
        var chosen = Array(repeating: [(id: String, gain: Double)](), count: days)
        while let offer = queue.pop() {
            let card = cards[offer.card]
            let isOpen = room[offer.day] > 0
            if isOpen {
                room[offer.day] -= 1
                plans[offer.card] = (plans[offer.card] + [offer.day]).sorted()
                values[offer.card] += offer.gain
                chosen[offer.day].append((card.id, offer.gain))
            }
            if let next = best(card, plans[offer.card], values[offer.card], room, days) {
                queue.push(PlanOffer(card: offer.card, day: next.day, gain: next.gain))
            }
        }
        return Plan(
            days: chosen.map { $0.sorted { $0.gain > $1.gain }.map(\.id) },
            expectedMarks: values.reduce(0, +), expectedMarksWithoutReviews: idle.reduce(0, +))
    }

    /// Returns the day, among those with capacity, on which one more review raises a card's value
    /// most.
    private func best(
        _ card: Card, _ reviews: [Int], _ value: Double, _ room: [Int], _ exam: Int
    ) -> (day: Int, gain: Double)? {
        guard reviews.count < Self.reviewsPerCardMax, !card.isSetAside else { return nil }
        var best: (day: Int, gain: Double)?
        for day in room.indices.dropFirst(max(0, card.firstDay))
        where room[day] > 0 && !reviews.contains(day) {
            let gain = self.value(card, reviews: (reviews + [day]).sorted(), exam: exam) - value
            if gain > 1e-12, gain > best?.gain ?? 0 { best = (day, gain) }
        }
        return best
    }

    /// Returns the expected marks of a card on the day `exam` when it is reviewed on those days.
    ///
    /// Days count from today (0). A review attempts a recall, so the value is the mean over the outcomes of all
    /// reviews; its cost doubles with each.
    /// - Parameters:
    ///   - card: The card.
    ///   - reviews: The days of its reviews, ascending, all before `exam`.
    ///   - exam: The day of the exam.
    /// - Returns: The marks, from those of guessing to all of the card's.
    public func value(_ card: Card, reviews: [Int], exam: Int) -> Double {
        let recall: Double
        if let memory = card.memory?.scalars {
            recall = self.recall(
                memory, since: -min(max(card.daysSinceReview, 0), Self.daysSinceReviewMax),
                reviews[...], exam: exam)
        } else if let first = reviews.first {
            // The first exposure teaches the card: the app shows the right answer.
            recall = self.recall(
                model.initialMemory(.again), since: first, reviews.dropFirst(), exam: exam)
        } else {
            recall = 0
        }
        return card.marks * (guessing + (1 - guessing) * recall)
    }

    /// Returns the probability of recall on the exam day, over all outcomes of the reviews before
    /// it.
    private func recall(
        _ memory: FSRSMemory<Double>, since last: Int, _ reviews: ArraySlice<Int>, exam: Int
    ) -> Double {
        guard let day = reviews.first else {
            return model.retrievability(days: exam - last, stability: memory.stability)
        }
        let days = day - last
        let now = model.retrievability(days: days, stability: memory.stability)
        let outcomes: [(Rating, Double)] = [(.good, now), (.again, 1 - now)]
        return outcomes.reduce(0) { sum, outcome in
            guard outcome.1 > 0 else { return sum }
            let next = model.memory(after: outcome.0, memory, days: days, retrievability: now)
            let rest = recall(next, since: day, reviews.dropFirst(), exam: exam)
            return sum + outcome.1 * rest
        }
    }
}
