import ContentModel
import Foundation

/// The questions with several right options, an order or a number whose key should be reviewed, the
/// most suspicious first.
///
/// Each different answer is treated as an option. There is no probability: too many answers are
/// possible for a fitted model, so people review the queue.
///
/// ```swift
/// let table = try AnswerTable(items: [], person: [], item: [], response: [])
/// for entry in KeyReviewQueue(table).entries { print(entry.id, entry.proposedAnswer) }
/// ```
public struct KeyReviewQueue: Sendable, Hashable {
    /// A question to review.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// The question's id.
        public var id: String
        /// The number of people who answered it at first sight.
        public var respondentCount: Int
        /// The lead in correlation with ability of the best other answer over the key, in standard
        /// errors of a correlation.
        public var suspicion: Double
        /// The answer with the highest correlation with ability, as ids separated by spaces or as a
        /// number.
        public var proposedAnswer: String
        /// The fraction of people who gave it.
        public var proposedShare: Double
        /// The fraction of people who gave the key.
        public var keyShare: Double
    }

    /// The minimum frequency of a candidate answer.
    public static let givenMin = 5

    /// The questions whose key correlates less with ability than another answer does.
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
