import Foundation
public import QuestionEngine

/// Answers of simulated people to a simulated bank with single-choice questions, some of whose
/// published keys are wrong.
///
/// Abilities are standard normal, difficulties normal with a deviation of 1.2, slopes log-normal
/// with .35. The spreads were chosen so that the detector does about as well as in the table of
/// `item_analysis.json`, whose own generator is not published.
public struct SimulatedBank: Sendable {
    /// How good the questions are.
    public enum Quality: String, Sendable, CaseIterable {
        /// Two-parameter logistic; distractors are chosen by chance.
        case clean
        /// Two-parameter logistic with a guessing floor of .2; distractors depend on ability.
        case good
        /// As good, but 10 % are flat, 5 % hard with one attractive distractor, 3 % have two
        /// defensible answers.
        case messy
    }

    /// Who answers what, and which keys are wrong.
    public enum Design: String, Sendable, CaseIterable {
        /// Everybody answers each question; a wrong key is any other option.
        case even
        /// Everybody answers 30 questions drawn by chance; a wrong key is drawn by appeal, as authors err where
        /// an option looks right.
        case sparse
    }

    /// The people who answer.
    public struct Learners: Sendable, Hashable {
        /// The mean of their abilities.
        public var mean: Double
        /// The deviation of their abilities.
        public var spread: Double

        public init(mean: Double = 0, spread: Double = 1) {
            self.mean = mean
            self.spread = spread
        }
    }

    /// The answers under the published keys.
    public let table: ResponseMatrix
    /// For each question with a wrong published key, the right one.
    public let rightKeys: [String: Int]

    public static let optionCount = 4

    /// The questions that a person answers in the sparse design.
    private static let answeredCount = 30

    /// Makes a bank with its answers.
    ///
    /// - Parameters:
    ///   - quality: How good the questions are.
    ///   - items: How many questions.
    ///   - people: How many people answer each, in the sparse design on average.
    ///   - wrongKeys: The share of wrong keys.
    ///   - design: Who answers what.
    ///   - learners: The people.
    ///   - seed: Equal seeds give equal banks.
    public init(
        _ quality: Quality, items: Int = 45, people: Int, wrongKeys: Double = 0.05,
        design: Design = .even, learners: Learners = Learners(), seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let questions = (0..<items).map { _ in SimulatedQuestion(quality, using: &random) }
        let wrongCount = Int(Double(items) * wrongKeys + .random(in: 0..<1, using: &random))
        let wrong = Set((0..<items).shuffled(using: &random).prefix(wrongCount))
        var rightKeys: [String: Int] = [:]
        let published = questions.enumerated().map { index, question in
            guard wrong.contains(index) else { return question.key }
            rightKeys["q\(index)"] = question.key
            return question.wrongKey(design, using: &random)
        }
        var person: [Int32] = []
        var item: [Int32] = []
        var response: [Int32] = []
        let asked = design == .even ? items : min(items, Self.answeredCount)
        for who in 0..<(people * items / asked) {
            let ability = learners.mean + learners.spread * random.nextNormal()
            let indices =
                asked == items
                ? Array(0..<items) : Array((0..<items).shuffled(using: &random).prefix(asked))
            for index in indices {
                person.append(Int32(who))
                item.append(Int32(index))
                response.append(
                    Int32(questions[index].answer(ability: ability, using: &random)))
            }
        }
        self.rightKeys = rightKeys
        table = try ResponseMatrix(
            items: published.enumerated().map { index, key in
                ResponseMatrix.Item(id: "q\(index)", responses: ["a", "b", "c", "d"], key: key)
            }, person: person, item: item, response: response)
    }
}

/// How a question behaves.
private struct SimulatedQuestion {
    let key: Int
    private var slope: Double
    private var difficulty: Double
    private var guessing: Double
    /// Of each option: how attractive it is to those who do not know, and how that grows with
    /// ability.
    private var appeal: [Double]
    private var appealSlope: [Double]
    /// A second answer that who knows takes half of the time.
    private var secondKey: Int?

