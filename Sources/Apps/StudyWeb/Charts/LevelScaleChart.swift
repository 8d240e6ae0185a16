import PageRendering

/// The levels of a placement test with the learner's place and the range in which it likely lies.
///
/// Each level is as wide as the others; within a level places are in proportion. Below the second level and
/// above the last one, which have no other end, a level counts as wide as the mean of those between.
struct LevelScaleChart {
    /// A level.
    struct Level: Sendable, Hashable {
        var name: String
        /// The lowest value of the level; that of the first does not matter.
        var from: Double
    }

    /// The words.
    struct Texts: Sendable {
        var finding: String
        /// The word at the learner's place.
        var you: String
        /// The heads of the table: the level, and what it is to the learner.
        var columns: (level: String, place: String)
        /// The words of the table: for the learner's level, for one in the likely range, for others.
        var places: (own: String, likely: String, other: String)
    }

    /// The levels, the lowest first; at least one.
    var levels: [Level]
    /// The learner's value.
    var value: Double
    /// The range in which the value likely lies.
    var range: ClosedRange<Double>
    var texts: Texts

    private static let (top, height, bottom) = (30.0, 14.0, 42.0)

    /// Draws the chart.
    func chart(id: String, isRightToLeft: Bool) -> Chart {
        var drawing = ChartDrawing(isRightToLeft: isRightToLeft)
        addScale(to: &drawing)
        addPlace(to: &drawing)
        addNames(to: &drawing)
        let height = Self.top + Self.height + Self.bottom
        return Chart(
            svg: drawing.svg(
                id: id, finding: texts.finding, height: height, class: "chart-levels"),
            finding: texts.finding, table: table)
    }

    /// Returns the index of a value's level.
    func level(of value: Double) -> Int {
        levels.indices.dropFirst().last { levels[$0].from <= value } ?? 0
    }

    /// Returns the place of a value, from 0 at the start of the first level to 1 at the end of the last.
    func place(of value: Double) -> Double {
        guard levels.count > 1 else { return 0.5 }
        let inner = levels.dropFirst().map(\.from)
        let mean = (inner[inner.count - 1] - inner[0]) / Double(max(1, inner.count - 1))
        let width = mean > 0 ? mean : 1
        let index = level(of: value)
        let start = index == 0 ? inner[0] - width : levels[index].from
        let end = index + 1 < levels.count ? levels[index + 1].from : start + width
        let part = end > start ? min(max(0, (value - start) / (end - start)), 1) : 0.5
        return (Double(index) + part) / Double(levels.count)
    }

    private func addScale(to drawing: inout ChartDrawing) {
        let (y, height, count) = (Self.top, Self.height, Double(levels.count))
        drawing.rectangle(from: 0, to: 1, y: y, height: height, radius: 3, class: "chart-track")
        for index in levels.indices.dropFirst() {
            drawing.upright(
                at: Double(index) / count, from: y, to: y + height, class: "chart-cut")
        }
        drawing.rectangle(
            from: place(of: range.lowerBound), to: place(of: range.upperBound), y: y,
            height: height, radius: height / 2, class: "chart-range")
    }

    private func addPlace(to drawing: inout ChartDrawing) {
        let place = place(of: value)
        drawing.circle(at: place, y: Self.top + Self.height / 2, radius: 9, class: "chart-place")
        drawing.text(
            texts.you, at: place, y: Self.top - 12,
            anchor: place < 0.08 ? .start : place > 0.92 ? .end : .middle, class: "chart-value")
    }

    /// Adds the names of the levels: in two lines if they are long, and only the learner's if they are longer.
    private func addNames(to drawing: inout ChartDrawing) {
        let own = level(of: value)
        // On a phone a scale is about 240 pixels wide, and a letter about 7.
        let lettersMax = 240 / 7 / max(1, levels.count)
        let longest = levels.map(\.name.count).max() ?? 0
        for (index, level) in levels.enumerated() {
            guard longest <= 2 * lettersMax || index == own else { continue }
            let isLower = longest > lettersMax && longest <= 2 * lettersMax && index % 2 == 1
            let middle = (Double(index) + 0.5) / Double(levels.count)
            let isAlone = longest > 2 * lettersMax
            drawing.text(
                level.name, at: isAlone && middle < 0.4 ? 0 : isAlone && middle > 0.6 ? 1 : middle,
                y: Self.top + Self.height + (isLower ? 36 : 20),
                anchor: isAlone && middle < 0.4 ? .start : isAlone && middle > 0.6 ? .end : .middle,
                class: index == own ? "chart-value-ink" : "chart-label")
        }
    }

    private var table: ChartTable {
        let own = level(of: value)
        let likely = level(of: range.lowerBound)...level(of: range.upperBound)
        return ChartTable(
            columns: [texts.columns.level, texts.columns.place],
            rows: levels.enumerated().map { index, level in
                let place =
                    index == own
                    ? texts.places.own
                    : likely.contains(index) ? texts.places.likely : texts.places.other
                return [level.name, place]
            })
    }
}
