import Foundation

/// How well a card is remembered.
public struct MemoryState: Sendable, Hashable, Codable {
    /// The days after which the probability to recall has fallen to 90 %.
    public var stability: Double
    /// From 1, the easiest, to 10.
    public var difficulty: Double

    /// Describes a memory.
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

/// The memory model FSRS-6: what a review does to a memory, and how it fades.
///
/// Exact to py-fsrs 6.3.2 (see the vectors in the tests). `ReviewScheduler` makes appointments
/// of it.
public struct FSRS: Sendable {
    let model: FSRSModel<Double>
    /// The parameters that it was made with.
    public let parameters: FSRSParameters

    /// Prepares the formulas for a set of parameters.
    public init(_ parameters: FSRSParameters = .standard) {
        self.parameters = parameters
        model = FSRSModel(parameters.values)
    }

    /// The probability to recall a card, from 0 to 1.
    ///
    /// `days` are whole periods of 24 hours since the last review; below 0 counts as 0.
    public func retrievability(of memory: MemoryState, afterDays days: Int) -> Double {
        model.retrievability(days: days, stability: memory.stability)
    }

    /// The memory after a review.
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

    /// The days until the probability to recall has fallen to `retention`, not rounded.
    public func interval(stability: Double, retention: Double) -> Double {
        stability * intervalFactor(retention: retention)
    }

    /// What a stability is to be multiplied with.
    func intervalFactor(retention: Double) -> Double {
        (pow(retention, 1 / model.decay) - 1) / model.factor
    }
}
