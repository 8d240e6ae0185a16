import Foundation

/// The prior probability that a key is wrong, before any answer.
public struct WrongKeyPrior: Sendable, Hashable {
    /// The fraction of wrong keys in a bank; 5 % if unknown, 1 % for a bank that was checked before.
    public var prevalence: Double
    /// The factor by which each report of a learner multiplies the odds.
    public var oddsPerReport: Double
    /// The highest probability that reports alone can give.
    public var probabilityMax: Double

    /// Creates a prior; numbers out of range are clamped.
    public init(
        prevalence: Double = 0.05, oddsPerReport: Double = 3, probabilityMax: Double = 0.5
    ) {
        func share(_ value: Double, _ other: Double) -> Double {
            value.isNaN ? other : min(max(value, 1e-6), 1 - 1e-6)
        }
        self.prevalence = share(prevalence, 0.05)
        self.oddsPerReport = oddsPerReport.isNaN ? 3 : min(max(1, oddsPerReport), 1e6)
        self.probabilityMax = max(share(probabilityMax, 0.5), self.prevalence)
    }

    /// Returns the probability after a number of reports.
    public func probability(reports: Int) -> Double {
        // By logarithms: the odds after a thousand reports are no number.
        let logit =
            log(prevalence / (1 - prevalence)) + Double(max(0, reports)) * log(oddsPerReport)
        return min(1 / (1 + exp(-logit)), probabilityMax)
    }

    /// Returns the summand of the prior for a score that was fitted to 5 % wrong keys.
    func shift(reports: Int) -> Double {
        let prior = probability(reports: reports)
        return log(prior / (1 - prior)) - log(0.05 / 0.95)
    }
}
