import Foundation

/// A calibration of questions on Rasch's scale, by conditional maximum likelihood.
///
/// People's abilities are conditioned out by their scores (Andersen, 1970), so the calibration assumes nothing of the
/// population. Difficulties sum to 0.
///
/// ```swift
/// let rows = [[true, false, true], [false, true, true], [true, true, false], [false, false, true]]
/// let calibration = try RaschCalibration(ScoreMatrix(rows: rows))
/// print(calibration.difficulties, calibration.abilityByScore)
/// ```
public struct RaschCalibration: Sendable, Hashable {
    /// The difficulty of each question.
    public let difficulties: [Double]
    /// The standard error of each difficulty.
    public let standardErrors: [Double]
    /// The natural logarithm of the conditional likelihood.
    public let logLikelihood: Double
    /// The ability of a person for each score, from 0 to the number of questions.
    ///
    /// Maximum likelihood; for the lowest and highest score, where there is none, the natural cubic
    /// spline through the others is extrapolated (as R's `eRm` does).
    public let abilityByScore: [Double]

    /// The maximum number of Newton steps.
    public static let stepsMax = 100
    /// The standard error, in logits, above which a difficulty counts as not identified.
    public static let standardErrorMax = 50.0

    /// Calibrates questions.
    ///
    /// - Throws: `CalibrationError`; `notIdentified` when no score distinguishes the questions.
    public init(_ matrix: ScoreMatrix) throws(CalibrationError) {
        try CalibrationError.check(matrix)
        var search = ConditionalSearch(matrix)
        try search.run(stepsMax: Self.stepsMax)
        difficulties = search.difficulties
        standardErrors = try search.standardErrors()
        // The likelihood was flat: the search stopped on its way to infinity.
        if standardErrors.contains(where: { $0 > Self.standardErrorMax }) { throw .notIdentified }
        logLikelihood = search.logLikelihood(search.difficulties)
        abilityByScore = Self.abilities(search.difficulties)
    }

    private static func abilities(_ difficulties: [Double]) -> [Double] {
        let inner = (1..<difficulties.count).map { ability(score: $0, difficulties) }
        let ends = NaturalSpline.endSlopes(inner)
        let first = inner[0] - ends.first
        let last = inner[inner.count - 1] + ends.last
        return [first] + inner + [last]
    }

    private static func ability(score: Int, _ difficulties: [Double]) -> Double {
        let share = Double(score) / Double(difficulties.count)
        var ability = log(share / (1 - share))
        for _ in 0..<100 {
            let p = difficulties.map { 1 / (1 + exp($0 - ability)) }
            let information = p.reduce(0) { $0 + $1 * (1 - $1) }
            let step = (Double(score) - p.reduce(0, +)) / max(information, 1e-12)
            ability += min(max(step, -1), 1)
            if abs(step) < 1e-12 { break }
        }
        return ability
    }
}

/// Newton's method on the conditional likelihood.
private struct ConditionalSearch {
    private let itemScores: [Double]
    /// The number of people with each score.
    private let scoreCounts: [Double]
    private(set) var difficulties: [Double]

    init(_ matrix: ScoreMatrix) {
        let right = matrix.rightCounts
        let n = Double(matrix.personCount)
        var counts = Array(repeating: 0.0, count: matrix.itemCount + 1)
        for (pattern, frequency) in zip(matrix.patterns, matrix.frequencies) {
            counts[pattern.count { $0 }] += Double(frequency)
        }
        let logits = right.map { log((n - Double($0)) / Double($0)) }
        let mean = logits.reduce(0, +) / Double(logits.count)
        itemScores = right.map(Double.init)
        scoreCounts = counts
        difficulties = logits.map { $0 - mean }
    }

    mutating func run(stepsMax: Int) throws(CalibrationError) {
        var current = logLikelihood(difficulties)
        for _ in 0..<stepsMax {
            let gradient = gradient(difficulties)
            if gradient.allSatisfy({ abs($0) < 1e-7 }) { return }
            guard let step = closedInformation().solve(gradient) else { throw .notIdentified }
            guard let next = improved(step, than: current) else { return }
            difficulties = next.difficulties
            current = next.logLikelihood
            guard difficulties.allSatisfy({ abs($0) < 30 }) else { throw .notIdentified }
        }
        throw .notIdentified
    }

