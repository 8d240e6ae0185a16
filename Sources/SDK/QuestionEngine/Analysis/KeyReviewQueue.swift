import Foundation

/// The questions with several right options, an order or a number whose key should be reviewed, the most suspicious
/// first.
///
/// The key, and each other response that five people or more gave, is treated as an option and judged by the rule of
/// ``WrongKeyDetector``. The scores are only for sorting: too many responses are possible for a fitted probability, so
/// people review the queue.
///
/// ```swift
/// let table = try ResponseMatrix(items: [], person: [], item: [], response: [])
/// for entry in KeyReviewQueue(table).entries { print(entry.id, entry.proposedAnswer) }
/// ```
public struct KeyReviewQueue: Sendable, Hashable {
    /// A question to review.
    public struct Entry: Sendable, Hashable, Codable, Identifiable {
        /// The question's id.
        public var id: String
        /// The number of people who answered it at first sight.
        public var respondentCount: Int
        /// The score by which the queue is sorted; not the logarithm of known odds.
        public var suspicion: Double
        /// The best other response, as ids separated by spaces or as a number.
        public var proposedAnswer: String
        /// The fraction of people who gave it.
        public var proposedShare: Double
        /// The fraction of people who gave the key.
        public var keyShare: Double
    }

    /// The minimum frequency of a candidate response.
    public static let givenMin = 5

    /// The questions whose best other response has more merit than the key.
    public let entries: [Entry]

    /// Ranks the questions of a table that `WrongKeyDetector` does not judge.
    public init(_ table: ResponseMatrix) {
        let proxy = AbilityProxy(table)
        let bank = BankSignal(
            WrongKeyDetector.judged(table).map { KeyEvidence($0, table, proxy) })
        let rule = KeyRule(bank: bank)
        entries = table.items.indices
            .filter {
                !table.items[$0].hasFixedResponses
                    && table.rows(of: $0).count >= WrongKeyDetector.respondentsMin
            }
            .compactMap { Self.entry($0, table, proxy, rule) }
            .sorted { ($1.suspicion, $0.id) < ($0.suspicion, $1.id) }
    }

    private static func entry(
        _ index: Int, _ table: ResponseMatrix, _ proxy: AbilityProxy, _ rule: KeyRule
    ) -> Entry? {
        let evidence = KeyEvidence(index, table, proxy, givenMin: givenMin)
        let (score, best) = rule.judge(evidence)
        guard let best, KeyOutcome(probability: 1 / (1 + exp(-score))).isSuspicious,
            let proposed = evidence.options.first(where: { $0.response == best })
        else { return nil }
        return Entry(
            id: table.items[index].id, respondentCount: evidence.respondentCount, suspicion: score,
            proposedAnswer: table.items[index].responses[best], proposedShare: proposed.share,
            keyShare: evidence.options[evidence.key].share)
    }
}
