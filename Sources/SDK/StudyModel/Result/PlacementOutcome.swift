public import Underway

/// The level of a placement test with its uncertainty.
public struct PlacementOutcome: Sendable, Hashable {
    /// A level on the scale with its bounds, in standard deviations of the population.
    public struct Band: Sendable, Hashable, Identifiable {
        /// The level's label.
        public var level: String
        /// The lower bound; `nil` for the lowest level.
        public var from: Double?
        /// The upper bound; `nil` for the highest level.
        public var to: Double?

        /// The label.
        public var id: String { level }
    }

    /// The probability that the level is one of the likely ones.
    public static let likelihood = 0.95

    /// The level; `nil` when the test ended early, when no question was answered, or when the bank has no levels.
    public var level: String?
    /// The levels that overlap the interval of 95 %, ascending.
    public var likelyLevels: [String]
    /// The estimated ability with its standard error.
    public var estimate: AbilityEstimate
    /// The levels, ascending.
    public var scale: [Band]
    /// The number of answered questions.
    public var questionCount: Int

    /// Computes the outcome of a session.
    ///
    /// - Parameters:
    ///   - session: The session with its original grades.
    ///   - blueprint: The bank.
    ///   - regraded: The session regraded after corrections, if they change a grade. The original grades determine if
    ///     the test has ended.
    /// - Throws: `PlacementError`.
    public init(
        _ session: StudySession, _ blueprint: Blueprint, regraded: StudySession? = nil
    ) throws {
        let asked = try PlacementCourse(blueprint, session)
        let course = try regraded.map { try PlacementCourse(blueprint, $0) } ?? asked
        let cuts = course.levels.cuts
        estimate = course.estimate
        questionCount = session.items.count { $0.answer != nil }
        // Questions that were left open say something only beside answers: without any, nothing is known.
        let isMeasured = asked.isOver && questionCount > 0
        level = isMeasured ? course.levels.level(of: course.estimate.ability) : nil
        likelyLevels = course.levels.levels(of: course.estimate)
        scale = cuts.indices.map { index in
            Band(
                level: cuts[index].level, from: index == 0 ? nil : cuts[index].from,
                to: index + 1 < cuts.count ? cuts[index + 1].from : nil)
        }
    }
}
