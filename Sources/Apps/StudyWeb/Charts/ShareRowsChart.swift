import PageRendering

/// Shares as rows: a name that may wrap, its numbers, and a bar with the interval of the share below it.
struct ShareRowsChart {
    /// A row.
    struct Row: Sendable, Hashable {
        var name: String
        /// The number of right answers.
        var right: Int
        /// The number of answers.
        var answers: Int
        /// The interval in which the share lies; `nil` for none, such as for a test that is over.
        var interval: ClosedRange<Double>?

        var share: Double {
            answers > 0 ? min(max(0, Double(right) / Double(answers)), 1) : 0
        }
    }

    /// The words and formats.
    struct Texts: Sendable {
        var finding: String
        /// The heads of the table: the name, right answers, answers, their share, the interval.
        var columns: (name: String, right: String, answers: String, share: String, range: String)
        /// Returns the words "49 of 54" for the right answers and all.
        var rightOf: @Sendable (_ right: Int, _ answers: Int) -> String
        /// Returns the words "81 to 96 %" for the ends of an interval.
        var range: @Sendable (_ low: Double, _ high: Double) -> String
        var number: @Sendable (Int) -> String
        var percent: @Sendable (Double) -> String
        /// The text of a cell without a value.
        var none = "–"
    }

    var rows: [Row]
    var texts: Texts

    /// Draws the chart; its rows are text, so that long names wrap.
    func chart(id: String, isRightToLeft: Bool) -> Chart {
        let drawn = rows.map { row in
            "<div class=\"chart-row\"><span class=\"chart-row-name\" dir=\"auto\">"
                + "\(HTMLText.escaped(row.name))</span> <span class=\"chart-row-value\">"
                + "\(HTMLText.escaped(texts.rightOf(row.right, row.answers)))</span>"
                + bar(row, isRightToLeft) + "</div>"
        }
        let svg =
            "<div class=\"chart chart-rows\" role=\"img\" aria-label=\""
            + "\(HTMLText.escaped(texts.finding))\" dir=\"\(isRightToLeft ? "rtl" : "ltr")\">"
            + drawn.joined() + "</div>"
        return Chart(svg: svg, finding: texts.finding, table: table)
    }

    private func bar(_ row: Row, _ isRightToLeft: Bool) -> String {
        var drawing = ChartDrawing(isRightToLeft: isRightToLeft)
        drawing.rectangle(from: 0, to: 1, y: 2, height: 8, radius: 4, class: "chart-track")
        if row.share > 0 {
            drawing.rectangle(
                from: 0, to: row.share, y: 2, height: 8, radius: 4, class: "chart-bar-strong")
        }
        if let interval = row.interval, row.answers > 0 {
            let (low, high) = (interval.lowerBound, interval.upperBound)
            drawing.rule(from: low, to: high, y: 15, class: "chart-interval")
            for end in [low, high] {
                drawing.upright(at: end, from: 12, to: 18, class: "chart-interval")
            }
        }
        return drawing.part(height: row.interval == nil ? 12 : 20)
    }

    private var table: ChartTable {
        let columns = texts.columns
        let hasInterval = rows.contains { $0.interval != nil }
        return ChartTable(
            columns: [columns.name, columns.right, columns.answers, columns.share]
                + (hasInterval ? [columns.range] : []),
            rows: rows.map { row in
                let range = row.interval.map { texts.range($0.lowerBound, $0.upperBound) }
                return [
                    row.name, texts.number(row.right), texts.number(row.answers),
                    row.answers > 0 ? texts.percent(row.share) : texts.none,
                ] + (hasInterval ? [row.answers > 0 ? range ?? texts.none : texts.none] : [])
            })
    }
}
