/// The response processing of an item of QTI 1.2, run for selections of its options.
struct QTI1Scoring {
    /// The key that follows from the scores of all selections.
    struct Key {
        /// The identifiers of the right options.
        var options: Set<String>
        /// True when other selections earn a part of the score, or lose some of it.
        var hasPartialCredit: Bool
    }

    /// The most options of which all selections are tried.
    private static let subsetOptionsMax = 12

    /// The conditions of each `<resprocessing>`.
    private let blocks: [[Condition]]

    /// Reads the processing of an item.
    ///
    /// - Throws: `SkipReason` for conditions and points of other kinds.
    init(_ item: XMLElement, outcome: QTI1Outcome) throws(SkipReason) {
        var blocks: [[Condition]] = []
        for block in item.all("resprocessing") {
            var conditions: [Condition] = []
            for element in block.all("respcondition") {
                conditions.append(try Condition(element, outcome))
            }
            blocks.append(conditions)
        }
        self.blocks = blocks
    }

    /// Returns the one option with the highest score.
    ///
    /// - Throws: `SkipReason` where none has it, or more than one.
    func single(_ options: [String]) throws(SkipReason) -> Key {
        let scores = options.map { score([$0]) }
        guard let best = scores.max(), best > max(0, score([])) else {
            throw SkipReason(.keyNone, "no option earns anything")
        }
        let right = options.indices.filter { scores[$0] == best }
        guard right.count == 1 else {
            throw SkipReason(
                .keySeveral, "\(right.count) of its options earn all, and one may be chosen")
        }
        return key([options[right[0]]], of: options, isSingle: true)
    }

    /// Returns the smallest selection with the highest score.
    ///
    /// - Throws: `SkipReason` where the empty one has it, or several of that size.
    func multiple(_ options: [String]) throws(SkipReason) -> Key {
        let right =
            try options.count <= Self.subsetOptionsMax
            ? smallestBest(options) : raising(options)
        return key(right, of: options, isSingle: false)
    }

    private func key(_ right: Set<String>, of options: [String], isSingle: Bool) -> Key {
        let usual = [score([]), score(right)]
        let others = options.flatMap { option -> [Set<String>] in
            isSingle ? [[option]] : [[option], right.symmetricDifference([option])]
        }
        return Key(
            options: right, hasPartialCredit: others.contains { !usual.contains(score($0)) })
    }

    private func smallestBest(_ options: [String]) throws(SkipReason) -> Set<String> {
        var best = 0.0
        var sets: [Set<String>] = []
        for bits in 0..<(1 << options.count) {
            let set = Set(options.indices.filter { bits & (1 << $0) != 0 }.map { options[$0] })
            let earned = score(set)
            if earned > best { (best, sets) = (earned, []) }
            if earned == best { sets.append(set) }
        }
        let size = sets.map(\.count).min() ?? 0
        guard best > 0, size > 0 else { throw SkipReason(.keyNone, "no option earns anything") }
        let smallest = sets.filter { $0.count == size }
        guard smallest.count == 1 else {
            throw SkipReason(.keyDisagrees, "\(smallest.count) of its selections earn all")
        }
        return smallest[0]
    }

    /// Returns the options that alone raise the score, if adding and removing each shows that none better is near.
    private func raising(_ options: [String]) throws(SkipReason) -> Set<String> {
        let none = score([])
        let right = Set(options.filter { score([$0]) > none })
        let best = score(right)
        let isBest = options.allSatisfy { option in
            let other = score(right.symmetricDifference([option]))
            return right.contains(option) ? other < best : other <= best
        }
        guard !right.isEmpty, isBest, best > 0 else {
            throw SkipReason(.limit, "it has too many options to try which of them earn all")
        }
        return right
    }

    private func score(_ selection: Set<String>) -> Double {
        var score = 0.0
        for conditions in blocks {
            var isAnyTrue = false
            for condition in conditions
            where condition.test.isTrue(for: selection, isOther: !isAnyTrue) {
                isAnyTrue = true
                for change in condition.changes { change.apply(to: &score) }
                if !condition.continues { break }
            }
        }
        return score
    }
}

extension QTI1Scoring {
    /// A condition, what it changes, and whether the next one is looked at.
    private struct Condition {
        let test: Test
        let changes: [QTI1Outcome.Change]
        let continues: Bool

        init(_ element: XMLElement, _ outcome: QTI1Outcome) throws(SkipReason) {
            test = try Test.every(in: element.child("conditionvar"))
            changes = try outcome.changes(of: element)
            continues = element.attributes["continue"]?.lowercased() == "yes"
        }
    }

    /// A test of a selection.
    private indirect enum Test {
        case chosen(String)
        case all([Test])
        case any([Test])
        case not(Test)
        /// True where no earlier condition was.
        case other

        /// Reads the tests of an element, all of which must be true.
        static func every(in element: XMLElement?) throws(SkipReason) -> Test {
            .all(try tests(element))
        }

        private static func tests(_ element: XMLElement?) throws(SkipReason) -> [Test] {
            var tests: [Test] = []
            for child in element?.children ?? [] { tests.append(try Test(child)) }
            return tests
        }

        private init(_ element: XMLElement) throws(SkipReason) {
            switch element.name {
            case "varequal": self = .chosen(element.trimmedText)
            case "and": self = .all(try Self.tests(element))
            case "or": self = .any(try Self.tests(element))
            case "not": self = .not(try Self.every(in: element))
            case "other": self = .other
            default:
                throw SkipReason(
                    .typeUnsupported, "its condition <\(element.name)> is not supported")
            }
        }

        func isTrue(for selection: Set<String>, isOther: Bool) -> Bool {
            switch self {
            case .chosen(let id): selection.contains(id)
            case .all(let tests):
                tests.allSatisfy { $0.isTrue(for: selection, isOther: isOther) }
            case .any(let tests): tests.contains { $0.isTrue(for: selection, isOther: isOther) }
            case .not(let test): !test.isTrue(for: selection, isOther: isOther)
            case .other: isOther
            }
        }
    }
}
