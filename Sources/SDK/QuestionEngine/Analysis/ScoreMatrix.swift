/// The right and wrong answers of people who all answered the same questions.
///
/// Equal rows are stored once with their frequency, which saves memory for many people.
///
/// ```swift
/// let matrix = try ScoreMatrix(rows: [[true, false], [true, true], [false, false]])
/// print(TestStatistics(matrix).meanScore)
/// ```
public struct ScoreMatrix: Sendable, Hashable {
    /// The number of questions.
    public let itemCount: Int
    /// The distinct rows of answers; true is right.
    public let patterns: [[Bool]]
    /// The number of people with each row.
    public let frequencies: [Int]
    /// The number of people.
    public let personCount: Int

    /// Creates a matrix from rows with frequencies; rows of frequency 0 remain without effect.
    ///
    /// - Throws: `ScoreMatrixError` for no rows or unequal ones.
    public init(patterns: [[Bool]], frequencies: [Int]) throws(ScoreMatrixError) {
        guard let first = patterns.first, !first.isEmpty else { throw .empty }
        for (index, row) in patterns.enumerated() where row.count != first.count {
            throw .unequalRow(index)
        }
        guard frequencies.count == patterns.count, frequencies.allSatisfy({ $0 >= 0 }) else {
            throw .malformedFrequencies
        }
        itemCount = first.count
        self.patterns = patterns
        self.frequencies = frequencies
        personCount = frequencies.reduce(0, +)
    }

    /// Creates a matrix from one row per person.
    ///
    /// - Throws: `ScoreMatrixError` for no rows or unequal ones.
    public init(rows: [[Bool]]) throws(ScoreMatrixError) {
        var numbers: [[Bool]: Int] = [:]
        var patterns: [[Bool]] = []
        var frequencies: [Int] = []
        for row in rows {
            if let number = numbers[row] {
                frequencies[number] += 1
            } else {
                numbers[row] = patterns.count
                patterns.append(row)
                frequencies.append(1)
            }
        }
        try self.init(patterns: patterns, frequencies: frequencies)
    }

    /// The number of people who answered each question right.
    var rightCounts: [Int] {
        var counts = Array(repeating: 0, count: itemCount)
        for (pattern, frequency) in zip(patterns, frequencies) {
            for item in 0..<itemCount where pattern[item] { counts[item] += frequency }
        }
        return counts
    }
}

extension ResponseMatrix {
    /// Returns the people who answered all of the table's questions; `nil` if there are fewer than two.
    public func completeScores() -> ScoreMatrix? {
        var answered = Array(repeating: 0, count: personCount)
        for person in persons { answered[Int(person)] += 1 }
        let complete = answered.indices.filter { answered[$0] == items.count }
        guard complete.count >= 2 else { return nil }
        // Only whoever answered everything takes a row of memory.
        var place = Array(repeating: -1, count: personCount)
        for (index, person) in complete.enumerated() { place[person] = index }
        var right = Array(
            repeating: Array(repeating: false, count: items.count), count: complete.count)
        for item in items.indices {
            for row in rows(of: item) where place[Int(persons[row])] >= 0 {
                right[place[Int(persons[row])]][item] = responses[row] == Int32(items[item].key)
            }
        }
        return try? ScoreMatrix(rows: right)  // Rows are equally long; no questions is no matrix.
    }

    /// The maximum number of answers and gaps that ``scores(of:)`` puts into rows.
    private static let cellsMax = 50_000_000

    /// Returns the right and wrong answers to some questions by person; `nil` without questions or people, or for more
    /// than 50 million pairs of both.
    ///
    /// - Parameter chosen: The indices of the questions.
    /// - Returns: A row per person in the table's order, a column per chosen question.
    public func scores(of chosen: [Int]) -> SparseScoreMatrix? {
        guard chosen.count <= Self.cellsMax / max(1, personCount) else { return nil }
        var rows = Array(
            repeating: [Bool?](repeating: nil, count: chosen.count), count: personCount)
        for (place, item) in chosen.enumerated() {
            for row in self.rows(of: item) {
                rows[Int(persons[row])][place] = responses[row] == Int32(items[item].key)
            }
        }
        return try? SparseScoreMatrix(rows: rows)  // Rows are equally long; none are no matrix.
    }
}
