import Foundation

/// The share of right answers in an exam, from the chance of each question.
///
/// The number of right answers among questions with different chances is Poisson-binomial: with chances
/// *p* of *n* questions its variance is the sum of *p*(1 − *p*). An exam that draws *k* of the *n* questions
/// at random adds the luck of the draw; the variance of the share is then
///
///     (mean of p(1 − p) + (n − k) / (n − 1) · variance of p) / k
///
/// which is the Poisson-binomial one for *k* = *n* (sampling without replacement: Cochran, W. G., "Sampling
/// Techniques", 3rd ed., 1977, theorem 2.2). The band is the normal approximation, clamped to 0 and 1; below about 20
/// questions it is rough.
///
/// The band covers only chance: the selected questions, and the recall of each. It does not cover an error of the
/// memory model for this learner, or study that differs from the assumption.
public struct ShareForecast: Sendable, Hashable {
    /// The share of exams within the band: 8 of 10.
    public static let coverage = 0.8
    /// The standard normal quantile of the band: 90 % of a normal distribution lie below it.
    static let quantile = 1.281_551_565_544_600_4

    /// The expected share, from 0 to 1.
    public let expected: Double
    /// The standard deviation of the share.
    public let standardDeviation: Double

    /// The lower end of the band.
    public var low: Double { max(0, expected - Self.quantile * standardDeviation) }
    /// The upper end of the band.
    public var high: Double { min(1, expected + Self.quantile * standardDeviation) }

    /// Computes the share.
    ///
    /// - Parameters:
    ///   - chances: The chance of a right answer to each question, from 0 to 1.
    ///   - asked: The number of questions that the exam draws; `nil`, or a larger number than theirs, for all.
    public init(chances: [Double], asked: Int? = nil) {
        guard !chances.isEmpty else {
            (expected, standardDeviation) = (0, 0)
            return
        }
        let count = Double(chances.count)
        let drawn = Double(min(max(1, asked ?? chances.count), chances.count))
        let mean = chances.reduce(0, +) / count
        let luck = chances.reduce(0) { $0 + $1 * (1 - $1) } / count
        let spread = chances.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        let draw = count > 1 ? (count - drawn) / (count - 1) * spread : 0
        expected = mean
        standardDeviation = ((luck + draw) / drawn).squareRoot()
    }
}
