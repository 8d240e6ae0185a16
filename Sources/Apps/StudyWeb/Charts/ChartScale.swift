/// The scale of a level axis with its round marks.
struct ChartScale: Sendable, Hashable {
    /// The lowest value.
    let low: Double
    /// The highest value.
    let high: Double
    /// The marks, ascending; the first is the lowest value.
    let marks: [Double]

    /// Makes a scale of counts from 0 to a maximum, with two to five steps of 1, 2 or 5 times a power of ten.
    init(counts max: Int) {
        var step = 1
        var factors = [2, 5, 10].makeIterator()
        var power = 1
        while step * 4 < max {
            if let factor = factors.next() {
                step = factor * power
            } else {
                power *= 10
                factors = [2, 5, 10].makeIterator()
            }
        }
        let top = Swift.max(1, (max + step - 1) / step) * step
        (low, high) = (0, Double(top))
        marks = stride(from: 0, through: top, by: step).map(Double.init)
    }

    /// Makes a scale of shares within 0 and 1 that contains values, in steps of a tenth or a fifth.
    init(shares values: [Double]) {
        let lowest = Int((min(values.min() ?? 0, 1) * 10).rounded(.down))
        let highest = Int((max(values.max() ?? 1, 0) * 10).rounded(.up))
        var (bottom, top) = (max(0, lowest), min(10, max(highest, lowest + 2)))
        bottom = min(bottom, max(0, top - 2))
        let step = top - bottom > 5 ? 2 : 1
        if (top - bottom) % step != 0 { if bottom > 0 { bottom -= 1 } else { top += 1 } }
        (low, high) = (Double(bottom) / 10, Double(top) / 10)
        marks = stride(from: bottom, through: top, by: step).map { Double($0) / 10 }
    }

    /// Returns the place of a value from 0 at the top to 1 at the bottom.
    func fromTop(_ value: Double) -> Double {
        high > low ? min(max(0, (high - value) / (high - low)), 1) : 1
    }
}
