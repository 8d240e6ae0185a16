/// The right and wrong answers of people who did not all answer the same questions.
///
/// A missing answer is not a wrong answer: it contributes no factor to the likelihood. This is valid if the reason for
/// its absence does not depend on the unknown answer (missing at random, Rubin 1976), as in random drawing and adaptive
/// tests.
///
/// ```swift
/// let scores = try SparseScoreMatrix(rows: [[true, nil, false], [nil, true, true]])
/// print(scores.answerCounts)  // [1, 1, 2]
/// ```
public struct SparseScoreMatrix: Sendable, Hashable {
    /// A distinct row of answers.
    struct Row: Sendable, Hashable {
        /// The indices of the answered questions, ascending.
        var answered: [Int]
        /// The indices of those answered right, ascending.
        var right: [Int]
    }

    /// The number of questions.
    public let itemCount: Int
    /// The number of people, including those without an answer.
    public let personCount: Int
    /// The number of people who answered each question.
    public let answerCounts: [Int]
    /// The number of people who answered each question right.
    public let rightCounts: [Int]
    let rows: [Row]
    /// The number of people with each row.
    let frequencies: [Int]

    /// Creates a matrix from one row per person; `nil` is a missing answer.
    ///
    /// - Throws: `ScoreMatrixError` for no rows or unequal ones.
    public init(rows: [[Bool?]]) throws(ScoreMatrixError) {
        guard let first = rows.first, !first.isEmpty else { throw .empty }
        for (index, row) in rows.enumerated() where row.count != first.count {
            throw .unequalRow(index)
        }
        var numbers: [[Bool?]: Int] = [:]
        var distinct: [Row] = []
        var frequencies: [Int] = []
        for row in rows {
            if let number = numbers[row] {
                frequencies[number] += 1
            } else {
                numbers[row] = distinct.count
                distinct.append(
                    Row(
                        answered: row.indices.filter { row[$0] != nil },
                        right: row.indices.filter { row[$0] == true }))
                frequencies.append(1)
            }
        }
        self.init(itemCount: first.count, rows: distinct, frequencies: frequencies)
    }

    /// Creates a matrix from complete answers.
    public init(_ matrix: ScoreMatrix) {
        let rows = matrix.patterns.map { pattern in
            Row(answered: Array(pattern.indices), right: pattern.indices.filter { pattern[$0] })
        }
        self.init(itemCount: matrix.itemCount, rows: rows, frequencies: matrix.frequencies)
    }

    private init(itemCount: Int, rows: [Row], frequencies: [Int]) {
        var answers = Array(repeating: 0, count: itemCount)
        var right = answers
        for (row, frequency) in zip(rows, frequencies) {
            for item in row.answered { answers[item] += frequency }
            for item in row.right { right[item] += frequency }
        }
        self.itemCount = itemCount
        self.rows = rows
        self.frequencies = frequencies
        personCount = frequencies.reduce(0, +)
        answerCounts = answers
        rightCounts = right
    }
}
