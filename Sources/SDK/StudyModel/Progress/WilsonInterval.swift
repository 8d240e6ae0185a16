import Foundation

/// The Wilson score interval of a share that was observed in a number of trials.
///
/// Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical inference", Journal of the
/// American Statistical Association 22 (158), 209–212. Unlike the textbook interval it stays within 0 and 1 and has a
/// width for 0 of 5. It assumes independent trials, which repeated answers to one question are only roughly.
///
/// | right of answers | 95 % interval |
/// |---|---|
/// | 0 of 0 | 0 to 1 |
/// | 0 of 10 | 0 to 0.278 |
/// | 5 of 10 | 0.237 to 0.763 |
/// | 81 of 263 | 0.255 to 0.366 |
public struct WilsonInterval: Sendable, Hashable {
    /// The lowest share of the interval, from 0 to 1.
    public let low: Double
    /// The highest share of the interval, from 0 to 1.
    public let high: Double

    /// The standard normal quantile of a two-sided interval of 95 %.
    public static let quantile95 = 1.959_963_984_540_054

    /// Computes the interval.
    ///
    /// - Parameters:
    ///   - successes: The successes, from 0 to `trials`.
    ///   - trials: The trials; with none, the interval is 0 to 1.
    ///   - quantile: The standard normal quantile, by default that of 95 %.
    public init(_ successes: Int, of trials: Int, quantile: Double = Self.quantile95) {
        guard trials > 0 else {
            (low, high) = (0, 1)
            return
        }
        let count = Double(trials)
        let share = min(max(Double(successes) / count, 0), 1)
        let square = quantile * quantile
        let centre = (share + square / (2 * count)) / (1 + square / count)
        let spread = share * (1 - share) / count + square / (4 * count * count)
        let half = quantile * spread.squareRoot() / (1 + square / count)
        low = successes <= 0 ? 0 : max(0, centre - half)
        high = successes >= trials ? 1 : min(1, centre + half)
    }
}
