import Foundation

/// The estimated ability of a person, in standard deviations of the population.
///
/// ```swift
/// let item = ItemParameters(slope: 1.2, difficulty: 0)
/// let estimate = AbilityEstimate.expectedAPosteriori([(item, true), (item, false)])
/// print(estimate.ability, estimate.interval)
/// ```
public struct AbilityEstimate: Sendable, Hashable, Codable {
    /// The estimate.
    public var ability: Double
    /// Its standard error.
    public var standardError: Double

    /// Creates an estimate.
    public init(ability: Double, standardError: Double) {
        self.ability = ability
        self.standardError = standardError
    }

    /// The interval that contains the ability with a probability of 95 %.
    public var interval: ClosedRange<Double> {
        (ability - 1.96 * standardError)...(ability + 1.96 * standardError)
    }

    /// Returns the mean of the posterior (expected a posteriori) with its standard deviation.
    ///
    /// Bock and Mislevy (1982). Without answers it is the population's mean, 0, with 1. Questions with unusable
    /// parameters are ignored.
    /// - Parameters:
    ///   - answers: The parameters of each answered question, with true for a right answer.
    ///   - grid: The abilities at which the posterior is evaluated.
    /// - Returns: The estimate.
    public static func expectedAPosteriori(
        _ answers: [(item: ItemParameters, isRight: Bool)], grid: AbilityGrid = .calibration
    ) -> AbilityEstimate {
        let usable = answers.filter { $0.item.isUsable }
        let logs = grid.points.map { ability in
            usable.reduce(0) { $0 + logProbability($1.item, $1.isRight, ability) }
        }
        let greatest = logs.max() ?? 0
        var total = 0.0
        var sum = 0.0
        var squares = 0.0
        for (index, ability) in grid.points.enumerated() {
            let weight = grid.weights[index] * exp(logs[index] - greatest)
            total += weight
            sum += weight * ability
            squares += weight * ability * ability
        }
        let mean = sum / total
        return AbilityEstimate(
            ability: mean, standardError: max(0, squares / total - mean * mean).squareRoot())
    }

    /// Returns the mode of the posterior (maximum a posteriori) with its standard error.
    ///
    /// The error comes from the curvature at the mode. Questions with unusable parameters are ignored.
    public static func maximumAPosteriori(
        _ answers: [(item: ItemParameters, isRight: Bool)]
    ) -> AbilityEstimate {
        let usable = answers.filter { $0.item.isUsable }
        var ability = 0.0
        var curvature = 1.0
        for _ in 0..<50 {
            var slope = -ability
            curvature = 1
            for (item, isRight) in usable {
                let p = item.probability(ability: ability)
                let known = p > 0 ? (p - item.guessing) / (p * (1 - item.guessing)) : 1
                slope += item.slope * ((isRight ? 1 : 0) - p) * known
                curvature += item.information(ability: ability)
            }
            // A bounded step keeps a steep posterior from overshooting.
            let step = min(max(slope / curvature, -1), 1)
            ability += step
            if abs(step) < 1e-10 { break }
        }
        return AbilityEstimate(
            ability: ability, standardError: 1 / curvature.squareRoot())
    }

    private static func logProbability(
        _ item: ItemParameters, _ isRight: Bool, _ ability: Double
    ) -> Double {
        let logit = item.slope * (ability - item.difficulty)
        let signed = isRight ? logit : -logit
        // ln(1 / (1 + e^-x)), without overflow.
        let log = signed > 0 ? -log1p(exp(-signed)) : signed - log1p(exp(signed))
        guard item.guessing > 0 else { return log }
        return isRight
            ? Foundation.log(item.guessing + (1 - item.guessing) * exp(log))
            : log1p(-item.guessing) + log
    }
}
