import PageRendering

/// The answers of each day, a column for each week: the stronger the colour, the more answers.
struct HeatMapChart {
    /// A day.
    struct Day: Sendable, Hashable {
        /// The name in the tooltip.
        var name: String
        var count: Int
        /// The step of the scale, from 0 to 4.
        var step: Int
    }

    /// A week of up to seven days.
    struct Week: Sendable, Hashable {
        /// The name in the table.
        var name: String
        /// The name above the column; `nil` for most.
        var tick: String?
        var days: [Day]
    }

    /// The words and formats.
    struct Texts: Sendable {
        var finding: String
        /// The heads of the table beside the days: the week, the sum.
        var columns: (week: String, sum: String)
        /// The seven days of the week, in their order.
        var weekdays: [String]
        /// Returns the tooltip of a day for its name and number of answers.
        var day: @Sendable (_ name: String, _ count: Int) -> String
        var number: @Sendable (Int) -> String
        /// The text of a cell without a value.
        var none = "–"
    }

    /// The weeks, the oldest first.
    var weeks: [Week]
    var texts: Texts

    private static let (top, row, cell) = (20.0, 18.0, 14.0)

    /// Draws the chart.
    func chart(id: String, isRightToLeft: Bool) -> Chart {
        var drawing = ChartDrawing(isRightToLeft: isRightToLeft)
        for (index, name) in texts.weekdays.enumerated() where index % 2 == 0 && index < 6 {
            drawing.text(
                name, at: 0, y: Self.top + Double(index) * Self.row + 12, shift: -8, anchor: .end,
                class: "chart-label")
        }
        let count = Double(max(1, weeks.count))
        for (column, week) in weeks.enumerated() {
            let start = Double(column) / count
            if let tick = week.tick {
                let isLast = column + 2 >= weeks.count
                // On a phone every second name has room, the last one first.
                let later = weeks[(column + 1)...].count { $0.tick != nil }
                drawing.text(
                    tick, at: isLast ? 1 : start, y: 12, anchor: isLast ? .end : .start,
                    class: later % 2 == 0 ? "chart-label" : "chart-label chart-minor")
            }
            for (row, day) in week.days.enumerated() {
                drawing.rectangle(
                    from: start + 0.08 / count, to: start + 0.92 / count,
                    y: Self.top + Double(row) * Self.row, height: Self.cell, radius: 2,
                    class: "chart-heat-\(min(max(0, day.step), 4))",
                    title: texts.day(day.name, day.count))
            }
        }
        return Chart(
            svg: drawing.svg(
                id: id, finding: texts.finding, height: Self.top + 7 * Self.row,
                class: "chart-calendar"),
            finding: texts.finding, table: table)
    }

    private var table: ChartTable {
        ChartTable(
            columns: [texts.columns.week] + texts.weekdays + [texts.columns.sum],
            rows: weeks.map { week in
                let days = (0..<texts.weekdays.count).map { index in
                    index < week.days.count ? texts.number(week.days[index].count) : texts.none
                }
                let sum = texts.number(week.days.reduce(0) { $0 + $1.count })
                return [week.name] + days + [sum]
            })
    }
}
