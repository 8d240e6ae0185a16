/// The pairing of runs of asterisks (CommonMark 0.31.2, section 6.2 and "process emphasis"), in linear time.
struct EmphasisPairs {
    /// What a pair of marks means.
    enum Kind: Hashable {
        case emphasis
        case strong

        /// The number of asterisks on each side.
        var length: Int { self == .strong ? 2 : 1 }
    }

    /// A run of asterisks, and what became of them: from left to right those that close, those that stay text, and
    /// those that open.
    struct Run {
        let canOpen: Bool
        let canClose: Bool
        let length: Int
        /// The asterisks without a partner.
        fileprivate(set) var rest: Int
        /// What the run closes, in order.
        fileprivate(set) var closes: [Kind] = []
        /// What the run opens, the innermost first.
        fileprivate(set) var opens: [Kind] = []

        init(canOpen: Bool, canClose: Bool, length: Int) {
            (self.canOpen, self.canClose, self.length) = (canOpen, canClose, length)
            rest = length
        }
    }

    /// The runs with their pairs.
    private(set) var runs: [Run]
    /// The runs that may still open.
    private var openers: [Int] = []
    /// For each sort of closing run, the number of openers of which none fits.
    private var bottoms = [Int](repeating: 0, count: 6)

    /// Pairs runs, given in their order.
    init(_ runs: [Run]) {
        self.runs = runs
        for index in runs.indices {
            if runs[index].canClose { close(index) }
            if runs[index].canOpen, self.runs[index].rest > 0 { openers.append(index) }
        }
    }

    private mutating func close(_ closer: Int) {
        let sort = runs[closer].length % 3 + (runs[closer].canOpen ? 3 : 0)
        while runs[closer].rest > 0 {
            let bottom = min(bottoms[sort], openers.count)
            let place = openers[bottom...].lastIndex { fits($0, closer) }
            guard let place else {
                bottoms[sort] = openers.count
                return
            }
            openers.removeLast(openers.count - 1 - place)
            for index in bottoms.indices { bottoms[index] = min(bottoms[index], place) }
            pair(openers[place], closer)
        }
    }

    private mutating func pair(_ opener: Int, _ closer: Int) {
        let isStrong = runs[opener].rest >= 2 && runs[closer].rest >= 2
        let kind = isStrong ? Kind.strong : .emphasis
        runs[opener].opens.append(kind)
        runs[closer].closes.append(kind)
        runs[opener].rest -= kind.length
        runs[closer].rest -= kind.length
        if runs[opener].rest == 0 { openers.removeLast() }
    }

    /// Returns true unless rules 9 and 10 forbid the pair.
    private func fits(_ opener: Int, _ closer: Int) -> Bool {
        let (first, second) = (runs[opener], runs[closer])
        guard first.canClose || second.canOpen else { return true }
        return (first.length + second.length) % 3 != 0
            || (first.length % 3 == 0 && second.length % 3 == 0)
    }
}
