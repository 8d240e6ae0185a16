extension MarginalSearch {
    /// Returns the roots of the diagonal of the inverse observed information.
    mutating func standardErrors() throws(CalibrationError) -> (
        slopes: [Double], intercepts: [Double]
    ) {
        let information = observedInformation()
        switch model {
        case .twoParameter:
            guard let covariance = information.inverse() else { throw .notIdentified }
            let errors = (0..<2 * itemCount).map { max(0, covariance[$0, $0]).squareRoot() }
            return (Array(errors[..<itemCount]), Array(errors[itemCount...]))
        case .commonSlope:
            guard let covariance = withCommonSlope(information).inverse() else {
                throw .notIdentified
            }
            let errors = (0...itemCount).map { max(0, covariance[$0, $0]).squareRoot() }
            return (
                Array(repeating: errors[0], count: itemCount), Array(errors.dropFirst())
            )
        }
    }

    /// Returns the information when all slopes are one parameter: their rows and columns are added.
    private func withCommonSlope(_ full: SymmetricMatrix) -> SymmetricMatrix {
        var result = SymmetricMatrix(size: itemCount + 1)
        for row in 0..<itemCount {
            for column in 0..<itemCount { result[0, 0] += full[row, column] }
            for other in 0..<itemCount { result[0, other + 1] += full[row, itemCount + other] }
            for other in row..<itemCount {
                result[row + 1, other + 1] = full[itemCount + row, itemCount + other]
            }
        }
        return result
    }

    /// Returns the observed information of Louis (1982): the expected complete information minus
    /// the variance of the complete score.
    ///
    /// Rows are the slopes, then the intercepts.
    private mutating func observedInformation() -> SymmetricMatrix {
        var information = SymmetricMatrix(size: 2 * itemCount)
        for item in 0..<itemCount {
            let sums = sums(item)
            information[item, item] += sums.slopeSlope
            information[item, itemCount + item] += sums.slopeIntercept
            information[itemCount + item, itemCount + item] += sums.interceptIntercept
        }
        var variance = ScoreVariance(size: 2 * itemCount)
        var score = Array(repeating: 0.0, count: 2 * itemCount)
        for (pattern, row) in scores.rows.enumerated() where scores.frequencies[pattern] > 0 {
            _ = place(pattern)
            for index in score.indices { score[index] = 0 }
            let frequency = Double(scores.frequencies[pattern])
            for node in 0..<nodeCount where posterior[node] > 1e-9 {
                for item in row.answered {
                    score[itemCount + item] = -probabilities[item * nodeCount + node]
                }
                for item in row.right { score[itemCount + item] += 1 }
                for item in row.answered {
                    score[item] = score[itemCount + item] * grid.points[node]
                }
                variance.add(score, weight: posterior[node])
            }
            variance.close(frequency: frequency)
        }
        variance.subtract(from: &information)
        return information
    }
}

/// The variance of the score over the posterior, summed over people.
private struct ScoreVariance {
    private let size: Int
    private var total: [Double]
    private var mean: [Double]
    private var pending: [(score: [Double], weight: Double)] = []

    init(size: Int) {
        self.size = size
        mean = Array(repeating: 0, count: size)
        total = Array(repeating: 0, count: size * size)
    }

    mutating func add(_ score: [Double], weight: Double) {
        for index in 0..<size { mean[index] += weight * score[index] }
        pending.append((score, weight))
    }

    /// Completes one pattern with its frequency.
    mutating func close(frequency: Double) {
        let size = size
        let mean = mean
        for (score, weight) in pending {
            let factor = weight * frequency
            total.withUnsafeMutableBufferPointer { total in
                score.withUnsafeBufferPointer { score in
                    for row in 0..<size {
                        let left = factor * (score[row] - mean[row])
                        for column in 0...row {
                            total[row * size + column] += left * (score[column] - mean[column])
                        }
                    }
                }
            }
        }
        pending.removeAll(keepingCapacity: true)
        for index in 0..<size { self.mean[index] = 0 }
    }

    func subtract(from information: inout SymmetricMatrix) {
        for row in 0..<size {
            for column in 0...row {
                information[row, column] -= total[row * size + column]
            }
        }
    }
}
