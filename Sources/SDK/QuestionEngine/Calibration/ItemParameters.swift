public import ContentModel
import Foundation

/// A question's parameters on the scale of ability: three-parameter logistic, without the constant 1.7.
///
/// Birnbaum, in Lord and Novick (1968): `P = c + (1 - c) / (1 + e^(-a (θ - b)))`. Without guessing (`c` = 0) it is the
/// two-parameter model.
public struct ItemParameters: Sendable, Hashable {
    /// The discrimination at the difficulty; positive for a sound question.
    public var slope: Double
    /// The ability at which half of the people who do not guess answer right.
    public var difficulty: Double
    /// The probability of a right answer without any knowledge, from 0 to below 1.
    public var guessing: Double

    /// Creates parameters; `isUsable` is true if they are valid.
    public init(slope: Double, difficulty: Double, guessing: Double = 0) {
        self.slope = slope
        self.difficulty = difficulty
        self.guessing = guessing
    }

    /// Creates the initial parameters of an uncalibrated question from its label, 1 to 5, mapped to
    /// -2 to 2.
    ///
    /// - Parameters:
    ///   - label: The difficulty.
    ///   - guessing: The probability of a right answer without any knowledge.
    public init(label: Int, guessing: Double = 0) {
        self.init(
            slope: 1, difficulty: Double(min(max(label, 1), 5)) - 3, guessing: guessing)
    }

    /// Creates the initial parameters of a question that was never calibrated.
    ///
    /// Guessing is fixed at the chance of a blind guess: the answers to one question carry too little information about
    /// the lower end of its curve to estimate it (Lord, 1980, section 12.3). Without it, an estimate would state too
    /// small an error.
    ///
    /// - Parameter question: The question, of which the label, the type and the number of options are used.
    public init(labelOf question: Question) {
        self.init(label: question.difficulty, guessing: question.blindGuess)
    }

    /// True when all are finite, the slope is positive and guessing is from 0 to below 1.
    public var isUsable: Bool {
        slope.isFinite && slope > 0 && difficulty.isFinite && (0..<1).contains(guessing)
    }

    /// Returns the probability of a right answer.
    public func probability(ability: Double) -> Double {
        guessing + (1 - guessing) / (1 + exp(-slope * (ability - difficulty)))
    }

    /// Returns Fisher's information about an ability, `a² (1 - P) / P · ((P - c) / (1 - c))²` (Lord, 1980).
    public func information(ability: Double) -> Double {
        let p = probability(ability: ability)
        guard p > 0 else { return 0 }
        let known = (p - guessing) / (1 - guessing)
        return slope * slope * (1 - p) / p * known * known
    }
}

extension ItemParameters: Codable {
    private enum CodingKeys: String, CodingKey { case slope, difficulty, guessing }

    /// Decodes parameters.
    ///
    /// - Throws: `DecodingError` for an infinite slope, one that is not positive, a difficulty that is no number, or
    ///   a guessing outside of 0 to below 1.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            slope: try values.decode(Double.self, forKey: .slope),
            difficulty: try values.decode(Double.self, forKey: .difficulty),
            guessing: try values.decode(Double.self, forKey: .guessing))
        guard isUsable else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "A slope of \(slope), a difficulty of \(difficulty) and a guessing of \(guessing) are no parameters."
                ))
        }
    }
}
