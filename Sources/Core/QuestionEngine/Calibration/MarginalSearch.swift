import Foundation

/// The EM algorithm of `MarginalCalibration`.
struct MarginalSearch {
    let matrix: ScoreMatrix
    let model: MarginalCalibration.Model
    let grid = AbilityGrid.calibration
    let itemCount: Int
    let nodeCount: Int
    /// The indices of the right questions of each pattern.
    let rightItems: [[Int]]

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
    /// The expected number of people at each node, and of those with the question right.
    var people: [Double]
    var right: [Double]
    var posterior: [Double]

    init(_ matrix: ScoreMatrix, model: MarginalCalibration.Model) {
        self.matrix = matrix
        self.model = model
        itemCount = matrix.itemCount
        nodeCount = grid.points.count
        rightItems = matrix.patterns.map { pattern in pattern.indices.filter { pattern[$0] } }
        slopes = Array(repeating: 1, count: matrix.itemCount)
        intercepts = matrix.rightCounts.map { count in
            let share = Double(count) / Double(max(matrix.personCount, 1))
            let kept = min(max(share, 0.01), 0.99)
            return 1.2 * log(kept / (1 - kept))
        }
        patternLogs = Array(repeating: 0, count: matrix.patterns.count)
        let cells = matrix.itemCount * grid.points.count
        logits = Array(repeating: 0, count: cells)
        probabilities = logits
        right = logits
        logWrong = Array(repeating: 0, count: grid.points.count)
        people = logWrong
        posterior = logWrong
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
        for node in 0..<nodeCount { people[node] = 0 }
        for cell in right.indices { right[cell] = 0 }
        logLikelihood = 0
        for pattern in rightItems.indices {
            patternLogs[pattern] = place(pattern)
            let frequency = Double(matrix.frequencies[pattern])
            guard frequency > 0 else { continue }
            logLikelihood += frequency * patternLogs[pattern]
            count(pattern, frequency)
        }
    }

    private mutating func tabulate() {
        for node in 0..<nodeCount { logWrong[node] = log(grid.weights[node]) }
        for item in 0..<itemCount {
            for node in 0..<nodeCount {
                let logit = slopes[item] * grid.points[node] + intercepts[item]
                let cell = item * nodeCount + node
                logits[cell] = logit
                probabilities[cell] = 1 / (1 + exp(-logit))
                // ln(1 - P), without overflow.
                logWrong[node] -= logit > 0 ? logit + log1p(exp(-logit)) : log1p(exp(logit))
            }
        }
    }

    /// Computes the posterior of a pattern over the nodes; returns the logarithm of its
    /// probability.
    mutating func place(_ pattern: Int) -> Double {
        let items = rightItems[pattern]
        let nodeCount = nodeCount
        return posterior.withUnsafeMutableBufferPointer { posterior in
            logits.withUnsafeBufferPointer { logits in
                for node in 0..<nodeCount { posterior[node] = logWrong[node] }
                for item in items {
                    let row = item * nodeCount
                    for node in 0..<nodeCount { posterior[node] += logits[row + node] }
                }
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
    }

    private mutating func count(_ pattern: Int, _ frequency: Double) {
        let items = rightItems[pattern]
        let nodeCount = nodeCount
        for node in 0..<nodeCount {
            posterior[node] *= frequency
            people[node] += posterior[node]
        }
        right.withUnsafeMutableBufferPointer { right in
            posterior.withUnsafeBufferPointer { posterior in
                for item in items {
                    let row = item * nodeCount
                    for node in 0..<nodeCount { right[row + node] += posterior[node] }
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
            let residual = right[item * nodeCount + node] - people[node] * p
            let weight = people[node] * p * (1 - p)
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
            let slopeStep =
                (sums.slope * sums.interceptIntercept - sums.intercept * sums.slopeIntercept)
                / determinant
            let interceptStep =
                (sums.intercept * sums.slopeSlope - sums.slope * sums.slopeIntercept)
                / determinant
            move(item, slopeStep, interceptStep)
            if abs(slopeStep) + abs(interceptStep) < 1e-6 { return }
        }
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
