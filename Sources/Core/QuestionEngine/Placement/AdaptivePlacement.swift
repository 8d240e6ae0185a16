public import ContentModel

/// A placement test that chooses each question by the answers so far.
///
/// A value: it can be kept and taken up again after a crash. Ability is estimated by the mean of
/// the posterior on `AbilityGrid.adaptive`; the next question is the one that tells most about it.
public struct AdaptivePlacement: Sendable, Hashable, Codable {
    /// A question that may be asked.
    public struct Item: Sendable, Hashable, Codable {
        /// The question's id.
        public var id: String
        /// The domain, for balance.
        public var domain: String?
        /// Calibrated, or a start from the label.
        public var parameters: ItemParameters

        /// Describes a question.
        public init(id: String, domain: String? = nil, parameters: ItemParameters) {
            self.id = id
            self.domain = domain
            self.parameters = parameters
        }
    }

    /// When to stop and how to choose.
    public struct Settings: Sendable, Hashable, Codable {
        /// The fewest questions before a rule may stop the test.
        public var questionsMin: Int
        /// The most questions.
        public var questionsMax: Int
        /// Stops when the standard error is not greater.
        public var standardErrorMax: Double
        /// Stops when the interval of 95 % touches one level only.
        public var stopsWhenLevelIsClear: Bool
        /// Chooses by chance among so many of the best questions, so that no question is worn out
        /// (Kingsbury and Zara, 1989); 1 always takes the best.
        public var choiceAmong: Int
        /// The share of questions that are chosen by chance from all, for calibration.
        public var randomShare: Double

        /// The usual settings.
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

    /// Why no further question is asked.
    public enum Ending: String, Sendable, Hashable, Codable {
        /// The ability is known well enough.
        case standardError
        /// The level is clear.
        case level
        /// The test is as long as it may be.
        case length
        /// No question is left.
        case noQuestions
    }

    /// The next question, and whether chance chose it.
    public struct Choice: Sendable, Hashable {
        /// The question's id.
        public var id: String
        /// True when it was drawn from all questions, so that its answer stays eligible for
        /// analysis and calibration.
        public var isRandom: Bool
    }

    /// The questions with usable parameters.
    public let items: [Item]
    /// When to stop and how to choose.
    public let settings: Settings
    /// The levels.
    public let levels: AbilityLevels
    /// What each domain is to have of the questions; empty without balance.
    public let weights: [String: Double]
    /// The answered questions in their order, and whether each answer was right.
    public private(set) var answers: [Answer] = []

    /// An answer that was given.
    public struct Answer: Sendable, Hashable, Codable {
        /// The question's id.
        public var id: String
        /// Whether it was right.
        public var isRight: Bool
    }

    /// Why an answer is not taken.
    public enum Failure: Error, Hashable, Sendable {
        /// There is no such question in this test.
        case unknownItem(String)
        /// The question was answered before.
        case answeredBefore(String)
    }

    /// Begins a test; questions whose parameters are not usable are left out.
    public init(
        items: [Item], levels: AbilityLevels, weights: [String: Double] = [:],
        settings: Settings = Settings()
    ) {
        self.items = items.filter { $0.parameters.isUsable }
        self.settings = settings
        self.levels = levels
        self.weights = weights
    }

    /// Begins a test with the questions of a blueprint.
    ///
    /// - Parameters:
    ///   - blueprint: Its labels are a start for what is not calibrated, and its levels' names.
    ///   - calibration: Parameters by question id, where they exist.
    ///   - settings: When to stop and how to choose.
    public init(
        blueprint: Blueprint, calibration: [String: ItemParameters] = [:],
        settings: Settings = Settings()
    ) {
        let items = blueprint.questions.filter { !$0.isRetired }.map { question in
            let known = calibration[question.id].flatMap { $0.isUsable ? $0 : nil }
            return Item(
                id: question.id, domain: question.domain,
                parameters: known ?? ItemParameters(label: question.difficulty))
        }
        self.init(
            items: items, levels: AbilityLevels(labels: blueprint.levels),
            weights: Dictionary(
                blueprint.domains.map { ($0.id, $0.weight) }, uniquingKeysWith: { $1 }),
            settings: settings)
    }

    /// The ability by the answers so far.
    public var estimate: AbilityEstimate {
        let known = Dictionary(items.map { ($0.id, $0.parameters) }, uniquingKeysWith: { $1 })
        let pairs = answers.compactMap { answer in
            known[answer.id].map { (item: $0, isRight: answer.isRight) }
        }
        return .expectedAPosteriori(pairs, grid: .adaptive)
    }

    /// Takes an answer.
    ///
    /// - Throws: `Failure` for a question that is not in the test or was answered before.
    public mutating func record(_ id: String, isRight: Bool) throws(Failure) {
        guard items.contains(where: { $0.id == id }) else { throw .unknownItem(id) }
        guard !answers.contains(where: { $0.id == id }) else { throw .answeredBefore(id) }
        answers.append(Answer(id: id, isRight: isRight))
    }

    /// Why the test is over; `nil` while it goes on.
    public var ending: Ending? {
        if answers.count >= settings.questionsMax { return .length }
        if answers.count >= items.count { return .noQuestions }
        guard answers.count >= settings.questionsMin, !answers.isEmpty else { return nil }
        let estimate = estimate
        if estimate.standardError <= settings.standardErrorMax { return .standardError }
        let isClear = levels.cuts.count > 1 && levels.levels(of: estimate).count == 1
        return settings.stopsWhenLevelIsClear && isClear ? .level : nil
    }

    /// The question to ask next; `nil` when the test is over.
    public func next(using generator: inout some RandomNumberGenerator) -> Choice? {
        guard ending == nil else { return nil }
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
        }.prefix(settings.choiceAmong)
        let chosen = best.count == 1 ? best.first : best.randomElement(using: &generator)
        return chosen.map { Choice(id: $0.item.id, isRandom: false) }
    }

    /// The open questions of the domain that is furthest behind its share.
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
