/// Levels on the scale of ability, from the lowest upwards.
public struct AbilityLevels: Sendable, Hashable, Codable {
    /// A level and the ability from which on it is reached.
    public struct Cut: Sendable, Hashable, Codable {
        /// What the level is called, such as `B1`.
        public var level: String
        /// The lowest ability of the level; the first level has none.
        public var from: Double

        /// Describes a level.
        public init(level: String, from: Double) {
            self.level = level
            self.from = from
        }
    }

    /// The levels, rising; the first one holds everything below the second.
    public let cuts: [Cut]

    /// Takes levels in any order; those whose border is no number are left out.
    public init(_ cuts: [Cut]) {
        self.cuts = cuts.filter { !$0.from.isNaN }.sorted { $0.from < $1.from }
    }

    /// The levels of a blueprint's labels, each reaching half a step around its difficulty.
    public init(labels: [Int: String]) {
        self.init(
            labels.map { label, level in
                Cut(level: level, from: ItemParameters(label: label).difficulty - 0.5)
            })
    }

    /// The level of an ability; `nil` where there are no levels.
    public func level(of ability: Double) -> String? {
        (cuts.last { $0.from <= ability } ?? cuts.first)?.level
    }

    /// The levels that an estimate's interval of 95 % touches, rising.
    public func levels(of estimate: AbilityEstimate) -> [String] {
        let interval = estimate.interval
        return cuts.indices.filter { index in
            let starts = index == 0 ? -Double.infinity : cuts[index].from
            let ends = index + 1 < cuts.count ? cuts[index + 1].from : .infinity
            return starts <= interval.upperBound && ends > interval.lowerBound
        }.map { cuts[$0].level }
    }
}
