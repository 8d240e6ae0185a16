/// Levels on the scale of ability, from the lowest upwards.
///
/// ```swift
/// let levels = AbilityLevels([
///     .init(level: "A1", from: -3), .init(level: "A2", from: -1), .init(level: "B1", from: 0.5),
/// ])
/// print(levels.level(of: 0) ?? "")  // A2
/// print(levels.levels(of: AbilityEstimate(ability: 0, standardError: 0.3)))  // A2, B1
/// ```
public struct AbilityLevels: Sendable, Hashable, Codable {
    /// A level with its lower bound.
    public struct Cut: Sendable, Hashable, Codable {
        /// The label of the level, such as `B1`.
        public var level: String
        /// The lowest ability of the level; the first level has none.
        public var from: Double

        /// Creates a level.
        public init(level: String, from: Double) {
            self.level = level
            self.from = from
        }
    }

    /// The levels, ascending; the first contains everything below the second.
    public let cuts: [Cut]

    /// Creates levels from any order; those whose bound is not a number are ignored.
    public init(_ cuts: [Cut]) {
        self.cuts = cuts.filter { !$0.from.isNaN }.sorted { $0.from < $1.from }
    }

    /// Creates the levels of a blueprint's labels, each half a step around its difficulty.
    public init(labels: [Int: String]) {
        self.init(
            labels.map { label, level in
                Cut(level: level, from: ItemParameters(label: label).difficulty - 0.5)
            })
    }

    /// Returns the level of an ability; `nil` without levels.
    public func level(of ability: Double) -> String? {
        (cuts.last { $0.from <= ability } ?? cuts.first)?.level
    }

    /// Returns the levels that overlap an estimate's interval of 95 %, ascending.
    public func levels(of estimate: AbilityEstimate) -> [String] {
        let interval = estimate.interval
        return cuts.indices.filter { index in
            let starts = index == 0 ? -Double.infinity : cuts[index].from
            let ends = index + 1 < cuts.count ? cuts[index + 1].from : .infinity
            return starts <= interval.upperBound && ends > interval.lowerBound
        }.map { cuts[$0].level }
    }
}
