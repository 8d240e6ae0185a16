import Foundation

/// The rule `wrong-key-detector-2`: six fitted numbers that judge each response by the same merit, against
/// this bank.
struct KeyRule {
    private static let lead = 0.3866
    private static let strength = 3.4847
    private static let popularity = 3.8082
    private static let curvature = 1.6849
    private static let keyBonus = 4.6379
    private static let keyShare = -3.7064

    let bank: BankSignal

    /// Returns the logarithm of the odds that the key is wrong, and the best other response.
    func judge(_ evidence: KeyEvidence) -> (score: Double, best: Int?) {
        let merits = evidence.options.map { merit($0, respondents: evidence.respondentCount) }
        let others = merits.indices.filter { $0 != evidence.key }
        var best: Int?
        for option in others where merits[option] > (best.map { merits[$0] } ?? -.infinity) {
            best = option
        }
        return (
            score(merits, evidence), best.map { evidence.options[$0].response }
        )
    }

    /// Returns the score that the popularity of the responses alone gives.
    func scoreOfShares(_ evidence: KeyEvidence) -> Double {
        score(evidence.options.map { Self.popularity * bank.aboveChance * $0.logOdds }, evidence)
    }

    private func merit(_ option: KeyEvidence.Option, respondents: Int) -> Double {
        let root = Double(respondents).squareRoot() / 10
        let shrunk = bank.keyLead * option.ability / (1 / Double(respondents) + bank.keyVariance)
        return Self.lead * shrunk + Self.strength * option.ability * root
            + Self.popularity * bank.aboveChance * option.logOdds
            + Self.curvature * option.curvature * root
    }

    private func score(_ merits: [Double], _ evidence: KeyEvidence) -> Double {
        let others = merits.indices.filter { $0 != evidence.key }.map { merits[$0] }
        let greatest = others.max() ?? 0
        let sum = others.reduce(0) { $0 + exp($1 - greatest) }
        let bonus = Self.keyBonus + Self.keyShare * evidence.options[evidence.key].share
        return greatest + log(sum) - merits[evidence.key] - bonus
    }

    // MARK: How many answers would decide

    /// The numbers of answers that are looked at.
    private static let counts = [20, 50, 100, 200, 300, 500, 1_000, 2_000, 5_000, 10_000]

    /// Returns the numbers of answers of such learners after which the score would clear a right key and convict
    /// a wrong one, four times in five; `nil` if none of up to 10,000 would.
    func answersThatDecide(from score: Double) -> (clear: Int?, flag: Int?) {
        (
            Self.counts.first { score - effect($0) <= -log(49) },
            Self.counts.first { score + effect($0) >= log(9) }
        )
    }

    private func effect(_ answers: Int) -> Double {
        let count = Double(answers)
        let unit =
            Self.lead * bank.keyLead / (1 / count + bank.keyVariance)
            + Self.strength * count.squareRoot() / 10
        return unit * bank.keyLead - 0.84 * unit * (2 / count + bank.keyVariance).squareRoot()
    }
}
