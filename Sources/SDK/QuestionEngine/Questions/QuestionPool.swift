public import ContentModel

/// The questions of one or more banks, for selection.
///
/// ```swift
/// let questions = (1...9).map {
///     Question(
///         id: "q\($0)", type: .singleChoice, difficulty: 1, stem: "\($0) + 0?",
///         options: [QuestionOption(id: "a", text: "\($0)"), QuestionOption(id: "b", text: "0")],
///         correct: [0])
/// }
/// let bank = Blueprint(kind: .exam, id: "ca/sums", title: "", version: "1", questions: questions)
/// var random = SeededRandom(seed: 3)
/// let selection = QuestionPool([bank]).selection(of: 5, using: &random)
/// print(selection.questions.map(\.id), selection.missingCount)
/// ```
public struct QuestionPool: Sendable {
    /// A question and its bank.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// The language code of a placement test, or `region/exam`.
        public var blueprint: String
        /// The question.
        public var question: Question
        /// The question's id, unique in a pool.
        public var id: String { question.id }
    }

    /// All questions, retired ones included.
    public let entries: [Entry]
    /// The weight of each domain by its id, summed over the blueprints.
    public let weights: [String: Double]
    /// The index of each question by its id.
    let indices: [String: Int]
    /// The domains of the questions; the first one means none.
    let domainNames: [String]
    /// For each question, the index of its domain; -1 for a retired one.
    let domainNumbers: [Int]

    /// Creates a pool of the questions of blueprints.
    ///
    /// A question whose id occurred before, in the same or another blueprint, is ignored, since answers name questions
    /// by id.
    public init(_ blueprints: [Blueprint]) {
        var indices: [String: Int] = [:]
        var names: [String: Int] = ["": 0]
        var domainNames = [""]
        var numbers: [Int] = []
        var entries: [Entry] = []
        var weights: [String: Double] = [:]
        for blueprint in blueprints {
            for domain in blueprint.domains { weights[domain.id, default: 0] += domain.weight }
            for question in blueprint.questions where indices[question.id] == nil {
                indices[question.id] = entries.count
                entries.append(Entry(blueprint: blueprint.id, question: question))
                let domain = question.domain ?? ""
                if names[domain] == nil {
                    names[domain] = domainNames.count
                    domainNames.append(domain)
                }
                numbers.append(question.isRetired ? -1 : names[domain] ?? 0)
            }
        }
        self.indices = indices
        self.domainNames = domainNames
        domainNumbers = numbers
        self.entries = entries
        self.weights = weights
    }
}

/// A filter of questions.
///
/// An empty set matches everything. Retired questions are never selected.
///
/// ```swift
/// var criteria = QuestionCriteria()
/// criteria.difficulties = [1, 2]
/// criteria.types = [.singleChoice]
/// print(criteria.tags.isEmpty)
/// ```
public struct QuestionCriteria: Sendable, Hashable {
    /// The regions, such as `de` in `de/verkehr`.
    public var regions: Set<String> = []
    /// The exams, such as `de/verkehr`, or languages of placement tests.
    public var blueprints: Set<String> = []
    /// The ids of domains.
    public var domains: Set<String> = []
    /// The difficulties from 1 to 5.
    public var difficulties: Set<Int> = []
    /// The tags; a question needs one of them.
    public var tags: Set<String> = []
    /// The types of questions.
    public var types: Set<QuestionType> = []
    /// The ids of excluded questions, such as those seen recently.
    public var excluded: Set<String> = []

    /// Creates criteria that match every question that is not retired.
    public init() {}

    /// True when only the domain or the exclusion can reject a question.
    var isPlain: Bool {
        regions.isEmpty && blueprints.isEmpty && difficulties.isEmpty && tags.isEmpty
            && types.isEmpty
    }

    /// Returns true if a question passes all criteria except retirement, exclusion and domain.
    func admits(_ entry: QuestionPool.Entry) -> Bool {
        let question = entry.question
        if !difficulties.isEmpty, !difficulties.contains(question.difficulty) { return false }
        if !types.isEmpty, !types.contains(question.type) { return false }
        if !tags.isEmpty, tags.isDisjoint(with: question.tags) { return false }
        if !blueprints.isEmpty, !blueprints.contains(entry.blueprint) { return false }
        if !regions.isEmpty {
            guard let key = Identifier.examKey(entry.blueprint) else { return false }
            return regions.contains(key.region)
        }
        return true
    }
}

