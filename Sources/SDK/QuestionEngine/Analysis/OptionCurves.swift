import Foundation

/// The frequency of each response from the least to the most able people.
///
/// A right key rises with ability, and every other response falls. If another one rises and the key falls, the key is
/// wrong; if two rise, the question has two right answers.
///
/// ```swift
/// for curves in OptionCurves.curves(of: table, ids: ["q1"]) {
///     let ofKey = curves.groups.map { $0.shares[curves.key] }
///     print(curves.id, ofKey.first ?? 0, "to", ofKey.last ?? 0)
/// }
/// ```
public struct OptionCurves: Sendable, Hashable, Codable, Identifiable {
    /// A group of people of similar ability.
    public struct Group: Sendable, Hashable, Codable {
        /// Their mean ability, on a scale without unit.
        public var ability: Double
        /// The number of people.
        public var count: Int
        /// The fraction of each response, in the order of the question.
        public var shares: [Double]
    }

    /// The maximum number of groups.
    public static let groupsMax = 10
    /// The minimum number of people in a group.
    public static let groupSizeMin = 10

    /// The question's id.
    public let id: String
    /// The label of each response.
    public let labels: [String]
    /// The index of the published key.
    public let key: Int
    /// The groups, the least able first; empty for a question without answers.
    public let groups: [Group]
}

extension OptionCurves {
    /// Computes the curves of some questions.
    ///
    /// - Parameters:
    ///   - table: First-sight answers.
    ///   - ids: The questions.
    /// - Returns: The curves in the order of the table.
    public static func curves(of table: ResponseMatrix, ids: Set<String>) -> [OptionCurves] {
        let proxy = AbilityProxy(table)
        return table.items.indices.filter { ids.contains(table.items[$0].id) }.map { index in
            let item = table.items[index]
            return OptionCurves(
                id: item.id, labels: item.responses, key: item.key,
                groups: groups(index, table, proxy))
        }
    }

    private static func groups(
        _ index: Int, _ table: ResponseMatrix, _ proxy: AbilityProxy
    ) -> [Group] {
        let abilities = proxy.abilities(without: index, in: table)
        let people = zip(abilities, table.rows(of: index)).sorted { $0.0 < $1.0 }
        guard !people.isEmpty else { return [] }
        let count = max(1, min(groupsMax, people.count / groupSizeMin))
        return (0..<count).map { group in
            let members = people[
                (group * people.count / count)..<((group + 1) * people.count / count)]
            var shares = Array(repeating: 0.0, count: table.items[index].responses.count)
            for (_, row) in members {
                shares[Int(table.responses[row])] += 1 / Double(members.count)
            }
            return Group(
                ability: members.reduce(0) { $0 + $1.0 } / Double(members.count),
                count: members.count, shares: shares)
        }
    }
}
