import PageRendering

/// Counts as columns, such as the cards that fall due on the next days.
struct ColumnChart {
    /// A column.
    struct Column: Sendable, Hashable {
        /// The name in the table and the tooltip.
        var name: String
        /// The short name below the column.
        var tick: String
        var count: Int
    }

    /// The words and formats.
    struct Texts: Sendable {
        var finding: String
        /// The heads of the table: the name, the count.
        var columns: (name: String, count: String)
        var number: @Sendable (Int) -> String
    }

    /// The columns, from start to end.
    var columns: [Column]
    var texts: Texts

    private static let (top, plot, bottom) = (20.0, 120.0, 26.0)

    /// Draws the chart.
    func chart(id: String, isRightToLeft: Bool) -> Chart {
        var drawing = ChartDrawing(isRightToLeft: isRightToLeft)
        let scale = ChartScale(counts: columns.map(\.count).max() ?? 0)
        for mark in scale.marks {
            let y = Self.top + Self.plot * scale.fromTop(mark)
            drawing.rule(y: y, class: "chart-grid")
            drawing.text(
                texts.number(Int(mark)), at: 0, y: y + 4, shift: -8, anchor: .end,
                class: "chart-label")
        }
        let most = columns.map(\.count).max()
        let highest = columns.firstIndex { $0.count == most }
        for index in columns.indices { add(index, highest: highest, scale, to: &drawing) }
        let table = ChartTable(
            columns: [texts.columns.name, texts.columns.count],
            rows: columns.map { [$0.name, texts.number($0.count)] })
        return Chart(
            svg: drawing.svg(
                id: id, finding: texts.finding, height: Self.top + Self.plot + Self.bottom,
                class: "chart-columns"),
            finding: texts.finding, table: table)
    }

    /// Adds a column; the first and the (first) highest have their number above.
    private func add(
        _ index: Int, highest: Int?, _ scale: ChartScale, to drawing: inout ChartDrawing
    ) {
        let column = columns[index]
        let count = Double(columns.count)
        let middle = (Double(index) + 0.5) / count
        let y = Self.top + Self.plot * scale.fromTop(Double(column.count))
        let isMarked = index == 0 || index == highest
        if column.count > 0 {
            drawing.rectangle(
                from: middle - 0.35 / count, to: middle + 0.35 / count, y: y,
                height: Self.top + Self.plot - y, radius: 2,
                class: isMarked ? "chart-bar-strong" : "chart-bar",
                title: "\(column.name): \(texts.number(column.count))")
        }
        if isMarked {
            drawing.text(
                texts.number(column.count), at: middle, y: y - 6, anchor: .middle,
                class: "chart-value")
        }
        // Every second name has room; on a phone every fourth.
        if index % 2 == 0 {
            drawing.text(
                column.tick, at: middle, y: Self.top + Self.plot + 20, anchor: .middle,
                class: index % 4 == 0 ? "chart-label" : "chart-label chart-minor")
        }
    }
}