/// The selected questions, in the order in which to ask them.
///
/// ```swift
/// let exam = QuestionPool([blueprint]).selection(of: 40, using: &random)
/// for (domain, count) in exam.shortages { print("\(domain) lacks \(count) questions") }
/// if exam.missingCount > 0 { print("The exam has only \(exam.questions.count) questions.") }
/// ```
public struct QuestionSelection: Sendable, Hashable {
    /// The questions.
    public var questions: [Question]
    /// The number of questions missing from the share of each domain; others replaced them.
    public var shortages: [String: Int]
    /// The number of questions missing in total.
    public var missingCount: Int
}

extension QuestionPool {
    /// Selects questions at random, each domain by its share.
    ///
    /// Shares follow the weights exactly, by largest remainder. If a domain has too few questions, the others replace
    /// them by their weights. Equal generators select equal questions.
    /// - Parameters:
    ///   - count: The number of questions.
    ///   - criteria: The filter.
    ///   - isWeighted: False to select from all questions equally, regardless of their domain.
    ///   - generator: The random generator.
    /// - Returns: The questions in random order, and the shortages.
    public func selection(
        of count: Int, _ criteria: QuestionCriteria = QuestionCriteria(),
        isWeighted: Bool = true, using generator: inout some RandomNumberGenerator
    ) -> QuestionSelection {
        let wanted = max(0, count)
        var groups = Groups(self, criteria, isWeighted: isWeighted)
        let (shares, shortages) = groups.shares(of: wanted)
        var chosen: [Int] = []
        for (group, share) in shares.enumerated() {
            chosen += groups.sample(share, of: group, using: &generator)
        }
        chosen.shuffle(using: &generator)
        return QuestionSelection(
            questions: chosen.map { entries[$0].question }, shortages: shortages,
            missingCount: wanted - chosen.count)
    }
}

/// The admitted questions by domain.
private struct Groups {
    private var members: [[Int]] = []
    private var names: [String] = []
    private var weights: [Double] = []

    init(_ pool: QuestionPool, _ criteria: QuestionCriteria, isWeighted: Bool) {
        let usesWeights = isWeighted && !pool.weights.isEmpty
        let isWanted: (String) -> Bool = {
            criteria.domains.isEmpty || criteria.domains.contains($0)
        }
        let wanted = pool.domainNames.map(isWanted)
        var byDomain = Array(repeating: [Int](), count: wanted.count)
        let excluded = Set(criteria.excluded.compactMap { pool.indices[$0] })
        let isPlain = criteria.isPlain
        for (index, domain) in pool.domainNumbers.enumerated()
        where domain >= 0 && wanted[domain] && !excluded.contains(index) {
            if isPlain || criteria.admits(pool.entries[index]) { byDomain[domain].append(index) }
        }
        guard usesWeights else {
            members = [byDomain.flatMap(\.self).sorted()]
            names = [""]
            weights = [1]
            return
        }
        // A domain without any admitted question has a share too, which becomes a shortage.
        let known = Dictionary(uniqueKeysWithValues: zip(pool.domainNames, byDomain))
        names = Set(pool.weights.keys.filter(isWanted))
            .union(known.keys.filter { known[$0]?.isEmpty == false }).sorted()
        members = names.map { known[$0] ?? [] }
        weights = names.map { pool.weights[$0] ?? 0 }
    }

    /// Returns the number of questions per group, and the shortage of each in its first share.
    func shares(of count: Int) -> (shares: [Int], shortages: [String: Int]) {
        var shares = LargestRemainder.shares(of: count, weights: weights)
        var shortages: [String: Int] = [:]
        for (group, share) in shares.enumerated() where share > members[group].count {
            shortages[names[group]] = share - members[group].count
            shares[group] = members[group].count
        }
        var left = count - shares.reduce(0, +)
        while left > 0 {
            let room = shares.indices.map { members[$0].count - shares[$0] }
            let open = shares.indices.map { room[$0] > 0 ? max(weights[$0], 1e-9) : 0 }
            let more = LargestRemainder.shares(of: left, weights: open)
            var added = 0
            for group in shares.indices {
                let extra = min(more[group], room[group])
                shares[group] += extra
                added += extra
            }
            guard added > 0 else { break }
            left -= added
        }
        return (shares, shortages)
    }

    /// Draws questions of a group without replacement (Fisher and Yates).
    mutating func sample(
        _ count: Int, of group: Int, using generator: inout some RandomNumberGenerator
    ) -> ArraySlice<Int> {
        for place in 0..<count {
            let other = Int.random(in: place..<members[group].count, using: &generator)
            members[group].swapAt(place, other)
        }
        return members[group].prefix(count)
    }
}