    init(_ quality: SimulatedBank.Quality, using random: inout SeededGenerator) {
        key = Int.random(in: 0..<SimulatedBank.optionCount, using: &random)
        slope = exp(0.35 * random.nextNormal())
        difficulty = 1.2 * random.nextNormal()
        guessing = quality == .clean ? 0 : 0.2
        let isVaried = quality != .clean
        appeal = (0..<SimulatedBank.optionCount).map { _ in isVaried ? 0.8 * random.nextNormal() : 0
        }
        appealSlope = (0..<SimulatedBank.optionCount).map { _ in
            isVaried ? 0.4 * random.nextNormal() : 0
        }
        if quality == .messy { spoil(using: &random) }
    }

    private mutating func spoil(using random: inout SeededGenerator) {
        let other =
            (key + Int.random(in: 1..<SimulatedBank.optionCount, using: &random))
            % SimulatedBank.optionCount
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.10: slope = 0.1
        case ..<0.15:
            difficulty = 1.5 + 0.3 * random.nextNormal()
            appeal[other] += 1.5
        case ..<0.18: secondKey = other
        default: break
        }
    }

    /// Returns another option as the published key.
    func wrongKey(
        _ design: SimulatedBank.Design, using random: inout SeededGenerator
    ) -> Int {
        switch design {
        case .even:
            (key + Int.random(in: 1..<SimulatedBank.optionCount, using: &random))
                % SimulatedBank.optionCount
        case .sparse: distractor(ability: 0, using: &random)
        }
    }

    func answer(ability: Double, using random: inout SeededGenerator) -> Int {
        let knows = 1 / (1 + exp(-slope * (ability - difficulty)))
        let isRight = Double.random(in: 0..<1, using: &random) < guessing + (1 - guessing) * knows
        guard isRight else { return distractor(ability: ability, using: &random) }
        if let secondKey, Bool.random(using: &random) { return secondKey }
        return key
    }

    private func distractor(ability: Double, using random: inout SeededGenerator) -> Int {
        let weights = appeal.indices.map {
            $0 == key ? 0 : exp(appeal[$0] + appealSlope[$0] * ability)
        }
        var left = Double.random(in: 0..<weights.reduce(0, +), using: &random)
        for (option, weight) in weights.enumerated() {
            left -= weight
            if left < 0 { return option }
        }
        return (key + 1) % SimulatedBank.optionCount
    }
}

/// How well the detector did on simulated banks.
public struct DetectorScore: Sendable, Hashable {
    /// Suspicious keys that are wrong, and that are right.
    public var foundWrong = 0
    public var foundRight = 0
    /// Wrong keys that are not suspicious.
    public var missed = 0
    /// Of those found wrong, how many proposals are the right key.
    public var rightProposals = 0
    /// Keys to act on, and how many of them are wrong.
    public var acted = 0
    public var actedWrong = 0
    /// Keys of which the answers tell nothing, and all that were judged.
    public var undecided = 0
    public var judged = 0
    /// The right keys that were judged.
    public var rightKeys = 0

    public init() {}

    public var precision: Double { Self.share(foundWrong, foundWrong + foundRight) }
    public var recall: Double { Self.share(foundWrong, foundWrong + missed) }
    /// How often ".9 or more" is true.
    public var actPrecision: Double { Self.share(actedWrong, acted) }
    /// The suspicious ones among a hundred right keys.
    public var falseAlarms: Double { 100 * Double(foundRight) / Double(max(1, rightKeys)) }

    private static func share(_ part: Int, _ whole: Int) -> Double {
        whole == 0 ? 1 : Double(part) / Double(whole)
    }

    /// Judges one bank.
    public mutating func add(_ bank: SimulatedBank, _ detector: WrongKeyDetector) {
        for finding in detector.review(of: bank.table).findings {
            judged += 1
            let right = bank.rightKeys[finding.id]
            if right == nil { rightKeys += 1 }
            if finding.outcome == .notEnoughSignal { undecided += 1 }
            if finding.outcome == .act {
                acted += 1
                if right != nil { actedWrong += 1 }
            }
            switch (finding.proposedKey, right) {
            case (let proposed?, let right?):
                foundWrong += 1
                if proposed == right { rightProposals += 1 }
            case (.some, nil): foundRight += 1
            case (nil, .some): missed += 1
            case (nil, nil): break
            }
        }
    }
}
