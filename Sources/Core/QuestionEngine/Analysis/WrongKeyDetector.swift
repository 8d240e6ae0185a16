import ContentModel
import Foundation

/// The prior probability that a key is wrong, before any answer.
public struct WrongKeyPrior: Sendable, Hashable {
    /// The fraction of wrong keys in a bank; 5 % if unknown.
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
        self.oddsPerReport = oddsPerReport.isNaN ? 3 : max(1, oddsPerReport)
        self.probabilityMax = max(share(probabilityMax, 0.5), self.prevalence)
    }

    /// Returns the probability after a number of reports.
    public func probability(reports: Int) -> Double {
        let odds = prevalence / (1 - prevalence) * pow(oddsPerReport, Double(max(0, reports)))
        return min(odds / (1 + odds), probabilityMax)
    }
}

/// The evidence of the answers to one question about its key.
public struct WrongKeyFinding: Sendable, Hashable, Identifiable {
    /// The question's id.
    public var id: String
    /// The number of people who answered it at first sight.
    public var respondentCount: Int
    /// The natural logarithm of the odds that the key is wrong.
    public var score: Double
    /// The probability that the key is wrong.
    public var probability: Double
    /// The index of the response that is probably right; `nil` unless the question should be
    /// reviewed.
    public var proposedKey: Int?
    /// The label of the proposed key.
    public var proposedLabel: String?
}

/// A detector of wrong published keys, from the choices of able and less able learners.
///
/// A logistic model over four features: the correlation of the key with ability, that of the best
/// other option relative to it, the lead of the most popular distractor over the key, and the
/// facility. Coefficients were fitted to simulated banks with 5 % wrong keys; the tests compare
/// them with vectors, `script/bench detector` measures precision and recall. The article on the
/// detector explains its limits.
///
/// ```swift
/// let items = [AnswerTable.Item(id: "q1", responses: ["a", "b", "c"], key: 0)]
/// let table = try AnswerTable(items: items, person: [0, 1], item: [0, 0], response: [0, 1])
/// let findings = WrongKeyDetector().findings(in: table, reports: ["q1": 2])
/// for finding in findings where finding.proposedKey != nil { print(finding.id) }
/// ```
public struct WrongKeyDetector: Sendable {
    /// The minimum number of first-sight answers for a finding.
    public static let respondentsMin = 20
    /// The score from which a question should be reviewed: more likely wrong than not.
    public static let reviewThreshold = 0.0
    /// The score (odds of 4) from which a proposal needs no comparison with others.
    public static let strictThreshold = 1.3862943611198906

    private static let intercept = -1.229
    private static let coefficients = (key: -6.8769, gain: 5.1433, lead: 5.1357, facility: -5.5968)
    private static let fittedPrevalence = 0.05

    /// The prior.
    public var prior: WrongKeyPrior

    /// Creates a detector.
    public init(prior: WrongKeyPrior = WrongKeyPrior()) {
        self.prior = prior
    }

    /// Judges every question with one right option, the most suspicious first.
    ///
    /// - Parameters:
    ///   - table: First-sight answers; other types of question are left to `KeyReviewQueue`.
    ///   - reports: The number of learners who reported each question, by its id.
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

    /// Returns the merit of a response as the key.
    static func merit(strength: Double, share: Double) -> Double {
        coefficients.gain * strength + coefficients.lead * share
    }
}

/// The detector's features of a question's answers.
struct KeyFeatures {
    /// The correlation of the key with ability, times the root of the respondents, over 10.
    let keyStrength: Double
    /// The greatest such number among the other responses, minus that of the key.
    let gain: Double
    /// The lead of the most frequent other response over the key, as a fraction; at least 0.
    let lead: Double
    /// The fraction of respondents who chose the key.
    let facility: Double
    /// The other response with the highest merit as the key.
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
