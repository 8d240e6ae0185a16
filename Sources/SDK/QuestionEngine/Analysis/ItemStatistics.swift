import Foundation

/// The classical test statistics of one response of a question.
public struct ResponseStatistics: Sendable, Hashable, Codable {
    /// The label of the response.
    public var label: String
    /// True for the published key.
    public var isKey: Bool
    /// The fraction of respondents who gave it.
    public var share: Double
    /// The correlation of the response with the fraction right of the other questions.
    public var restCorrelation: Double
    /// The correlation of the response with `AbilityProxy`.
    public var abilityCorrelation: Double
    /// The number of the upper 27 % who gave it.
    public var upperCount: Int
    /// The number of the lower 27 % who gave it.
    public var lowerCount: Int
}

/// The classical test statistics of one question.
///
/// No number is ever NaN: an undefined correlation, because all answers are equal, is 0.
///
/// ```swift
/// let items = [ResponseMatrix.Item(id: "q1", responses: ["a", "b"], key: 0)]
/// let table = try ResponseMatrix(items: items, person: [0, 1], item: [0, 0], response: [0, 1])
/// for item in ItemStatistics.all(of: table) {
///     print(item.id, item.facility, item.restCorrelation)
/// }
/// ```
public struct ItemStatistics: Sendable, Hashable, Codable, Identifiable {
    /// The question's id.
    public var id: String
    /// The number of respondents.
    public var respondentCount: Int
    /// The fraction of right answers (the item difficulty of classical test theory); 0 without any.
    public var facility: Double
    /// The point-biserial correlation with the total score, which includes the question itself.
    public var totalCorrelation: Double
    /// The rest-corrected point-biserial correlation: with the score on all other questions.
    public var restCorrelation: Double
    /// The fraction right in the upper 27 % minus that in the lower 27 %.
    public var upperLowerDiscrimination: Double
    /// The rest correlation relative to the best that the facility allows, from -1 to 1: the
    /// discriminative efficiency of Moodle's quiz report.
    public var discriminativeEfficiency: Double
    /// The responses, in the order of the question.
    public var responses: [ResponseStatistics]
}

extension ItemStatistics {
    /// Computes the statistics of every question of a table.
    ///
    /// Scores are fractions of right answers, so that people who were asked different questions are comparable. If all
    /// people answered all questions, they have the order of the sums.
    public static func all(of table: ResponseMatrix) -> [ItemStatistics] {
        let scores = PersonScores(table)
        let proxy = AbilityProxy(table)
        return table.items.indices.map { item($0, table, scores, proxy) }
    }

    private static func item(
        _ index: Int, _ table: ResponseMatrix, _ scores: PersonScores, _ proxy: AbilityProxy
    ) -> ItemStatistics {
        let item = table.items[index]
        let rows = table.rows(of: index)
        let count = item.responses.count
        let rest = scores.rest(of: index, in: table)
        let byRest = correlations(
            responses: count, rows: rows, response: table.responses, measure: rest)
        let byTotal = correlations(
            responses: count, rows: rows, response: table.responses,
            measure: rows.map { scores.share(of: Int(table.persons[$0])) })
        let byAbility = correlations(
            responses: count, rows: rows, response: table.responses,
            measure: proxy.abilities(without: index, in: table))
        let counts = table.counts(of: index)
        let groups = AbilityGroups(index, table, scores)
        let size = Double(max(groups.size, 1))
        let isRight = rows.map { table.responses[$0] == Int32(item.key) }
        return ItemStatistics(
            id: item.id, respondentCount: rows.count,
            facility: rows.isEmpty ? 0 : Double(isRight.count { $0 }) / Double(rows.count),
            totalCorrelation: byTotal[item.key], restCorrelation: byRest[item.key],
            upperLowerDiscrimination: Double(groups.upper[item.key] - groups.lower[item.key])
                / size,
            discriminativeEfficiency: efficiency(isRight, rest),
            responses: item.responses.indices.map { response in
                ResponseStatistics(
                    label: item.responses[response], isKey: response == item.key,
                    share: rows.isEmpty ? 0 : Double(counts[response]) / Double(rows.count),
                    restCorrelation: byRest[response], abilityCorrelation: byAbility[response],
                    upperCount: groups.upper[response], lowerCount: groups.lower[response])
            })
    }

    /// Returns the covariance of right answers with the rest, relative to that of the same numbers
    /// sorted.
    private static func efficiency(_ isRight: [Bool], _ rest: [Double]) -> Double {
        func covariance(_ right: [Bool], _ rest: [Double]) -> Double {
            let count = Double(right.count)
            let total = rest.reduce(0, +)
            let rightTotal = Double(right.count { $0 })
            let products = zip(right, rest).reduce(0) { $0 + ($1.0 ? $1.1 : 0) }
            return products - rightTotal * total / count
        }
        guard !isRight.isEmpty else { return 0 }
        let wrongCount = isRight.count { !$0 }
        let best = covariance(isRight.indices.map { $0 >= wrongCount }, rest.sorted())
        return best > 1e-12 ? covariance(isRight, rest) / best : 0
    }
}

/// The numbers of answered and of right questions of each person.
struct PersonScores {
    private var right: [Double]
    private var answered: [Double]

    init(_ table: ResponseMatrix) {
        right = Array(repeating: 0, count: table.personCount)
        answered = right
        for item in table.items.indices {
            let key = Int32(table.items[item].key)
            for row in table.rows(of: item) {
                answered[Int(table.persons[row])] += 1
                if table.responses[row] == key { right[Int(table.persons[row])] += 1 }
            }
        }
    }

    /// Returns the fraction of right answers; 0 for a person without answers.
    func share(of person: Int) -> Double {
        answered[person] > 0 ? right[person] / answered[person] : 0
    }

    /// Returns, for each respondent of a question, the fraction right of the other questions.
    func rest(of item: Int, in table: ResponseMatrix) -> [Double] {
        let key = Int32(table.items[item].key)
        return table.rows(of: item).map { row in
            let person = Int(table.persons[row])
            let others = answered[person] - 1
            let own: Double = table.responses[row] == key ? 1 : 0
            return others > 0 ? (right[person] - own) / others : 0
        }
    }
}

/// The answers of the upper and the lower 27 % of a question's respondents.
///
/// Kelley (1939) showed that this fraction separates them best. People of equal score keep their
/// order.
struct AbilityGroups {
    let size: Int
    private(set) var upper: [Int]
    private(set) var lower: [Int]

    init(_ item: Int, _ table: ResponseMatrix, _ scores: PersonScores) {
        let order = table.rows(of: item)
            .map { (row: $0, share: scores.share(of: Int(table.persons[$0]))) }
            .sorted { left, right in
                left.share != right.share
                    ? left.share > right.share
                    : table.persons[left.row] < table.persons[right.row]
            }
        size = Int(0.27 * Double(order.count) + 0.5)
        upper = Array(repeating: 0, count: table.items[item].responses.count)
        lower = upper
        for entry in order.prefix(size) { upper[Int(table.responses[entry.row])] += 1 }
        for entry in order.suffix(size) { lower[Int(table.responses[entry.row])] += 1 }
    }
}
