import Foundation

/// An optimizer that fits the 21 parameters to the learners' recall.
///
/// It minimises the log loss of `FSRSEvaluation` plus a weak penalty for the distance from the defaults, by Fisher
/// scoring with Levenberg's damping inside the bounds. Derivatives are exact, from the same formulas that schedule.
/// Equal reviews give equal parameters, in any order of cards.
///
/// ```swift
/// let start = Date(timeIntervalSince1970: 1_790_000_000)
/// let reviews = [Review(.good, at: start), Review(.again, at: start + 3 * 86_400)]
/// let fit = FSRSOptimizer.fit([reviews])
/// print(fit.stepCount == 0, fit.parameters == .standard)
/// ```
public struct FSRSOptimizer: Sendable {
    /// The result of a fit.
    public struct Fit: Sendable, Hashable {
        /// The parameters.
        public var parameters: FSRSParameters
        /// The evaluation of the defaults.
        public var before: FSRSEvaluation
        /// The evaluation of the fitted parameters, on the same reviews.
        public var after: FSRSEvaluation
        /// The number of steps; 0 for too few reviews, when the parameters are the defaults.
        public var stepCount: Int
    }

    /// The minimum number of reviews; with fewer the defaults are returned, because 21 numbers cannot be fitted to
    /// fewer.
    public static let reviewsMin = 512
    private static let stepsMax = 60

    /// Fits parameters.
    ///
    /// - Parameters:
    ///   - histories: The reviews of each card, in any order.
    ///   - rolloverHour: The hour at which a learner's day begins.
    /// - Returns: The parameters, with the loss before and after.
    public static func fit(
        _ histories: [[Review]], rolloverHour: Int = LearningClock.standardRolloverHour
    ) -> Fit {
        let standard = FSRSParameters.standard
        let before = FSRSEvaluation(standard, on: histories, rolloverHour: rolloverHour)
        let reviewCount = histories.reduce(0) { $0 + $1.count }
        guard reviewCount >= reviewsMin, before.reviewCount > 0 else {
            return Fit(parameters: standard, before: before, after: before, stepCount: 0)
        }
        let cards = histories.map { ReviewStep.steps($0, rolloverHour: rolloverHour) }
        var search = Search(cards: cards, start: standard.values)
        let stepCount = search.run(stepsMax: stepsMax)
        let parameters = FSRSParameters(clamping: search.values)
        let after = FSRSEvaluation(parameters, on: histories, rolloverHour: rolloverHour)
        return Fit(parameters: parameters, before: before, after: after, stepCount: stepCount)
    }
}

/// The search for the lowest loss.
private struct Search {
    /// The loss at one point, with its gradient and Fisher's information.
    struct Slope {
        var loss = 0.0
        var gradient = Array(repeating: 0.0, count: FSRSParameters.count)
        var information = SymmetricMatrix(size: FSRSParameters.count)
    }

    /// The distance of each parameter at which the penalty is half a nat: half its default, and at
    /// least a twentieth; twice the default for the first stabilities, which differ most.
    private static let spread = FSRSParameters.standard.values.enumerated().map { index, value in
        index < 4 ? 2 * value + 1 : max(0.5 * value, 0.1)
    }

    let cards: [[ReviewStep]]
    var values: [Double]
    private var damping = 1e-3

    init(cards: [[ReviewStep]], start: [Double]) {
        self.cards = cards
        values = start
    }

    mutating func run(stepsMax: Int) -> Int {
        var current = slope(at: values)
        for step in 0..<stepsMax {
            guard let (next, loss) = improvement(on: current) else { return step }
            let hasConverged = current.loss - loss < 1e-7 * current.loss
            values = next
            if hasConverged { return step + 1 }
            current = slope(at: values)
        }
        return stepsMax
    }

    /// Returns a better point, tried with increasing damping; `nil` when there is none.
    private mutating func improvement(on slope: Slope) -> (values: [Double], loss: Double)? {
        for _ in 0..<12 {
            if let next = candidate(slope) {
                let loss = loss(at: next)
                if loss < slope.loss {
                    damping = max(damping / 5, 1e-9)
                    return (next, loss)
                }
            }
            damping *= 6
        }
        return nil
    }

    /// Returns one damped step; parameters at a bound that the step would leave are fixed.
    private func candidate(_ slope: Slope) -> [Double]? {
        let free = values.indices.map { index in
            let bounds = FSRSParameters.bounds[index]
            let isFixed =
                (values[index] <= bounds.lowerBound && slope.gradient[index] > 0)
                || (values[index] >= bounds.upperBound && slope.gradient[index] < 0)
            return !isFixed
        }
        var system = slope.information
        var right = slope.gradient.map { -$0 }
        for index in values.indices {
            system[index, index] *= 1 + damping
            guard !free[index] else { continue }
            for other in values.indices { system[index, other] = 0 }
            system[index, index] = 1
            right[index] = 0
        }
        guard let step = system.solve(right) else { return nil }
        let moved = zip(values, step).map { $0 + $1 }
        return FSRSParameters(clamping: moved).values
    }

    private func pull(_ index: Int, _ value: Double) -> Double {
        (value - FSRSParameters.standard.values[index]) / Self.spread[index]
    }

    private func loss(at values: [Double]) -> Double {
        let model = FSRSModel(values)
        var loss = 0.0
        for (index, value) in values.enumerated() {
            loss += pull(index, value) * pull(index, value) / 2
        }
        for card in cards {
            ReviewStep.predict(card, with: model) { probability, isRecalled in
                loss -= log(ReviewStep.probability(probability, of: isRecalled))
            }
        }
        return loss
    }

    private func slope(at values: [Double]) -> Slope {
        let model = FSRSModel(
            values.enumerated().map { DualNumber.parameter($0.offset, $0.element) })
        var result = Slope()
        for (index, value) in values.enumerated() {
            let pull = pull(index, value)
            result.loss += pull * pull / 2
            result.gradient[index] = pull / Self.spread[index]
            result.information[index, index] = 1 / (Self.spread[index] * Self.spread[index])
        }
        var sums = Array(repeating: 0.0, count: FSRSParameters.count * FSRSParameters.count)
        for card in cards {
            ReviewStep.predict(card, with: model) { probability, isRecalled in
                Self.add(probability, isRecalled, to: &result, &sums)
            }
        }
        for row in values.indices {
            for column in 0...row {
                result.information[row, column] += sums[row * FSRSParameters.count + column]
            }
        }
        return result
    }

    private static func add(
        _ probability: DualNumber, _ isRecalled: Bool, to slope: inout Slope,
        _ sums: inout [Double]
    ) {
        let p = min(max(probability.value, 1e-9), 1 - 1e-9)
        slope.loss -= log(ReviewStep.probability(probability.value, of: isRecalled))
        let residual = isRecalled ? -1 / p : 1 / (1 - p)
        let weight = 1 / (p * (1 - p))
        for row in 0..<FSRSParameters.count {
            let slopeInRow = probability.slopes[row]
            slope.gradient[row] += residual * slopeInRow
            guard slopeInRow != 0 else { continue }
            for column in 0...row {
                sums[row * FSRSParameters.count + column] +=
                    weight * slopeInRow * probability.slopes[column]
            }
        }
    }
}
