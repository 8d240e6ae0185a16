import Foundation

/// The sums of a correlation between a choice (0 or 1) and a measure.
struct ChoiceCorrelation {
    private(set) var chosen = 0.0
    private var sum = 0.0

    /// Adds a person who made the choice.
    @inline(__always)
    mutating func add(_ measure: Double) {
        chosen += 1
        sum += measure
    }

    /// Returns Pearson's correlation; 0 where it is undefined, because all choices or measures are
    /// equal.
    func value(count: Double, total: Double, squares: Double) -> Double {
        let choiceVariance = chosen * (count - chosen)
        let measureVariance = count * squares - total * total
        guard choiceVariance > 0, measureVariance > 1e-12 * count * squares else { return 0 }
        return (count * sum - chosen * total) / (choiceVariance * measureVariance).squareRoot()
    }
}

/// Returns the correlation of each response of one question with a measure of its respondents.
///
/// - Returns: One correlation per response, 0 where it is undefined.
func correlations(
    responses: Int, rows: Range<Int>, response: [Int32], measure: [Double]
) -> [Double] {
    var sums = Array(repeating: ChoiceCorrelation(), count: responses)
    var total = 0.0
    var squares = 0.0
    for (offset, row) in rows.enumerated() {
        let value = measure[offset]
        sums[Int(response[row])].add(value)
        total += value
        squares += value * value
    }
    return sums.map { $0.value(count: Double(rows.count), total: total, squares: squares) }
}
