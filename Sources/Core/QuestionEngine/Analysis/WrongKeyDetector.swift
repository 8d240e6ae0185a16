import ContentModel
import Foundation

/// How likely a key was wrong before anybody answered.
public struct WrongKeyPrior: Sendable, Hashable {
    /// The share of wrong keys in a bank, 5 % where nothing better is known.
    public var prevalence: Double
    /// By what each report of a learner multiplies the odds.
    public var oddsPerReport: Double
    /// Reports alone never make it more likely than this.
    public var probabilityMax: Double

    /// Sets a prior; numbers out of range are moved into it.
    public init(
        prevalence: Double = 0.05, oddsPerReport: Double = 3, probabilityMax: Double = 0.5
    ) {
        func share(_ value: Double, _ other: Double) -> Double {
            value.isNaN ? other : min(max(value, 1e-6), 1 - 1e-6)
        }
        self.prevalence = share(prevalence, 0.05)
        self.oddsPerReport = oddsPerReport.isNaN ? 3 : max(1, oddsPerReport)
        self.probabilityMax = max(share(probabilityMax, 0.5), self.prevalence)
    }

    /// The probability after so many reports.
    public func probability(reports: Int) -> Double {
        let odds = prevalence / (1 - prevalence) * pow(oddsPerReport, Double(max(0, reports)))
        return min(odds / (1 + odds), probabilityMax)
    }
}

/// What the answers to one question say about its key.
public struct WrongKeyFinding: Sendable, Hashable {
    /// The question's id.
    public var id: String
    /// How many people answered it at first sight.
    public var respondentCount: Int
    /// The natural logarithm of the odds that the key is wrong.
    public var score: Double
    /// The probability that the key is wrong.
    public var probability: Double
    /// The response that is probably right; `nil` unless the question is to be reviewed.
    public var proposedKey: Int?
    /// What the proposed key is called.
    public var proposedLabel: String?
}

/// Finds questions whose published key is wrong, by what able and weak learners choose.
///
/// A logistic model over four features: the correlation of the key with ability, that of the best
/// other option against it, by how much the most popular distractor beats the key, and the
/// facility. Coefficients were fitted to simulated banks with 5 % wrong keys; the tests hold them
/// against vectors, `script/bench detector` measures precision and recall.
/// What it can and cannot know is told in the article on the detector.
public struct WrongKeyDetector: Sendable {
    /// Fewer first-sight answers give no verdict.
    public static let respondentsMin = 20
    /// From this score on a question is to be reviewed: more likely wrong than not.
    public static let reviewThreshold = 0.0
    /// From this score on (odds of 4) a proposal may be made without a second look at others.
    public static let strictThreshold = 1.3862943611198906

    private static let intercept = -1.229
    private static let coefficients = (key: -6.8769, gain: 5.1433, lead: 5.1357, facility: -5.5968)
    private static let fittedPrevalence = 0.05

    /// How likely keys were wrong before.
    public var prior: WrongKeyPrior

    /// Prepares a detector.
    public init(prior: WrongKeyPrior = WrongKeyPrior()) {
        self.prior = prior
    }

    /// Judges every question with one right option, the most suspicious first.
    ///
    /// - Parameters:
    ///   - table: First-sight answers; other types of question are left to `KeyReviewQueue`.
    ///   - reports: How many learners reported each question, by its id.
    /// - Returns: One finding for each question with enough answers.
    public func findings(
        in table: AnswerTable, reports: [String: Int] = [:]
    ) -> [WrongKeyFinding] {
        let proxy = AbilityProxy(table)
        return table.items.indices.filter { table.items[$0].hasFixedResponses }.compactMap {
            finding($0, table, proxy, reports[table.items[$0].id] ?? 0)
        }.sorted { $0.score != $1.score ? $0.score > $1.score : $0.id < $1.id }
    }

    private func finding(
        _ index: Int, _ table: AnswerTable, _ proxy: AbilityProxy, _ reports: Int
    ) -> WrongKeyFinding? {
        let rows = table.rows(of: index)
        guard rows.count >= Self.respondentsMin else { return nil }
        let item = table.items[index]
        let features = KeyFeatures(index, table, proxy)
        let weights = Self.coefficients
        let prior = prior.probability(reports: reports)
        let score =
            Self.intercept + weights.key * features.keyStrength
            + weights.gain * features.gain + weights.lead * features.lead
            + weights.facility * features.facility
            + log(prior / (1 - prior))
            - log(Self.fittedPrevalence / (1 - Self.fittedPrevalence))
        let proposed = score > Self.reviewThreshold ? features.bestAlternative : nil
        return WrongKeyFinding(
            id: item.id, respondentCount: rows.count, score: score,
            probability: 1 / (1 + exp(-score)), proposedKey: proposed,
            proposedLabel: proposed.map { item.responses[$0] })
    }

    /// How well a response would do as the key.
    static func merit(strength: Double, share: Double) -> Double {
        coefficients.gain * strength + coefficients.lead * share
    }
}

/// What a question's answers look like to the detector.
struct KeyFeatures {
    /// The correlation of the key with ability, times the root of the respondents, over 10.
    let keyStrength: Double
    /// The greatest such number among the other responses, less that of the key.
    let gain: Double
    /// By how much the most frequent other response is chosen more than the key; at least 0.
    let lead: Double
    /// The share of the key.
    let facility: Double
    /// The other response that would do best as the key.
    let bestAlternative: Int?

    init(_ index: Int, _ table: AnswerTable, _ proxy: AbilityProxy) {
        let item = table.items[index]
        let rows = table.rows(of: index)
        let abilities = proxy.abilities(without: index, in: table)
        let scale = Double(rows.count).squareRoot() / 10
        let strengths = correlations(
            responses: item.responses.count, rows: rows, response: table.responses,
            measure: abilities
        ).map { $0 * scale }
        let step = rows.isEmpty ? 0 : 1 / Double(rows.count)
        let shares = table.counts(of: index).map { Double($0) * step }
        let others = item.responses.indices.filter { $0 != item.key }
        keyStrength = strengths[item.key]
        gain = (others.map { strengths[$0] }.max() ?? 0) - strengths[item.key]
        facility = shares[item.key]
        lead = max(0, (others.map { shares[$0] }.max() ?? 0) - facility)
        bestAlternative = others.max {
            WrongKeyDetector.merit(strength: strengths[$0], share: shares[$0])
                < WrongKeyDetector.merit(strength: strengths[$1], share: shares[$1])
        }
    }
}
