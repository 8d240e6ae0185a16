public import ContentModel

/// An adaptive placement test: each question depends on the answers so far.
///
/// The value can be stored, and resumed after a crash. Ability is estimated by the mean of the posterior on
/// `AbilityGrid.adaptive`; the next question is the most informative one there.
///
/// ```swift
/// let items = (1...20).map {
///     AdaptivePlacement.Item(id: "q\($0)", parameters: ItemParameters(label: $0 % 5 + 1))
/// }
/// var random = SeededRandom(seed: 1)
/// var test = AdaptivePlacement(items: items, levels: AbilityLevels(labels: [1: "A1", 3: "B1"]))
/// while let choice = test.next(using: &random) {
///     try test.record(choice.id, isRight: choice.id != "q4")
/// }
/// print(test.levels.level(of: test.estimate.ability) ?? "no level")
/// ```
public struct AdaptivePlacement: Sendable, Hashable, Codable {
    /// A question of the test.
    public struct Item: Sendable, Hashable, Codable, Identifiable {
        /// The question's id.
        public var id: String
        /// The id of its domain, for balance.
        public var domain: String?
        /// The calibrated parameters, or initial ones from the label.
        public var parameters: ItemParameters

        /// Creates a question.
        public init(id: String, domain: String? = nil, parameters: ItemParameters) {
            self.id = id
            self.domain = domain
            self.parameters = parameters
        }
    }

    /// The rules of stopping and of selection.
    public struct Settings: Sendable, Hashable, Codable {
        /// The minimum number of questions before another rule may stop the test.
        public var questionsMin: Int
        /// The maximum number of questions.
        public var questionsMax: Int
        /// The standard error at or below which the test stops.
        public var standardErrorMax: Double
        /// True to stop once the interval of 95 % overlaps one level only.
        public var stopsWhenLevelIsClear: Bool
        /// The number of best questions from which chance selects, to limit exposure (Kingsbury and Zara, 1989); 1
        /// always selects the best.
        public var choiceAmong: Int
        /// The fraction of questions that chance selects from all, for calibration.
        public var randomShare: Double

        /// Creates settings; the defaults suit most tests.
        public init(
            questionsMin: Int = 8, questionsMax: Int = 30, standardErrorMax: Double = 0.32,
            stopsWhenLevelIsClear: Bool = true, choiceAmong: Int = 5, randomShare: Double = 0.05
        ) {
            self.questionsMin = max(0, questionsMin)
            self.questionsMax = max(1, questionsMax)
            self.standardErrorMax = standardErrorMax
            self.stopsWhenLevelIsClear = stopsWhenLevelIsClear
            self.choiceAmong = max(1, choiceAmong)
            self.randomShare = randomShare.isNaN ? 0 : min(max(randomShare, 0), 1)
        }
    }

    /// The reason for the end of the test.
    public enum StopReason: String, Sendable, Hashable, Codable {
        /// The standard error is small enough.
        case standardError
        /// The level is clear.
        case level
        /// The maximum number of questions was reached.
        case length
        /// No question is left.
        case noQuestions
    }

    /// The next question, with the way in which it was selected.
    public struct Choice: Sendable, Hashable {
        /// The question's id.
        public var id: String
        /// True when it was drawn from all questions, so that its answer is eligible for analysis
        /// and calibration.
        public var isRandom: Bool
    }

    /// The questions with usable parameters.
    public let items: [Item]
    /// The rules of stopping and of selection.
    public let settings: Settings
    /// The levels.
    public let levels: AbilityLevels
    /// The weight of each domain; empty without balance.
    public let weights: [String: Double]
    /// The answered questions in their order, each with its outcome.
    public private(set) var answers: [Answer] = []

    /// A recorded answer.
    public struct Answer: Sendable, Hashable, Codable, Identifiable {
        /// The question's id.
        public var id: String
        /// True for a right answer.
        public var isRight: Bool
    }

    /// Creates a test; questions with unusable parameters are ignored.
    public init(
        items: [Item], levels: AbilityLevels, weights: [String: Double] = [:],
        settings: Settings = Settings()
    ) {
        self.items = items.filter { $0.parameters.isUsable }
        self.settings = settings
        self.levels = levels
        self.weights = weights
    }

