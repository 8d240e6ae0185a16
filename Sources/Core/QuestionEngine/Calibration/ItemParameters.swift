import Foundation

/// A question on the scale of ability: two-parameter logistic, without the constant 1.7.
public struct ItemParameters: Sendable, Hashable, Codable {
    /// How sharply it tells people apart at its difficulty; positive for a sound question.
    public var slope: Double
    /// The ability at which half of the people answer right.
    public var difficulty: Double

    /// Describes a question; `isUsable` tells whether the numbers make sense.
    public init(slope: Double, difficulty: Double) {
        self.slope = slope
        self.difficulty = difficulty
    }

    /// A start for a question without calibration: its label, 1 to 5, spread from -2 to 2.
    public init(label: Int) {
        self.init(slope: 1, difficulty: Double(min(max(label, 1), 5)) - 3)
    }

    /// True when both are finite and the slope is positive.
    public var isUsable: Bool { slope.isFinite && slope > 0 && difficulty.isFinite }

    /// The probability of a right answer.
    public func probability(ability: Double) -> Double {
        1 / (1 + exp(-slope * (ability - difficulty)))
    }

    /// Fisher's information about an ability, `a² P (1 - P)`.
    public func information(ability: Double) -> Double {
        let p = probability(ability: ability)
        return slope * slope * p * (1 - p)
    }
}
