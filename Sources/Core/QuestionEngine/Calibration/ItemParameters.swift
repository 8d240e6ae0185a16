import Foundation

/// A question's parameters on the scale of ability: two-parameter logistic, without the constant
/// 1.7.
public struct ItemParameters: Sendable, Hashable {
    /// The discrimination at the difficulty; positive for a sound question.
    public var slope: Double
    /// The ability at which half of the people answer right.
    public var difficulty: Double

    /// Creates parameters; `isUsable` says whether they are valid.
    public init(slope: Double, difficulty: Double) {
        self.slope = slope
        self.difficulty = difficulty
    }

    /// Creates the initial parameters of an uncalibrated question from its label, 1 to 5, mapped to
    /// -2 to 2.
    public init(label: Int) {
        self.init(slope: 1, difficulty: Double(min(max(label, 1), 5)) - 3)
    }

    /// True when both are finite and the slope is positive.
    public var isUsable: Bool { slope.isFinite && slope > 0 && difficulty.isFinite }

    /// Returns the probability of a right answer.
    public func probability(ability: Double) -> Double {
        1 / (1 + exp(-slope * (ability - difficulty)))
    }

    /// Returns Fisher's information about an ability, `a² P (1 - P)`.
    public func information(ability: Double) -> Double {
        let p = probability(ability: ability)
        return slope * slope * p * (1 - p)
    }
}

extension ItemParameters: Codable {
    private enum CodingKeys: String, CodingKey { case slope, difficulty }

    /// Reads parameters.
    ///
    /// - Throws: `DecodingError` for an infinite slope, one that is not positive, or a difficulty that is no number.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            slope: try values.decode(Double.self, forKey: .slope),
            difficulty: try values.decode(Double.self, forKey: .difficulty))
        guard isUsable else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "A slope of \(slope) and a difficulty of \(difficulty) are no parameters."))
        }
    }
}
