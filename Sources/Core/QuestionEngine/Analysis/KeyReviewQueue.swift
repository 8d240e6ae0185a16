import ContentModel
import Foundation

/// Questions with several right options, an order or a number whose key deserves a look, the most
/// suspicious first.
///
/// Each different answer is treated as an option. There is no probability: too many answers are
/// possible for a fitted model, so this is a queue for people.
public struct KeyReviewQueue: Sendable, Hashable {
    /// A question to look at.
    public struct Entry: Sendable, Hashable {
        /// The question's id.
        public var id: String
        /// How many people answered it at first sight.
        public var respondentCount: Int
        /// By how much the best other answer goes with ability more than the key does, in
        /// standard errors of a correlation.
        public var suspicion: Double
        /// The answer that goes with ability most, as ids with spaces between them or as a number.
        public var proposedAnswer: String
        /// The share of people who gave it.
        public var proposedShare: Double
        /// The share of people who gave the key.
        public var keyShare: Double
    }

    /// An answer that fewer gave is no candidate.
    public static let givenMin = 5

    /// The questions whose key goes with ability less than another answer does.
    public let entries: [Entry]

    /// Ranks the questions of a table that `WrongKeyDetector` leaves out.
    public init(_ table: AnswerTable) {
        let proxy = AbilityProxy(table)
        entries = table.items.indices
            .filter { !table.items[$0].hasFixedResponses }
            .compactMap { Self.entry($0, table, proxy) }
            .sorted { ($1.suspicion, $0.id) < ($0.suspicion, $1.id) }
    }

    private static func entry(
        _ index: Int, _ table: AnswerTable, _ proxy: AbilityProxy
    ) -> Entry? {
        let item = table.items[index]
        let rows = table.rows(of: index)
        guard rows.count >= WrongKeyDetector.respondentsMin else { return nil }
        let strengths = correlations(
            responses: item.responses.count, rows: rows, response: table.responses,
            measure: proxy.abilities(without: index, in: table))
        let counts = table.counts(of: index)
        let best = item.responses.indices
            .filter { $0 != item.key && counts[$0] >= givenMin }
            .max { strengths[$0] < strengths[$1] }
        guard let best, strengths[best] > strengths[item.key] else { return nil }
        let count = Double(rows.count)
        return Entry(
            id: item.id, respondentCount: rows.count,
            suspicion: (strengths[best] - strengths[item.key]) * count.squareRoot(),
            proposedAnswer: item.responses[best], proposedShare: Double(counts[best]) / count,
            keyShare: Double(counts[item.key]) / count)
    }
}
