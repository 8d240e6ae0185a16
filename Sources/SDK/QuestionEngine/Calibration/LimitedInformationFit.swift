import Foundation

/// The fit of a calibration to the answers to single questions and to pairs of them.
///
/// The statistic M₂ of Maydeu-Olivares and Joe (2006) needs no table of all patterns, so it works when most patterns
/// never occurred. Its expected value is the number of degrees of freedom.
public struct LimitedInformationFit: Sendable, Hashable {
    /// The statistic; greater is a worse fit.
    public var statistic: Double
    /// The number of moments, of questions and of pairs, minus the number of parameters.
    public var degreesOfFreedom: Int

    /// Returns the misfit per degree of freedom and person (RMSEA); up to .05 counts as good.
    public func rootMeanSquareError(personCount: Int) -> Double {
        guard degreesOfFreedom > 0, personCount > 1 else { return 0 }
        let excess = statistic - Double(degreesOfFreedom)
        return (max(0, excess) / (Double(degreesOfFreedom) * Double(personCount - 1)))
            .squareRoot()
    }
}

extension MarginalCalibration {
    /// Returns the fit of this calibration to the answers from which it was made.
    ///
    /// - Returns: `nil` for too few questions, which leave no degrees of freedom.
    public func limitedInformationFit(of matrix: ScoreMatrix) -> LimitedInformationFit? {
        let moments = Moments(items, isCommonSlope: model == .commonSlope)
        let degrees = moments.sets.count - moments.parameterCount
        guard degrees > 0, matrix.itemCount == items.count, matrix.personCount > 0 else {
            return nil
        }
        let residuals = zip(moments.observed(in: matrix), moments.expected).map { $0 - $1 }
        let covariance = moments.covariance()
        let slopes = (0..<moments.parameterCount).map { moments.slopes(in: $0) }
        guard let weighted = covariance.solve(residuals) else { return nil }
        let solved = slopes.compactMap { covariance.solve($0) }
        guard solved.count == slopes.count else { return nil }
        var information = SymmetricMatrix(size: slopes.count)
        for row in slopes.indices {
            for column in 0...row {
                information[row, column] = Self.product(slopes[row], solved[column])
            }
        }
        let gradient = slopes.map { Self.product($0, weighted) }
        guard let step = information.solve(gradient) else { return nil }
        let whole = Self.product(residuals, weighted) - Self.product(gradient, step)
        return LimitedInformationFit(
            statistic: Double(matrix.personCount) * whole, degreesOfFreedom: degrees)
    }

    private static func product(_ left: [Double], _ right: [Double]) -> Double {
        zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
}

/// The model's probabilities that one question, or both of a pair, are answered right.
private struct Moments {
    /// The sets of items: each question, then each pair.
    let sets: [[Int]]
    let parameterCount: Int
    private let isCommonSlope: Bool
    private let itemCount: Int
    private let grid = AbilityGrid.calibration
    /// For each question, the probability of a right answer at each node.
    private let probabilities: [[Double]]

    init(_ items: [MarginalCalibration.Item], isCommonSlope: Bool) {
        let grid = grid
        self.isCommonSlope = isCommonSlope
        itemCount = items.count
        parameterCount = isCommonSlope ? items.count + 1 : 2 * items.count
        let pairs = items.indices.flatMap { first in
            (first + 1..<max(first + 1, items.count)).map { [first, $0] }
        }
        sets = items.indices.map { [$0] } + pairs
        probabilities = items.map { item in
            grid.points.map { 1 / (1 + exp(-item.parameters.slope * $0 - item.intercept)) }
        }
    }

    /// Returns the probability that all of these questions are answered right.
    private func probability(_ items: [Int]) -> Double {
        grid.points.indices.reduce(0) { sum, node in
            sum + items.reduce(grid.weights[node]) { $0 * probabilities[$1][node] }
        }
    }

    var expected: [Double] { sets.map(probability) }

    func observed(in matrix: ScoreMatrix) -> [Double] {
        sets.map { items in
            let count = zip(matrix.patterns, matrix.frequencies).reduce(0) { sum, row in
                items.allSatisfy { row.0[$0] } ? sum + row.1 : sum
            }
            return Double(count) / Double(matrix.personCount)
        }
    }

    func covariance() -> SymmetricMatrix {
        let expected = expected
        var result = SymmetricMatrix(size: sets.count)
        for row in sets.indices {
            for column in 0...row {
                let both = Array(Set(sets[row] + sets[column]))
                result[row, column] = probability(both) - expected[row] * expected[column]
            }
        }
        return result
    }

    /// Returns the derivative of each probability by a parameter: slopes come first, then
    /// intercepts.
    func slopes(in parameter: Int) -> [Double] {
        let slopeCount = isCommonSlope ? 1 : itemCount
        let isSlope = parameter < slopeCount
        return sets.map { items in
            items.reduce(0) { sum, item in
                let isMeant =
                    isSlope ? isCommonSlope || item == parameter : item == parameter - slopeCount
                return isMeant ? sum + slope(of: item, in: items, isSlope) : sum
            }
        }
    }

    private func slope(of item: Int, in items: [Int], _ isSlope: Bool) -> Double {
        grid.points.indices.reduce(0) { sum, node in
            let p = probabilities[item][node]
            let others = items.filter { $0 != item }
                .reduce(grid.weights[node]) { $0 * probabilities[$1][node] }
            return sum + others * p * (1 - p) * (isSlope ? grid.points[node] : 1)
        }
    }
}
