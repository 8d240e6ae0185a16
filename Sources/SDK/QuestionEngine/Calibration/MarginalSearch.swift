import Foundation

/// The EM algorithm of `MarginalCalibration`.
struct MarginalSearch {
    let scores: SparseScoreMatrix
    let model: MarginalCalibration.Model
    let grid = AbilityGrid.calibration
    let itemCount: Int
    let nodeCount: Int

    var slopes: [Double]
    var intercepts: [Double]
    private(set) var logLikelihood = -Double.infinity
    private(set) var roundCount = 0
    private(set) var hasConverged = false
    /// The logarithm of each pattern's probability.
    private(set) var patternLogs: [Double]

    // Tables with a row per question and a column per node.
    var logits: [Double]
    var probabilities: [Double]
    var logWrong: [Double]
    /// The expected number of people at each node who answered the question, and of those who
    /// answered it right.
    var people: [Double]
    var right: [Double]
    var posterior: [Double]
    private let logWeights: [Double]

    init(_ scores: SparseScoreMatrix, model: MarginalCalibration.Model) {
        self.scores = scores
        self.model = model
        itemCount = scores.itemCount
        nodeCount = grid.points.count
        slopes = Array(repeating: 1, count: scores.itemCount)
        intercepts = zip(scores.rightCounts, scores.answerCounts).map { right, answers in
            let share = Double(right) / Double(max(answers, 1))
            let kept = min(max(share, 0.01), 0.99)
            return 1.2 * log(kept / (1 - kept))
        }
        patternLogs = Array(repeating: 0, count: scores.rows.count)
        let cells = scores.itemCount * grid.points.count
        logits = Array(repeating: 0, count: cells)
        probabilities = logits
        right = logits
        people = logits
        logWrong = logits
        logWeights = grid.weights.map { log($0) }
        posterior = logWeights
    }

    mutating func run(roundsMax: Int) {
        while roundCount < roundsMax, !hasConverged {
            let before = logLikelihood
            let oldSlopes = slopes
            let oldIntercepts = intercepts
            expect()
            maximize()
            roundCount += 1
            let change = zip(slopes + intercepts, oldSlopes + oldIntercepts)
                .reduce(0) { max($0, abs($1.0 - $1.1)) }
            let gain = logLikelihood - before
            hasConverged = change < 1e-5 || (change < 1e-3 && gain < 1e-9 * abs(before))
        }
        expect()
    }

    // MARK: Expectation

    /// Computes the posterior of each pattern by the current parameters.
    mutating func expect() {
        tabulate()
        for cell in right.indices {
            people[cell] = 0
            right[cell] = 0
        }
        logLikelihood = 0
        for pattern in scores.rows.indices {
            patternLogs[pattern] = place(pattern)
            let frequency = Double(scores.frequencies[pattern])
            guard frequency > 0 else { continue }
            logLikelihood += frequency * patternLogs[pattern]
            count(pattern, frequency)
        }
    }

    private mutating func tabulate() {
        for item in 0..<itemCount {
            for node in 0..<nodeCount {
                let logit = slopes[item] * grid.points[node] + intercepts[item]
                let cell = item * nodeCount + node
                logits[cell] = logit
                probabilities[cell] = 1 / (1 + exp(-logit))
                // ln(1 - P), without overflow.
                logWrong[cell] = logit > 0 ? -logit - log1p(exp(-logit)) : -log1p(exp(logit))
            }
        }
    }

    /// Computes the posterior of a pattern over the nodes; returns the logarithm of its
    /// probability.
    ///
    /// Only answered questions contribute a factor.
    mutating func place(_ pattern: Int) -> Double {
        let row = scores.rows[pattern]
        let nodeCount = nodeCount
        posterior = logWeights
        Self.add(logWrong, of: row.answered, to: &posterior)
        Self.add(logits, of: row.right, to: &posterior)
        return posterior.withUnsafeMutableBufferPointer { posterior in
            var greatest = -Double.infinity
            for node in 0..<nodeCount { greatest = max(greatest, posterior[node]) }
            var total = 0.0
            for node in 0..<nodeCount {
                posterior[node] = exp(posterior[node] - greatest)
                total += posterior[node]
            }
            for node in 0..<nodeCount { posterior[node] /= total }
            return greatest + log(total)
        }
    }

    /// Adds the table's rows of these questions to the sums at the nodes.
    private static func add(_ table: [Double], of items: [Int], to sums: inout [Double]) {
        sums.withUnsafeMutableBufferPointer { sums in
            table.withUnsafeBufferPointer { table in
                for item in items {
                    let row = item * sums.count
                    for node in sums.indices { sums[node] += table[row + node] }
                }
            }
        }
    }

