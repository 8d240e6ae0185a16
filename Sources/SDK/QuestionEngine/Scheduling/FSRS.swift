import Foundation

/// The memory state of a card.
///
/// A stored state that no review can produce, such as a stability of 0, counts as the nearest one that a review can
/// produce; one that is not a number counts as no memory.
public struct MemoryState: Sendable, Hashable, Codable {
    /// The stability: the days until the probability of recall has fallen to 90 %.
    public var stability: Double
    /// The difficulty from 1, the easiest, to 10.
    public var difficulty: Double

    /// Creates a memory state.
    public init(stability: Double, difficulty: Double) {
        self.stability = stability
        self.difficulty = difficulty
    }

    init(_ memory: FSRSMemory<Double>) {
        self.init(stability: memory.stability, difficulty: memory.difficulty)
    }

    /// The maximum stability: no interval is longer than 100 years.
    static let stabilityMax = 36_500.0 * 100

    /// The state within the bounds of the formulas; `nil` for one that is no number.
    var scalars: FSRSMemory<Double>? {
        guard !stability.isNaN, !difficulty.isNaN else { return nil }
        return FSRSMemory(
            stability: min(max(stability, FSRSModel<Double>.stabilityMin), Self.stabilityMax),
            difficulty: min(max(difficulty, 1), 10))
    }
}

/// The memory model FSRS-6: the effect of a review on a memory, and its decay.
///
/// It equals py-fsrs 6.3.2 exactly (see the vectors in the tests). `ReviewScheduler` derives due dates from it.
///
/// ```swift
/// let model = FSRS()
/// let first = model.memory(after: .good, from: nil, afterDays: 0)
/// let second = model.memory(after: .good, from: first, afterDays: 3)
/// print(second.stability, model.retrievability(of: second, afterDays: 10))
/// ```
public struct FSRS: Sendable {
    let model: FSRSModel<Double>
    /// The parameters.
    public let parameters: FSRSParameters

    /// Creates the model with a set of parameters.
    public init(_ parameters: FSRSParameters = .standard) {
        self.parameters = parameters
        model = FSRSModel(parameters.values)
    }

    /// Returns the probability of recall, from 0 to 1.
    ///
    /// `days` are the learner's days since the last review; below 0 counts as 0.
    public func retrievability(of memory: MemoryState, afterDays days: Int) -> Double {
        guard let memory = memory.scalars else { return 0 }
        return model.retrievability(days: days, stability: memory.stability)
    }

    /// Returns the memory state after a review.
    ///
    /// `memory` is `nil` for a first review; `days` are the learner's days since the last one, 0 for the same day.
    public func memory(
        after rating: Rating, from memory: MemoryState?, afterDays days: Int
    ) -> MemoryState {
        guard let memory = memory?.scalars else { return MemoryState(model.initialMemory(rating)) }
        let retrievability = model.retrievability(days: days, stability: memory.stability)
        return MemoryState(
            model.memory(after: rating, memory, days: days, retrievability: retrievability))
    }

    /// Returns the days until the probability of recall has fallen to `retention`, not rounded.
    public func interval(stability: Double, retention: Double) -> Double {
        stability * intervalFactor(retention: retention)
    }

    /// Returns the factor from stability to interval.
    func intervalFactor(retention: Double) -> Double {
        (pow(retention, 1 / model.decay) - 1) / model.factor
    }
}
