/// The strength of the evidence that a bank's answers give about its keys.
///
/// Definitions by the rule `wrong-key-detector-2` (``WrongKeyDetector``).
public struct BankSignal: Sendable, Hashable, Codable {
    /// The number of questions with one right option and enough answers.
    public let judgedCount: Int
    /// The mean lead of the keys over the other options in correlation with ability: the difference of correlations,
    /// shrunk towards .25 and at least .02.
    public let keyLead: Double
    /// The variance of the keys' correlations between questions beyond chance, shrunk and at least .002.
    public let keyVariance: Double
    /// The mean fraction of right answers, shrunk towards .6.
    public let facility: Double
    /// The observed mean fraction of right answers; 0 without questions.
    public let rightShare: Double
    /// The mean fraction of right answers by guessing.
    public let chance: Double

    /// The learners' distance above chance, from 0 to 1.
    public var aboveChance: Double { chance < 1 ? max(0, (facility - chance) / (1 - chance)) : 0 }

    init(_ evidence: [KeyEvidence]) {
        let count = Double(evidence.count)
        let keys = evidence.map { $0.options[$0.key].ability }
        let mean = evidence.isEmpty ? 0 : keys.reduce(0, +) / count
        let spread = keys.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let noise = evidence.reduce(0) { $0 + 1 / Double($1.respondentCount) }
        judgedCount = evidence.count
        keyLead = max(0.02, (evidence.reduce(0) { $0 + $1.keyLead } + 5 * 0.25) / (count + 5))
        keyVariance = max(0.002, (spread - noise + 10 * 0.02) / (count + 10))
        let right = evidence.reduce(0) { $0 + $1.options[$1.key].share }
        rightShare = evidence.isEmpty ? 0 : right / count
        facility = (right + 5 * 0.6) / (count + 5)
        chance =
            evidence.isEmpty
            ? 0 : evidence.reduce(0) { $0 + 1 / Double($1.options.count) } / count
    }
}
