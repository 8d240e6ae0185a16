/// Cronbach's alpha of questions that not all people answered.
///
/// Variances and covariances are those of the people who answered the question, or both questions: a missing answer
/// does not count as wrong. With complete answers it is the alpha of ``TestStatistics``.
///
/// ```swift
/// let rows: [[Bool?]] = [[true, true], [false, false], [true, true], [false, nil]]
/// let scores = try SparseScoreMatrix(rows: rows)
/// print(PairwiseAlpha(scores, peopleMin: 2)?.value ?? 0)
/// ```
public struct PairwiseAlpha: Sendable, Hashable, Codable {
    /// The minimum number of people who must have answered each pair of questions.
    public static let peopleMin = 30
    /// The maximum number of questions, since their pairs need memory.
    public static let itemsMax = 1_000

    /// The coefficient, at most 1.
    public let value: Double
    /// The number of people who answered the pair of questions with the fewest answers.
    public let peopleCount: Int

    /// Computes alpha; `nil` for fewer than two or too many questions, a pair with too few people, or scores that are
    /// all equal.
    ///
    /// - Parameters:
    ///   - scores: The answers.
    ///   - peopleMin: The minimum number of people who must have answered each pair of questions.
    public init?(_ scores: SparseScoreMatrix, peopleMin: Int = Self.peopleMin) {
        guard (2...Self.itemsMax).contains(scores.itemCount) else { return nil }
        let pairs = PairCounts(scores)
        guard pairs.least >= max(2, peopleMin) else { return nil }
        var variances = 0.0
        var covariances = 0.0
        for one in 0..<scores.itemCount {
            variances += pairs.covariance(one, one)
            for other in 0..<one { covariances += pairs.covariance(one, other) }
        }
        let total = variances + 2 * covariances
        guard total > 1e-12 else { return nil }
        let count = Double(scores.itemCount)
        value = count / (count - 1) * (1 - variances / total)
        peopleCount = pairs.least
    }
}

/// For each pair of questions, the people who answered both, and those who answered one or both right.
private struct PairCounts {
    private let itemCount: Int
    private var people: [Int32]
    private var bothRight: [Int32]
    /// Of the people who answered both, those who answered the first right.
    private var firstRight: [Int32]

    init(_ scores: SparseScoreMatrix) {
        itemCount = scores.itemCount
        people = Array(repeating: 0, count: itemCount * itemCount)
        bothRight = people
        firstRight = people
        var isRight = Array(repeating: false, count: itemCount)
        for (row, frequency) in zip(scores.rows, scores.frequencies) {
            let count = Int32(clamping: frequency)
            for item in row.right { isRight[item] = true }
            for one in row.answered {
                for other in row.answered {
                    let place = one * itemCount + other
                    people[place] &+= count
                    if isRight[one] {
                        firstRight[place] &+= count
                        if isRight[other] { bothRight[place] &+= count }
                    }
                }
            }
            for item in row.right { isRight[item] = false }
        }
    }

    /// The minimum number of people of a pair.
    var least: Int { Int(people.min() ?? 0) }

    func covariance(_ one: Int, _ other: Int) -> Double {
        let place = one * itemCount + other
        let n = Double(people[place])
        let (right, otherRight) = (firstRight[place], firstRight[other * itemCount + one])
        return (Double(bothRight[place]) - Double(right) * Double(otherRight) / n) / (n - 1)
    }
}