    private mutating func count(_ pattern: Int, _ frequency: Double) {
        for node in 0..<nodeCount { posterior[node] *= frequency }
        Self.add(posterior, to: &people, of: scores.rows[pattern].answered)
        Self.add(posterior, to: &right, of: scores.rows[pattern].right)
    }

    /// Adds the values at the nodes to the table's rows of these questions.
    private static func add(_ values: [Double], to table: inout [Double], of items: [Int]) {
        table.withUnsafeMutableBufferPointer { table in
            values.withUnsafeBufferPointer { values in
                for item in items {
                    let row = item * values.count
                    for node in values.indices { table[row + node] += values[node] }
                }
            }
        }
    }

    // MARK: Maximization

    private mutating func maximize() {
        switch model {
        case .twoParameter: for item in 0..<itemCount { maximize(item) }
        case .commonSlope: maximizeCommonSlope()
        }
    }

    /// The sums over the nodes: the slope of the expected likelihood and its curvature.
    struct Sums {
        var slope = 0.0
        var intercept = 0.0
        var slopeSlope = 0.0
        var slopeIntercept = 0.0
        var interceptIntercept = 0.0
    }

    func sums(_ item: Int) -> Sums {
        var sums = Sums()
        for node in 0..<nodeCount {
            let ability = grid.points[node]
            let p = 1 / (1 + exp(-(slopes[item] * ability + intercepts[item])))
            let cell = item * nodeCount + node
            let residual = right[cell] - people[cell] * p
            let weight = people[cell] * p * (1 - p)
            sums.slope += residual * ability
            sums.intercept += residual
            sums.slopeSlope += weight * ability * ability
            sums.slopeIntercept += weight * ability
            sums.interceptIntercept += weight
        }
        return sums
    }

    private mutating func maximize(_ item: Int) {
        for _ in 0..<6 {
            let sums = sums(item)
            let determinant =
                sums.slopeSlope * sums.interceptIntercept
                - sums.slopeIntercept * sums.slopeIntercept
            guard determinant > 1e-12 else { return }
            var slopeStep =
                (sums.slope * sums.interceptIntercept - sums.intercept * sums.slopeIntercept)
                / determinant
            var interceptStep =
                (sums.intercept * sums.slopeSlope - sums.slope * sums.slopeIntercept)
                / determinant
            // At its bound the slope stays, and the intercept takes its own step: that of both would be too long.
            if isAtBound(item, slopeStep) {
                slopeStep = 0
                interceptStep = sums.intercept / sums.interceptIntercept
            }
            move(item, slopeStep, interceptStep)
            if abs(slopeStep) + abs(interceptStep) < 1e-6 { return }
        }
    }

    private func isAtBound(_ item: Int, _ slopeStep: Double) -> Bool {
        let bounds = MarginalCalibration.slopes
        return slopeStep > 0 && slopes[item] >= bounds.upperBound
            || slopeStep < 0 && slopes[item] <= bounds.lowerBound
    }

    /// Moves a question's parameters by one bounded step.
    private mutating func move(_ item: Int, _ slopeStep: Double, _ interceptStep: Double) {
        let bounds = MarginalCalibration.slopes
        let slope = slopes[item] + min(max(slopeStep, -1), 1)
        slopes[item] = min(max(slope, bounds.lowerBound), bounds.upperBound)
        intercepts[item] = min(max(intercepts[item] + min(max(interceptStep, -2), 2), -25), 25)
    }

    private mutating func maximizeCommonSlope() {
        for _ in 0..<6 {
            // Newton's step for one slope and all intercepts, whose own block is diagonal.
            let all = (0..<itemCount).map { sums($0) }
            var slope = 0.0
            var curvature = 0.0
            for sums in all where sums.interceptIntercept > 1e-12 {
                let ratio = sums.slopeIntercept / sums.interceptIntercept
                slope += sums.slope - ratio * sums.intercept
                curvature += sums.slopeSlope - ratio * sums.slopeIntercept
            }
            guard curvature > 1e-12 else { return }
            let slopeStep = slope / curvature
            for (item, sums) in all.enumerated() where sums.interceptIntercept > 1e-12 {
                let step =
                    (sums.intercept - sums.slopeIntercept * slopeStep) / sums.interceptIntercept
                move(item, slopeStep, step)
            }
            if abs(slopeStep) < 1e-7 { return }
        }
    }
}
