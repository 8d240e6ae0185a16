public import ContentModel

/// Questions to choose from, of one bank or of many.
public struct QuestionPool: Sendable {
    /// A question and where it stands.
    public struct Entry: Sendable, Hashable {
        /// The language code of a placement test, or `region/exam`.
        public var blueprint: String
        /// The question.
        public var question: Question
    }

    /// All questions, retired ones too.
    public let entries: [Entry]
    /// The weight of each domain by its id, added up over the blueprints.
    public let weights: [String: Double]

    /// Pools the questions of blueprints.
    ///
    /// A question whose id came before, in the same or another blueprint, is left out: answers
    /// name questions by id.
    public init(_ blueprints: [Blueprint]) {
        var ids: Set<String> = []
        var entries: [Entry] = []
        var weights: [String: Double] = [:]
        for blueprint in blueprints {
            for domain in blueprint.domains { weights[domain.id, default: 0] += domain.weight }
            for question in blueprint.questions where ids.insert(question.id).inserted {
                entries.append(Entry(blueprint: blueprint.id, question: question))
            }
        }
        self.entries = entries
        self.weights = weights
    }
}

/// Which questions are wanted.
///
/// An empty set lets everything through. Retired questions are never chosen.
public struct QuestionCriteria: Sendable, Hashable {
    /// The regions, as `de` in `de/verkehr`.
    public var regions: Set<String> = []
    /// The exams, as `de/verkehr`, or languages of placement tests.
    public var blueprints: Set<String> = []
    /// The ids of domains.
    public var domains: Set<String> = []
    /// From 1 to 5.
    public var difficulties: Set<Int> = []
    /// A question needs one of them.
    public var tags: Set<String> = []
    /// How it is asked.
    public var types: Set<QuestionType> = []
    /// The ids of questions that must not come, such as those seen recently.
    public var excluded: Set<String> = []

    /// Lets everything through that is not retired.
    public init() {}

    func admits(_ entry: QuestionPool.Entry) -> Bool {
        let question = entry.question
        if question.isRetired { return false }
        if !excluded.isEmpty, excluded.contains(question.id) { return false }
        if !difficulties.isEmpty, !difficulties.contains(question.difficulty) { return false }
        if !types.isEmpty, !types.contains(question.type) { return false }
        if !domains.isEmpty, !(question.domain.map(domains.contains) ?? false) { return false }
        if !tags.isEmpty, tags.isDisjoint(with: question.tags) { return false }
        if !blueprints.isEmpty, !blueprints.contains(entry.blueprint) { return false }
        if !regions.isEmpty {
            guard let key = Identifier.examKey(entry.blueprint) else { return false }
            return regions.contains(key.region)
        }
        return true
    }
}

/// Questions that were chosen, in the order in which to ask them.
public struct QuestionSelection: Sendable, Hashable {
    /// The questions.
    public var questions: [Question]
    /// How many each domain was short of its share; others filled its places.
    public var shortages: [String: Int]
    /// How many questions are missing altogether.
    public var missingCount: Int
}

extension QuestionPool {
    /// Chooses questions at random, each domain with its share.
    ///
    /// Shares follow the weights exactly, by largest remainder. Where a domain has too few
    /// questions, the others fill its places by their weights. Equal generators choose equally.
    /// - Parameters:
    ///   - count: How many questions.
    ///   - criteria: Which may come.
    ///   - isWeighted: False to choose from all alike, whatever their domain.
    ///   - generator: Chance.
    /// - Returns: The questions in random order, and what was short.
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
        var numbers: [String: Int] = [:]
        let usesWeights = isWeighted && !pool.weights.isEmpty
        for (index, entry) in pool.entries.enumerated() where criteria.admits(entry) {
            let name = usesWeights ? entry.question.domain ?? "" : ""
            if let number = numbers[name] {
                members[number].append(index)
            } else {
                numbers[name] = members.count
                names.append(name)
                members.append([index])
            }
        }
        guard usesWeights else {
            weights = names.map { _ in 1 }
            return
        }
        // A domain without any admitted question has a share too, which will be short.
        let isWanted: (String) -> Bool = {
            criteria.domains.isEmpty || criteria.domains.contains($0)
        }
        for name in pool.weights.keys where numbers[name] == nil && isWanted(name) {
            names.append(name)
            members.append([])
        }
        let order = names.indices.sorted { names[$0] < names[$1] }
        names = order.map { names[$0] }
        members = order.map { members[$0] }
        weights = names.map { pool.weights[$0] ?? 0 }
    }

    /// How many of each group, and how many each was short of its first share.
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

    /// So many of a group, without replacement (Fisher and Yates).
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