    /// Returns the step, halved until it improves the likelihood.
    private func improved(
        _ step: [Double], than current: Double
    ) -> (difficulties: [Double], logLikelihood: Double)? {
        var size = 1.0
        for _ in 0..<30 {
            let next = zip(difficulties, step).map { $0 + size * $1 }
            let value = logLikelihood(next)
            if value > current { return (next, value) }
            size /= 2
        }
        return nil
    }

    func standardErrors() throws(CalibrationError) -> [Double] {
        guard let inverse = closedInformation().inverse() else { throw .notIdentified }
        // Removes the term that was added for the direction in which all difficulties move
        // together.
        let share = 1 / Double(difficulties.count)
        return difficulties.indices.map { max(0, inverse[$0, $0] - share).squareRoot() }
    }

    func logLikelihood(_ difficulties: [Double]) -> Double {
        let easiness = difficulties.map { exp(-$0) }
        let functions = Self.symmetricFunctions(easiness[...], from: [1])
        let scores = zip(itemScores, difficulties).reduce(0) { $0 - $1.0 * $1.1 }
        return scoreCounts.indices.reduce(scores) { sum, score in
            scoreCounts[score] > 0 ? sum - scoreCounts[score] * log(functions[score]) : sum
        }
    }

    /// Returns the derivative of the likelihood by each difficulty: expected minus observed right
    /// answers.
    private func gradient(_ difficulties: [Double]) -> [Double] {
        let easiness = difficulties.map { exp(-$0) }
        let functions = Self.symmetricFunctions(easiness[...], from: [1])
        let without = Self.leavingOneOut(easiness)
        return difficulties.indices.map { item in
            var expected = 0.0
            for score in 1..<functions.count where scoreCounts[score] > 0 {
                expected +=
                    scoreCounts[score] * easiness[item] * without[item][score - 1]
                    / functions[score]
            }
            return expected - itemScores[item]
        }
    }

    /// Returns the information, by central differences of the gradient, made definite.
    private func closedInformation() -> SymmetricMatrix {
        let count = difficulties.count
        var information = SymmetricMatrix(size: count)
        let width = 1e-4
        var rows: [[Double]] = []
        for item in 0..<count {
            var moved = difficulties
            moved[item] += width
            let up = gradient(moved)
            moved[item] -= 2 * width
            let down = gradient(moved)
            rows.append(zip(up, down).map { ($1 - $0) / (2 * width) })
        }
        for row in 0..<count {
            for column in 0...row {
                information[row, column] =
                    (rows[row][column] + rows[column][row]) / 2 + 1 / Double(count)
            }
        }
        return information
    }

    /// Returns the elementary symmetric functions of the items in `functions` and in `easiness`.
    private static func symmetricFunctions(
        _ easiness: ArraySlice<Double>, from functions: [Double]
    ) -> [Double] {
        var result = functions
        for value in easiness {
            result.append(0)
            for order in stride(from: result.count - 1, to: 0, by: -1) {
                result[order] += value * result[order - 1]
            }
        }
        return result
    }

    /// Returns the functions of all items except one, for each, by halving: `O(n² log n)`, no
    /// division.
    private static func leavingOneOut(_ easiness: [Double]) -> [[Double]] {
        var result = Array(repeating: [Double](), count: easiness.count)
        func descend(_ range: Range<Int>, _ outside: [Double]) {
            guard range.count > 1 else {
                result[range.lowerBound] = outside
                return
            }
            let middle = (range.lowerBound + range.upperBound) / 2
            let left = range.lowerBound..<middle
            let right = middle..<range.upperBound
            descend(left, symmetricFunctions(easiness[right], from: outside))
            descend(right, symmetricFunctions(easiness[left], from: outside))
        }
        descend(easiness.indices, [1])
        return result
    }
}
