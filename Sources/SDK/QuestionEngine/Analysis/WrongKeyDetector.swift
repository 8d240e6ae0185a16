import Foundation

/// A detector of wrong published keys, from the choices of able and less able learners.
///
/// Each option is judged by the same merit, which grows with its correlation with ability, its popularity and the bend
/// of its curve, all relative to this bank (``BankSignal``); the key has a bonus. The score is the logarithm of the
/// odds that another option is the right one. Six numbers were fitted to simulated banks with 5 % wrong keys. The tests
/// compare scores with vectors; `script/bench detector` measures precision, recall and calibration. The article on the
/// detector explains its limits.
///
/// ```swift
/// let items = [ResponseMatrix.Item(id: "q1", responses: ["a", "b", "c"], key: 0)]
/// let table = try ResponseMatrix(items: items, person: [0, 1], item: [0, 0], response: [0, 1])
/// let review = WrongKeyDetector().review(of: table, reports: ["q1": 2])
/// for finding in review.findings where finding.outcome == .act { print(finding.id) }
/// ```
public struct WrongKeyDetector: Sendable {
    /// The minimum number of first-sight answers for a finding.
    public static let respondentsMin = 20

    /// The prior.
    public var prior: WrongKeyPrior

    /// Creates a detector.
    public init(prior: WrongKeyPrior = WrongKeyPrior()) {
        self.prior = prior
    }

    /// Judges every question with one right option, in one pass over the answers.
    ///
    /// - Parameters:
    ///   - table: First-sight answers; ``KeyReviewQueue`` judges other types of question.
    ///   - reports: The number of learners who reported each question, by its id.
    /// - Returns: One finding for each question with enough answers, and the strength of this bank's evidence.
    public func review(of table: ResponseMatrix, reports: [String: Int] = [:]) -> KeyReview {
        let proxy = AbilityProxy(table)
        let judged = Self.judged(table)
        let evidence = judged.map { KeyEvidence($0, table, proxy) }
        let rule = KeyRule(bank: BankSignal(evidence))
        let findings = zip(judged, evidence).map { index, evidence in
            let item = table.items[index]
            return finding(
                item, evidence, rule, shift: prior.shift(reports: reports[item.id] ?? 0))
        }
        return KeyReview(signal: rule.bank, findings: findings)
    }

    /// Returns the questions with one right option and enough answers.
    static func judged(_ table: ResponseMatrix) -> [Int] {
        table.items.indices.filter {
            table.items[$0].hasFixedResponses && table.rows(of: $0).count >= respondentsMin
        }
    }

    private func finding(
        _ item: ResponseMatrix.Item, _ evidence: KeyEvidence, _ rule: KeyRule, shift: Double
    ) -> WrongKeyFinding {
        let (plain, best) = rule.judge(evidence)
        let score = plain + shift
        let probability = 1 / (1 + exp(-score))
        let outcome = KeyOutcome(probability: probability)
        let proposed = outcome.isSuspicious ? best : nil
        let (clear, flag) = rule.answersThatDecide(from: rule.scoreOfShares(evidence) + shift)
        return WrongKeyFinding(
            id: item.id, respondentCount: evidence.respondentCount, score: score,
            probability: probability, outcome: outcome, proposedKey: proposed,
            proposedLabel: proposed.map { item.responses[$0] }, answersToClear: clear,
            answersToFlag: flag)
    }
}

/// The findings about the keys of a bank.
///
/// ```swift
/// let table = try ResponseMatrix(items: [], person: [], item: [], response: [])
/// let review = WrongKeyDetector().review(of: table)
/// print(review.isWeak, review.count(.act), review.signal.rightShare)
/// ```
public struct KeyReview: Sendable, Hashable, Codable {
    /// The strength of the answers' evidence.
    public let signal: BankSignal
    /// The suspicious keys, the most suspicious first; then the others, in the order of the table.
    ///
    /// A question without enough signal is not suspicious, so it is not sorted by its score.
    public let findings: [WrongKeyFinding]

    init(signal: BankSignal, findings: [WrongKeyFinding]) {
        self.signal = signal
        let suspicious = findings.filter(\.outcome.isSuspicious)
            .sorted { $0.score != $1.score ? $0.score > $1.score : $0.id < $1.id }
        self.findings = suspicious + findings.filter { !$0.outcome.isSuspicious }
    }

    /// Returns the number of questions with an outcome.
    public func count(_ outcome: KeyOutcome) -> Int { findings.count { $0.outcome == outcome } }

    /// True when more than a quarter of the questions lack signal; the report then states this first.
    public var isWeak: Bool { 4 * count(.notEnoughSignal) > findings.count }
}
