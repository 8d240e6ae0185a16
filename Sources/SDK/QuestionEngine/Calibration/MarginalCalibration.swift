import Foundation

/// A calibration of questions on the scale of ability, by marginal maximum likelihood.
///
/// Bock and Aitkin (1981): the population is standard normal and integrated out on
/// `AbilityGrid.calibration`; the EM algorithm with Newton steps for each question. Standard errors
/// come from the observed information by Louis's formula (1982).
///
/// ```swift
/// let rows = [[true, false, true], [false, true, true], [true, true, false], [false, false, true]]
/// let calibration = try MarginalCalibration(ScoreMatrix(rows: rows), model: .commonSlope)
/// print(calibration.items.map(\.parameters.difficulty), calibration.hasConverged)
/// ```
public struct MarginalCalibration: Sendable, Hashable {
    /// The model, which determines the parameters of the questions.
    public enum Model: String, Sendable, Hashable {
        /// One slope for all questions (one-parameter logistic).
        case commonSlope = "1PL"
        /// A slope for each question (two-parameter logistic).
        case twoParameter = "2PL"
    }

    /// A question's parameters with their standard errors.
    public struct Item: Sendable, Hashable, Codable {
        /// The parameters.
        public var parameters: ItemParameters
        /// `-slope * difficulty`: the logit of a right answer at ability 0.
        public var intercept: Double
        /// The standard error of the slope.
        public var slopeError: Double
        /// The standard error of the intercept.
        public var interceptError: Double
    }

    /// The model.
    public let model: Model
    /// The questions in the order of the matrix.
    public let items: [Item]
    /// The natural logarithm of the likelihood of all answers.
    public let logLikelihood: Double
    /// The number of EM rounds.
    public let roundCount: Int
    /// False when the search ended at `roundsMax`.
    public let hasConverged: Bool

    /// The maximum number of rounds.
    public static let roundsMax = 5_000
    /// The bounds of every slope, which limit the effect of few answers.
    public static let slopes: ClosedRange<Double> = -8...8

    /// Calibrates questions.
    ///
    /// - Throws: `CalibrationError` for too little data or a question that all answered alike.
    public init(_ matrix: ScoreMatrix, model: Model = .twoParameter) throws(CalibrationError) {
        try self.init(SparseScoreMatrix(matrix), model: model)
    }

    /// Calibrates questions by the answers that exist; a missing one contributes no factor.
    ///
    /// - Throws: `CalibrationError` for too little data, or a question to which all answers are alike.
    public init(
        _ scores: SparseScoreMatrix, model: Model = .twoParameter
    ) throws(CalibrationError) {
        try CalibrationError.check(scores)
        var search = MarginalSearch(scores, model: model)
        search.run(roundsMax: Self.roundsMax)
        let errors = try search.standardErrors()
        self.model = model
        items = (0..<scores.itemCount).map { item in
            let slope = search.slopes[item]
            return Item(
                parameters: ItemParameters(
                    slope: slope, difficulty: -search.intercepts[item] / slope),
                intercept: search.intercepts[item], slopeError: errors.slopes[item],
                interceptError: errors.intercepts[item])
        }
        logLikelihood = search.logLikelihood
        roundCount = search.roundCount
        hasConverged = search.hasConverged
    }

    /// Returns the expected number of people with each pattern of the matrix, by the model.
    public func expectedFrequencies(of matrix: ScoreMatrix) -> [Double] {
        var search = MarginalSearch(SparseScoreMatrix(matrix), model: model)
        search.slopes = items.map(\.parameters.slope)
        search.intercepts = items.map(\.intercept)
        search.expect()
        return search.patternLogs.map { Double(matrix.personCount) * exp($0) }
    }

    /// Returns the likelihood ratio against the saturated model, `G²`: greater is a worse fit.
    public func likelihoodRatio(of matrix: ScoreMatrix) -> Double {
        let n = Double(matrix.personCount)
        let saturated = matrix.frequencies.reduce(0) { sum, frequency in
            frequency > 0 ? sum + Double(frequency) * log(Double(frequency) / n) : sum
        }
        return 2 * (saturated - logLikelihood)
    }
}
