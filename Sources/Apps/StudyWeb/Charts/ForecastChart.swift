import Foundation
import PageRendering

/// The expected share of an exam: a line up to today, a dashed one with its band up to the exam, and the line
/// that passes.
struct ForecastChart {
    /// The share on a day; a day after today has a band.
    struct Point: Sendable, Hashable {
        var date: Date
        var share: Double
        var low: Double
        var high: Double
    }

    /// The words and formats.
    struct Texts: Sendable {
        var finding: String
        /// The words at the line that passes.
        var pass: String
        /// Returns the words at today's point for its share.
        var today: @Sendable (_ share: String) -> String
        /// The heads of the table: the day, the share, the ends of the band.
        var columns: (day: String, share: String, low: String, high: String)
        var percent: @Sendable (Double) -> String
        var day: @Sendable (Date) -> String
        /// The text of a cell without a value.
        var none = "–"
    }

    /// The shares before today, by date.
    var past: [Point]
    /// The shares from today to the exam, by date; at least one.
    var course: [Point]
    /// The share that passes.
    var pass: Double?
    var texts: Texts

    private static let (top, plot, bottom) = (26.0, 150.0, 24.0)

    /// Draws the chart.
    func chart(id: String, isRightToLeft: Bool) -> Chart {
        Chart(
            svg: drawing(isRightToLeft).svg(
                id: id, finding: texts.finding, height: Self.top + Self.plot + Self.bottom,
                class: "chart-forecast"),
            finding: texts.finding, table: table)
    }

    private var table: ChartTable {
        let columns = texts.columns
        return ChartTable(
            columns: [columns.day, columns.share, columns.low, columns.high],
            rows: past.map {
                [texts.day($0.date), texts.percent($0.share), texts.none, texts.none]
            }
                + course.map {
                    [
                        texts.day($0.date), texts.percent($0.share), texts.percent($0.low),
                        texts.percent($0.high),
                    ]
                })
    }

    // MARK: Drawing

    private func drawing(_ isRightToLeft: Bool) -> ChartDrawing {
        var drawing = ChartDrawing(isRightToLeft: isRightToLeft)
        let scale = ChartScale(
            shares: past.map(\.share) + course.flatMap { [$0.low, $0.high] }
                + (pass.map { [$0] } ?? []))
        addGrid(scale, to: &drawing)
        addPaths(scale, to: &drawing)
        addPass(scale, to: &drawing)
        addMarks(scale, to: &drawing)
        addDays(to: &drawing)
        return drawing
    }

    private func place(_ date: Date) -> Double {
        guard let start = (past + course).first?.date, let end = course.last?.date, end > start
        else { return 0.5 }
        return date.timeIntervalSince(start) / end.timeIntervalSince(start)
    }

    private func height(_ share: Double, _ scale: ChartScale) -> Double {
        Self.top + Self.plot * scale.fromTop(share)
    }

    private func addGrid(_ scale: ChartScale, to drawing: inout ChartDrawing) {
        for mark in scale.marks {
            let y = height(mark, scale)
            drawing.rule(y: y, class: "chart-grid")
            drawing.text(
                texts.percent(mark), at: 0, y: y + 4, shift: -8, anchor: .end,
                class: "chart-label")
        }
    }

    private func addPaths(_ scale: ChartScale, to drawing: inout ChartDrawing) {
        func points(_ points: [Point], _ share: (Point) -> Double) -> [(x: Double, y: Double)] {
            points.map { (place($0.date), scale.fromTop(share($0))) }
        }
        let band = points(course, \.high) + points(course, \.low).reversed()
        drawing.paths(
            y: Self.top, height: Self.plot,
            [
                ChartPath(
                    name: "chart-band", points: course.count > 1 ? band : [], isClosed: true),
                ChartPath(
                    name: "chart-line-1", points: points(past + course.prefix(1), \.share)),
                ChartPath(name: "chart-line-expected", points: points(course, \.share)),
            ])
    }

    private func addPass(_ scale: ChartScale, to drawing: inout ChartDrawing) {
        guard let pass else { return }
        let y = height(pass, scale)
        drawing.rule(y: y, class: "chart-pass")
        let place = passPlace(y, scale)
        drawing.text(
            texts.pass, at: place.isAtEnd ? 1 : 0, y: place.isBelow ? y + 17 : y - 6,
            shift: place.isAtEnd ? -4 : 4, anchor: place.isAtEnd ? .end : .start,
            class: "chart-pass-label")
    }

    /// Returns the side of the line, and its end, where the words are farthest from the shares.
    private func passPlace(_ y: Double, _ scale: ChartScale) -> (isAtEnd: Bool, isBelow: Bool) {
        var best: (place: (isAtEnd: Bool, isBelow: Bool), gap: Double)?
        for isAtEnd in [false, true] {
            for isBelow in [false, true] {
                // The words are about 16 pixels high, and as wide as 0.4 of a phone's chart.
                let middle = isBelow ? y + 12 : y - 11
                let gap =
                    stride(from: 0, through: 0.4, by: 0.05).flatMap { place in
                        heights(at: isAtEnd ? 1 - place : place, scale)
                    }.map { max(0, max($0.lowerBound - middle, middle - $0.upperBound)) }.min() ?? 0
                let isInside = middle > Self.top && middle < Self.top + Self.plot
                let shown = isInside ? gap : -1
                if shown > best?.gap ?? -2 { best = ((isAtEnd, isBelow), shown) }
            }
        }
        return best?.place ?? (false, false)
    }

    /// Returns the heights that lines and band take at a place.
    private func heights(at place: Double, _ scale: ChartScale) -> [ClosedRange<Double>] {
        let points = past + course
        return zip(points, points.dropFirst()).compactMap { one, other in
            let (start, end) = (self.place(one.date), self.place(other.date))
            guard start <= place, place <= end, end > start else { return nil }
            let part = (place - start) / (end - start)
            let high = one.high + part * (other.high - one.high)
            let low = one.low + part * (other.low - one.low)
            return height(max(high, low), scale)...height(min(high, low), scale)
        }
    }

    private func addMarks(_ scale: ChartScale, to drawing: inout ChartDrawing) {
        guard let today = course.first, let exam = course.last else { return }
        let x = place(today.date)
        drawing.upright(
            at: x, from: Self.top - 8, to: Self.top + Self.plot, class: "chart-today")
        drawing.text(
            texts.today(texts.percent(today.share)), at: x, y: Self.top - 13,
            anchor: x < 0.25 ? .start : x > 0.75 ? .end : .middle, class: "chart-label")
        drawing.circle(
            at: x, y: height(today.share, scale), radius: 4, class: "chart-point")
        if course.count > 1 {
            drawing.circle(
                at: 1, y: height(exam.share, scale), radius: 5, class: "chart-point-open")
        } else {
            drawing.upright(
                at: x, from: height(exam.high, scale), to: height(exam.low, scale),
                class: "chart-range-line")
        }
        drawing.text(
            texts.percent(exam.share), at: course.count > 1 ? 1 : x,
            y: height(exam.share, scale) + 4, shift: 10, class: "chart-value")
    }

    private func addDays(to drawing: inout ChartDrawing) {
        guard let first = (past + course).first, let last = course.last else { return }
        let y = Self.top + Self.plot + 18
        guard last.date > first.date else {
            drawing.text(
                texts.day(last.date), at: 0.5, y: y, anchor: .middle, class: "chart-label")
            return
        }
        drawing.text(texts.day(first.date), at: 0, y: y, class: "chart-label")
        drawing.text(texts.day(last.date), at: 1, y: y, anchor: .end, class: "chart-label")
    }
}
