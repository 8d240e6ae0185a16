import Foundation

/// Equally spaced abilities with the weights of the standard normal distribution.
public struct AbilityGrid: Sendable, Hashable {
    /// The abilities, ascending.
    public let points: [Double]
    /// Their weights, which sum to 1.
    public let weights: [Double]

    /// Creates equally spaced points over a range; at least two.
    public init(points count: Int = 61, over range: ClosedRange<Double> = -6...6) {
        let count = max(2, count)
        let step = (range.upperBound - range.lowerBound) / Double(count - 1)
        let points = (0..<count).map { range.lowerBound + Double($0) * step }
        let densities = points.map { exp(-$0 * $0 / 2) }
        let total = densities.reduce(0, +)
        self.points = points
        weights = densities.map { $0 / total }
    }

    /// The grid of calibration and scoring.
    public static let calibration = AbilityGrid()
    /// The grid of adaptive tests.
    public static let adaptive = AbilityGrid(points: 81, over: -4...4)
}
