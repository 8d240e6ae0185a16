import Foundation

/// The accuracy with which parameters predict the learners' recall.
///
/// ```swift
/// let start = Date(timeIntervalSince1970: 1_790_000_000)
/// let reviews = [Review(.good, at: start), Review(.again, at: start + 3 * 86_400)]
/// let evaluation = FSRSEvaluation(.standard, on: [reviews])
/// print(evaluation.reviewCount, evaluation.logLoss)
/// ```
public struct FSRSEvaluation: Sendable, Hashable, Codable {
    /// The mean of `-ln p` of the outcomes, in nats; 0 when no review counts.
    public var logLoss: Double
    /// The number of reviews that counted.
    public var reviewCount: Int

    /// Replays the reviews of each card from the start and scores the predictions.
    ///
    /// Only reviews at least one learner's day after the previous one of that card count. The prediction is the
    /// retrievability before the review; every rating above again is a recall.
    /// - Parameters:
    ///   - parameters: The parameters to evaluate.
    ///   - histories: The reviews of each card, in any order.
    ///   - rolloverHour: The hour at which a learner's day begins.
    public init(
        _ parameters: FSRSParameters, on histories: [[Review]],
        rolloverHour: Int = LearningClock.standardRolloverHour
    ) {
        let model = FSRSModel(parameters.values)
        var loss = 0.0
        var count = 0
        for history in histories {
            let steps = ReviewStep.steps(history, rolloverHour: rolloverHour)
            ReviewStep.predict(steps, with: model) { probability, isRecalled in
                loss -= log(ReviewStep.probability(probability, of: isRecalled))
                count += 1
            }
        }
        reviewCount = count
        logLoss = count == 0 ? 0 : loss / Double(count)
    }
}

/// A review as the memory model sees it: with the days since the previous one.
struct ReviewStep {
    var rating: Rating
    var days: Int

    /// Returns one card's reviews in order of time.
    static func steps(
        _ reviews: [Review], rolloverHour: Int = LearningClock.standardRolloverHour
    ) -> [ReviewStep] {
        var previous: LearningDay?
        return reviews.inOrder(now: .distantFuture).map { review in
            let day = review.day(rolloverHour: rolloverHour)
            defer { previous = day }
            return ReviewStep(rating: review.rating, days: previous.map { max(0, day - $0) } ?? 0)
        }
    }

    /// Replays one card and calls `body` with each prediction that counts.
    @inline(__always)
    static func predict<Scalar: FSRSScalar>(
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

    /// Returns the probability of the outcome, bounded away from 0 so that its logarithm is finite.
    static func probability(_ recall: Double, of isRecalled: Bool) -> Double {
        min(max(isRecalled ? recall : 1 - recall, 1e-9), 1)
    }
}
