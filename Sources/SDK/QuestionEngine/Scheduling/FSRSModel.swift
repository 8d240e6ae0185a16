/// The memory state of a card.
struct FSRSMemory<Scalar: FSRSScalar>: Sendable {
    var stability: Scalar
    var difficulty: Scalar
}

/// The formulas of FSRS-6, with everything precomputed that depends only on the parameters.
///
/// Source: "The Algorithm" of the open-spaced-repetition project, as py-fsrs 6.3.2 implements it.
/// Stability is in days; elapsed time is in learner's days.
struct FSRSModel<Scalar: FSRSScalar>: Sendable {
    static var stabilityMin: Double { 0.001 }

    private let parameters: [Scalar]
    private let initialStabilities: [Scalar]
    private let initialDifficulties: [Scalar]
    /// `w7 * D0(easy)`, without the clamp.
    private let revertedDifficulty: Scalar
    private let keptDifficulty: Scalar
    private let difficultyStep: Scalar
    let decay: Scalar
    let factor: Scalar
    private let recallGrowth: Scalar
    private let recallPower: Scalar
    private let retrievabilityGain: Scalar
    private let penalties: [Scalar]
    private let shortTermGrowth: [Scalar]
    private let shortTermPower: Scalar
    private let forgetFloorFactor: Scalar

    init(_ values: [Scalar]) {
        let zero = Scalar(0)
        let one = Scalar(1)
        parameters = values
        initialStabilities = values[0..<4].map { $0.clamped(Self.stabilityMin) }
        let raw = (0..<4).map { values[4] - (values[5] * Scalar(Double($0))).exponential() + one }
        initialDifficulties = raw.map { $0.clamped(1, 10) }
        revertedDifficulty = values[7] * raw[3]
        keptDifficulty = one - values[7]
        difficultyStep = (zero - values[6]) / Scalar(9)
        decay = zero - values[20]
        factor = (Scalar(0.9).logarithm() / decay).exponential() - one
        recallGrowth = values[8].exponential()
        recallPower = zero - values[9]
        retrievabilityGain = values[10]
        penalties = [one, values[15], one, values[16]]
        shortTermGrowth = (1...4).map {
            (values[17] * (Scalar(Double($0) - 3) + values[18])).exponential()
        }
        shortTermPower = zero - values[19]
        forgetFloorFactor = one / (values[17] * values[18]).exponential()
    }

    /// Returns the memory state after a card's first review.
    @inline(__always)
    func initialMemory(_ rating: Rating) -> FSRSMemory<Scalar> {
        FSRSMemory(
            stability: initialStabilities[rating.rawValue - 1],
            difficulty: initialDifficulties[rating.rawValue - 1])
    }

    /// Returns the probability of recall after whole days: `(1 + factor * t / S) ^ decay`.
    @inline(__always)
    func retrievability(days: Int, stability: Scalar) -> Scalar {
        guard days > 0 else { return Scalar(1) }
        return (Scalar(1) + factor * Scalar(Double(days)) / stability).raised(to: decay)
    }

    /// Returns the memory state after a review on the same day (`days` is 0) or later.
    @inline(__always)
    func memory(
        after rating: Rating, _ memory: FSRSMemory<Scalar>, days: Int, retrievability: Scalar
    ) -> FSRSMemory<Scalar> {
        let stability: Scalar
        if days < 1 {
            stability = shortTermStability(memory.stability, rating)
        } else if rating == .again {
            stability = forgetStability(memory, retrievability)
        } else {
            stability = recallStability(memory, retrievability, rating)
        }
        return FSRSMemory(
            stability: stability, difficulty: nextDifficulty(memory.difficulty, rating))
    }

    @inline(__always)
    func nextDifficulty(_ difficulty: Scalar, _ rating: Rating) -> Scalar {
        let steps = Scalar(Double(rating.rawValue) - 3)
        let moved = difficulty + (Scalar(10) - difficulty) * difficultyStep * steps
        return (revertedDifficulty + keptDifficulty * moved).clamped(1, 10)
    }

    @inline(__always)
    func shortTermStability(_ stability: Scalar, _ rating: Rating) -> Scalar {
        var growth = shortTermGrowth[rating.rawValue - 1] * stability.raised(to: shortTermPower)
        if rating != .again { growth = growth.clamped(1) }
        return (stability * growth).clamped(Self.stabilityMin)
    }

    @inline(__always)
    func recallStability(
        _ memory: FSRSMemory<Scalar>, _ retrievability: Scalar, _ rating: Rating
    ) -> Scalar {
        let forgetting =
            ((Scalar(1) - retrievability) * retrievabilityGain).exponential() - Scalar(1)
        let growth =
            recallGrowth * (Scalar(11) - memory.difficulty)
            * memory.stability.raised(to: recallPower) * forgetting
        let increase = Scalar(1) + growth * penalties[rating.rawValue - 1]
        return (memory.stability * increase).clamped(Self.stabilityMin)
    }

    @inline(__always)
    func forgetStability(_ memory: FSRSMemory<Scalar>, _ retrievability: Scalar) -> Scalar {
        let one = Scalar(1)
        let long =
            parameters[11] * memory.difficulty.raised(to: Scalar(0) - parameters[12])
            * ((memory.stability + one).raised(to: parameters[13]) - one)
            * ((one - retrievability) * parameters[14]).exponential()
        let short = memory.stability * forgetFloorFactor
        return (long.value < short.value ? long : short).clamped(Self.stabilityMin)
    }
}
