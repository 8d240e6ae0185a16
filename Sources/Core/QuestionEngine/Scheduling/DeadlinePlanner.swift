/// Plans the reviews before an exam so that the marks to expect on its day are highest.
///
/// Scheduling for life keeps what is known above a threshold; before an exam the days are counted
/// and every review competes with every other. Each step gives the review, of all cards and days
/// with room left, that raises the expected marks most.
public struct DeadlinePlanner: Sendable {
    /// A card that may be in the exam.
    public struct Card: Sendable, Hashable {
        /// The question's id.
        public var id: String
        /// What is remembered; `nil` for a card that was never seen.
        public var memory: MemoryState?
        /// Whole days since its last review; 0 for a new card.
        public var daysSinceReview: Int
        /// What it is expected to bring when recalled: its marks times its chance to be asked.
        public var marks: Double

        /// Describes a card.
        public init(id: String, memory: MemoryState?, daysSinceReview: Int, marks: Double = 1) {
            self.id = id
            self.memory = memory
            self.daysSinceReview = max(0, daysSinceReview)
            self.marks = marks
        }
    }

    /// Which cards to review on which day.
    public struct Plan: Sendable, Hashable {
        /// The ids for each day, from today (0) to the day before the exam, the most valuable
        /// first.
        public var days: [[String]]
        /// The marks to expect on the exam day with this plan.
        public var expectedMarks: Double
        /// The marks to expect without any review.
        public var expectedMarksWithoutReviews: Double
    }

    /// The most reviews of one card in a plan; the tree of their outcomes doubles with each.
    public static let reviewsPerCardMax = 3
    /// The longest plan, in days.
    public static let daysMax = 365

    private let model: FSRSModel<Double>
    private let guessing: Double

    /// Prepares a planner.
    ///
    /// - Parameters:
    ///   - parameters: Of the memory model.
    ///   - guessing: The chance to be right without knowing, from 0 to 1; also for new cards.
    public init(parameters: FSRSParameters = .standard, guessing: Double = 0) {
        model = FSRSModel(parameters.values)
        self.guessing = min(max(guessing, 0), 1)
    }

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - cards: All that may be asked in the exam.
    ///   - daysToExam: Whole days from today to the exam; 0 or less gives a plan without days.
    ///   - reviewsPerDay: How many reviews a day holds.
    /// - Returns: The cards of each day and the marks to expect.
    public func plan(_ cards: [Card], daysToExam: Int, reviewsPerDay: Int) -> Plan {
        let days = min(max(daysToExam, 0), Self.daysMax)
        let idle = cards.map { value($0, reviews: [], exam: days) }
        var room = Array(repeating: max(0, reviewsPerDay), count: days)
        var plans = cards.map { _ in [Int]() }
        var values = idle
        var queue = PriorityQueue()
        for card in cards.indices {
            if let offer = best(cards[card], plans[card], values[card], room, days) {
                queue.push(Offer(card: card, day: offer.day, gain: offer.gain))
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
                queue.push(Offer(card: offer.card, day: next.day, gain: next.gain))
            }
        }
        return Plan(
            days: chosen.map { $0.sorted { $0.gain > $1.gain }.map(\.id) },
            expectedMarks: values.reduce(0, +), expectedMarksWithoutReviews: idle.reduce(0, +))
    }

    /// The day, among those with room, on which one more review raises a card's value most.
    private func best(
        _ card: Card, _ reviews: [Int], _ value: Double, _ room: [Int], _ exam: Int
    ) -> (day: Int, gain: Double)? {
        guard reviews.count < Self.reviewsPerCardMax else { return nil }
        var best: (day: Int, gain: Double)?
        for day in room.indices where room[day] > 0 && !reviews.contains(day) {
            let gain = self.value(card, reviews: (reviews + [day]).sorted(), exam: exam) - value
            if gain > 1e-12, gain > best?.gain ?? 0 { best = (day, gain) }
        }
        return best
    }

    /// The marks to expect of a card that is reviewed on those days.
    func value(_ card: Card, reviews: [Int], exam: Int) -> Double {
        let recall: Double
        if let memory = card.memory {
            recall = self.recall(
                memory.scalars, since: -card.daysSinceReview, reviews[...], exam: exam)
        } else if let first = reviews.first {
            // Who sees a card for the first time learns it: the app shows the right answer.
            recall = self.recall(
                model.initialMemory(.again), since: first, reviews.dropFirst(), exam: exam)
        } else {
            recall = 0
        }
        return card.marks * (guessing + (1 - guessing) * recall)
    }

    /// The probability to recall on the exam day, over all outcomes of the reviews before it.
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

/// One more review that a plan could hold.
private struct Offer {
    var card: Int
    var day: Int
    var gain: Double
}

/// A heap with the greatest gain on top; equal gains in the order of cards.
private struct PriorityQueue {
    private var offers: [Offer] = []

    private static func isBetter(_ left: Offer, _ right: Offer) -> Bool {
        left.gain != right.gain ? left.gain > right.gain : left.card < right.card
    }

    mutating func push(_ offer: Offer) {
        offers.append(offer)
        var child = offers.count - 1
        while child > 0, Self.isBetter(offers[child], offers[(child - 1) / 2]) {
            offers.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Offer? {
        guard let top = offers.first else { return nil }
        let last = offers.removeLast()
        guard !offers.isEmpty else { return top }
        offers[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < offers.count }
            guard let child = children.min(by: { Self.isBetter(offers[$0], offers[$1]) }),
                Self.isBetter(offers[child], offers[parent])
            else { return top }
            offers.swapAt(child, parent)
            parent = child
        }
    }
}
