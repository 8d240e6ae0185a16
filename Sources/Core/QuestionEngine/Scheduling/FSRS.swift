import Foundation

/// The memory state of a card.
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

    var scalars: FSRSMemory<Double> {
        FSRSMemory(stability: stability, difficulty: difficulty)
    }
}

/// The memory model FSRS-6: the effect of a review on a memory, and its decay.
///
/// Exact to py-fsrs 6.3.2 (see the vectors in the tests). `ReviewScheduler` derives due dates from
/// it.
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

    /// Prepares the formulas for a set of parameters.
    public init(_ parameters: FSRSParameters = .standard) {
        self.parameters = parameters
        model = FSRSModel(parameters.values)
    }

    /// Returns the probability of recall, from 0 to 1.
    ///
    /// `days` are whole periods of 24 hours since the last review; below 0 counts as 0.
    public func retrievability(of memory: MemoryState, afterDays days: Int) -> Double {
        model.retrievability(days: days, stability: memory.stability)
    }

    /// Returns the memory state after a review.
    ///
    /// `memory` is `nil` for a first review; `days` are whole periods of 24 hours since the last
    /// one, 0 for the same day.
    public func memory(
        after rating: Rating, from memory: MemoryState?, afterDays days: Int
    ) -> MemoryState {
        guard let memory else { return MemoryState(model.initialMemory(rating)) }
        let retrievability = model.retrievability(days: days, stability: memory.stability)
        return MemoryState(
            model.memory(
                after: rating, memory.scalars, days: days, retrievability: retrievability))
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
