/// The natural cubic spline through values at 1, 2, 3 and so on.
enum NaturalSpline {
    /// Returns its slopes at both ends, with which it is extrapolated; 0 for a single value.
    static func endSlopes(_ values: [Double]) -> (first: Double, last: Double) {
        let count = values.count
        guard count > 1 else { return (0, 0) }
        let bends = secondDerivatives(values)
        let firstRise = values[1] - values[0]
        let lastRise = values[count - 1] - values[count - 2]
        return (firstRise - bends[1] / 6, lastRise + bends[count - 2] / 6)
    }

    /// Solves the tridiagonal system by Thomas's algorithm; both ends are 0.
    private static func secondDerivatives(_ values: [Double]) -> [Double] {
        let count = values.count
        var bends = Array(repeating: 0.0, count: count)
        guard count > 2 else { return bends }
        var ratios = bends
        var sums = bends
        for index in 1..<(count - 1) {
            let right = 6 * (values[index + 1] - 2 * values[index] + values[index - 1])
            let pivot = 4 - ratios[index - 1]
            ratios[index] = 1 / pivot
            sums[index] = (right - sums[index - 1]) / pivot
        }
        for index in stride(from: count - 2, to: 0, by: -1) {
            bends[index] = sums[index] - ratios[index] * bends[index + 1]
        }
        return bends
    }
}
