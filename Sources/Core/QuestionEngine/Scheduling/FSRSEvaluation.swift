import Foundation

/// How well parameters foretell what learners recalled.
public struct FSRSEvaluation: Sendable, Hashable {
    /// The mean of `-ln p` of what happened, in nats; 0 where no review counts.
    public var logLoss: Double
    /// How many reviews counted.
    public var reviewCount: Int

    /// Replays each card from empty and scores what was foretold.
    ///
    /// Only reviews at least one whole day after the previous one of that card count; foretold is
    /// the retrievability before the review, recalled is every rating above again.
    /// - Parameters:
    ///   - parameters: What to judge.
    ///   - histories: The reviews of each card, in any order.
    public init(_ parameters: FSRSParameters, on histories: [[Review]]) {
        let model = FSRSModel(parameters.values)
        var loss = 0.0
        var count = 0
        for steps in histories.map(ReviewStep.steps) {
            ReviewStep.foretell(steps, with: model) { probability, isRecalled in
                loss -= log(ReviewStep.probability(probability, of: isRecalled))
                count += 1
            }
        }
        reviewCount = count
        logLoss = count == 0 ? 0 : loss / Double(count)
    }
}

/// A review as the memory model sees it: the whole days since the one before.
struct ReviewStep {
    var rating: Rating
    var days: Int

    /// One card's reviews in order of time.
    static func steps(_ reviews: [Review]) -> [ReviewStep] {
        var previous: Date?
        return reviews.inOrder(now: .distantFuture).map { review in
            defer { previous = review.date }
            let days = previous.map { CardSchedule.days($0, review.date) } ?? 0
            return ReviewStep(rating: review.rating, days: days)
        }
    }

    /// Replays one card and tells `body` each probability that counts.
    @inline(__always)
    static func foretell<Scalar: FSRSScalar>(
        _ steps: [ReviewStep], with model: FSRSModel<Scalar>,
        _ body: (_ probability: Scalar, _ isRecalled: Bool) -> Void
    ) {
        guard let first = steps.first else { return }
        var memory = model.initialMemory(first.rating)
        for step in steps.dropFirst() {
            let probability = model.retrievability(days: step.days, stability: memory.stability)
            if step.days >= 1 { body(probability, step.rating != .again) }
            memory = model.memory(
                after: step.rating, memory, days: step.days, retrievability: probability)
        }
    }

    /// The probability of what happened, kept from 0 so that its logarithm is finite.
    static func probability(_ recall: Double, of isRecalled: Bool) -> Double {
        min(max(isRecalled ? recall : 1 - recall, 1e-9), 1)
    }
}
