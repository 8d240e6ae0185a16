import Foundation

/// The classical test statistics of a whole test.
///
/// A coefficient that is undefined, because all scores are equal or there is only one question, is `nil`.
///
/// ```swift
/// let rows = [[true, true, true], [true, true, false], [true, false, false], [false, false, false]]
/// let statistics = TestStatistics(try ScoreMatrix(rows: rows))
/// print(statistics.meanScore, statistics.alpha ?? 0, statistics.scoreDistribution)
/// ```
public struct TestStatistics: Sendable, Hashable {
    /// The number of people.
    public var personCount: Int
    /// The mean number of right answers.
    public var meanScore: Double
    /// The variance of the scores, with the number of people minus one as divisor.
    public var scoreVariance: Double
    /// The number of people with each score, from 0.
    public var scoreDistribution: [Int]
    /// The fraction right of each question.
    public var facilities: [Double]
    /// The correlation of each question with the total score.
    public var totalCorrelations: [Double]
    /// The correlation of each question with the score on the others.
    public var restCorrelations: [Double]
    /// Cronbach's alpha; for right and wrong answers it is Kuder and Richardson's formula 20.
    public var alpha: Double?
    /// Kuder and Richardson's formula 21, which assumes that all questions are equally hard.
    public var kr21: Double?
    /// Alpha of the test without each question.
    public var alphaIfDeleted: [Double?]
    /// The standard error of measurement of a score.
    public var standardErrorOfMeasurement: Double?

    /// Computes the statistics of complete answers.
    public init(_ matrix: ScoreMatrix) {
        let moments = ItemMoments(matrix)
        let n = Double(matrix.personCount)
        let k = Double(matrix.itemCount)
        personCount = matrix.personCount
        meanScore = moments.meanScore
        scoreVariance = moments.scoreVariance
        scoreDistribution = moments.distribution
        facilities = moments.facilities
        totalCorrelations = matrix.patterns[0].indices.map { moments.totalCorrelation($0) }
        restCorrelations = matrix.patterns[0].indices.map { moments.restCorrelation($0) }
        let alpha = Self.alpha(
            itemVariances: moments.itemVariances.reduce(0, +), moments.scoreVariance, items: k)
        self.alpha = alpha
        let population = n > 0 ? moments.scoreVariance * (n - 1) / n : 0
        kr21 =
            k > 1 && population > 0
            ? k / (k - 1) * (1 - meanScore * (k - meanScore) / (k * population)) : nil
        alphaIfDeleted = matrix.patterns[0].indices.map { item in
            Self.alpha(
                itemVariances: moments.itemVariances.reduce(0, +) - moments.itemVariances[item],
                moments.restVariance(item), items: k - 1)
        }
        standardErrorOfMeasurement = alpha.map {
            (moments.scoreVariance * max(0, 1 - $0)).squareRoot()
        }
    }

    private static func alpha(
        itemVariances: Double, _ scoreVariance: Double, items: Double
    ) -> Double? {
        guard items > 1, scoreVariance > 1e-12 else { return nil }
        return items / (items - 1) * (1 - itemVariances / scoreVariance)
    }
}

/// Means and variances of questions and scores, with the number of people minus one as divisor.
private struct ItemMoments {
    let facilities: [Double]
    let itemVariances: [Double]
    let meanScore: Double
    let scoreVariance: Double
    let distribution: [Int]
    /// The covariance of each question with the score.
    private let covariances: [Double]

    init(_ matrix: ScoreMatrix) {
        let n = Double(matrix.personCount)
        let right = matrix.rightCounts
        let below = max(n - 1, 1)
        var distribution = Array(repeating: 0, count: matrix.itemCount + 1)
        var products = Array(repeating: 0.0, count: matrix.itemCount)
        for (pattern, frequency) in zip(matrix.patterns, matrix.frequencies) {
            let score = pattern.count { $0 }
            distribution[score] += frequency
            for item in pattern.indices where pattern[item] {
                products[item] += Double(frequency * score)
            }
        }
        let facilities = right.map { n > 0 ? Double($0) / n : 0 }
        let mean = facilities.reduce(0, +)
        self.facilities = facilities
        self.distribution = distribution
        meanScore = mean
        itemVariances = facilities.map { $0 * (1 - $0) * n / below }
        scoreVariance =
            distribution.enumerated().reduce(0) { sum, entry in
                let distance = Double(entry.offset) - mean
                return sum + Double(entry.element) * distance * distance
            } / below
        covariances = products.indices.map { (products[$0] - n * facilities[$0] * mean) / below }
    }

    func totalCorrelation(_ item: Int) -> Double {
        correlation(covariances[item], itemVariances[item], scoreVariance)
    }

    func restCorrelation(_ item: Int) -> Double {
        correlation(
            covariances[item] - itemVariances[item], itemVariances[item], restVariance(item))
    }

    func restVariance(_ item: Int) -> Double {
        max(0, scoreVariance - 2 * covariances[item] + itemVariances[item])
    }

    private func correlation(_ covariance: Double, _ one: Double, _ other: Double) -> Double {
        one * other > 1e-18 ? covariance / (one * other).squareRoot() : 0
    }
}