    /// Creates a test with the questions of a blueprint.
    ///
    /// - Parameters:
    ///   - blueprint: The questions; their labels and numbers of options give initial parameters, and the levels'
    ///     names.
    ///   - calibration: Calibrated parameters by question id, where they exist.
    ///   - settings: The rules of stopping and of selection.
    public init(
        blueprint: Blueprint, calibration: [String: ItemParameters] = [:],
        settings: Settings = Settings()
    ) {
        let items = blueprint.questions.filter { !$0.isRetired }.map { question in
            let known = calibration[question.id].flatMap { $0.isUsable ? $0 : nil }
            return Item(
                id: question.id, domain: question.domain,
                parameters: known ?? ItemParameters(labelOf: question))
        }
        self.init(
            items: items, levels: AbilityLevels(labels: blueprint.levels),
            weights: Dictionary(
                blueprint.domains.map { ($0.id, $0.weight) }, uniquingKeysWith: { $1 }),
            settings: settings)
    }

    /// The estimated ability by the answers so far.
    public var estimate: AbilityEstimate {
        let known = Dictionary(items.map { ($0.id, $0.parameters) }, uniquingKeysWith: { $1 })
        let pairs = answers.compactMap { answer in
            known[answer.id].map { (item: $0, isRight: answer.isRight) }
        }
        return .expectedAPosteriori(pairs, grid: .adaptive)
    }

    /// Records an answer.
    ///
    /// - Throws: `PlacementError` for a question that is not in the test or was already answered.
    public mutating func record(_ id: String, isRight: Bool) throws(PlacementError) {
        guard items.contains(where: { $0.id == id }) else { throw .unknownItem(id) }
        guard !answers.contains(where: { $0.id == id }) else { throw .answeredBefore(id) }
        answers.append(Answer(id: id, isRight: isRight))
    }

    /// The reason for the end of the test; `nil` while it continues.
    public var stopReason: StopReason? {
        if answers.count >= settings.questionsMax { return .length }
        if answers.count >= items.count { return .noQuestions }
        guard answers.count >= settings.questionsMin, !answers.isEmpty else { return nil }
        let estimate = estimate
        if estimate.standardError <= settings.standardErrorMax { return .standardError }
        let isClear = levels.cuts.count > 1 && levels.levels(of: estimate).count == 1
        return settings.stopsWhenLevelIsClear && isClear ? .level : nil
    }

    /// Returns the next question; `nil` when the test is over.
    public func next(using generator: inout some RandomNumberGenerator) -> Choice? {
        guard stopReason == nil else { return nil }
        let asked = Set(answers.map(\.id))
        let open = items.filter { !asked.contains($0.id) }
        if settings.randomShare > 0,
            Double.random(in: 0..<1, using: &generator) < settings.randomShare
        {
            return open.randomElement(using: &generator).map { Choice(id: $0.id, isRandom: true) }
        }
        let ability = estimate.ability
        // A stable sort: of equally informative questions the earlier comes first.
        let best = balanced(open).enumerated().map { offset, item in
            (item: item, information: item.parameters.information(ability: ability), offset: offset)
        }.sorted { left, right in
            left.information != right.information
                ? left.information > right.information : left.offset < right.offset
        }.prefix(max(1, settings.choiceAmong))
        let chosen = best.count == 1 ? best.first : best.randomElement(using: &generator)
        return chosen.map { Choice(id: $0.item.id, isRandom: false) }
    }

    /// Returns the open questions of the domain that is furthest behind its share.
    private func balanced(_ open: [Item]) -> [Item] {
        guard !weights.isEmpty else { return open }
        let domains = Dictionary(items.map { ($0.id, $0.domain) }, uniquingKeysWith: { $1 })
        var counts: [String: Double] = [:]
        for answer in answers {
            if let domain = domains[answer.id] ?? nil { counts[domain, default: 0] += 1 }
        }
        let total = weights.values.reduce(0, +)
        let present = Set(open.compactMap(\.domain))
        let behind = weights.keys.filter(present.contains).map { domain in
            let share = (weights[domain] ?? 0) / total * Double(answers.count + 1)
            return (domain: domain, deficit: share - (counts[domain] ?? 0))
        }.max { ($0.deficit, $1.domain) < ($1.deficit, $0.domain) }
        guard let behind else { return open }
        return open.filter { $0.domain == behind.domain }
    }
}
