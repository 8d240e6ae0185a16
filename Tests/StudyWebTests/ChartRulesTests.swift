import Foundation
import PageRendering
import Testing

@testable import StudyWeb

/// The rules of every chart: named, without inline style, the same numbers in drawing and table.
@Suite struct ChartRulesTests {
    @Test(arguments: [false, true])
    func chartIsNamedByItsFinding(isRightToLeft: Bool) throws {
        for chart in ChartSamples.all(id: "x", isRightToLeft: isRightToLeft) {
            let root = try #require(try ChartElements(chart.svg).all.first)
            #expect(root.attributes["role"] == "img")
            if let id = root.attributes["aria-labelledby"] {
                let titles = try ChartElements(chart.svg).named("title")
                #expect(titles.first { $0.attributes["id"] == id }?.text == chart.finding)
            } else {
                #expect(root.attributes["aria-label"] == chart.finding)
            }
            #expect(!chart.table.rows.isEmpty)
            #expect(chart.table.rows.allSatisfy { $0.count == chart.table.columns.count })
        }
    }

    @Test(arguments: [false, true])
    func textKeepsItsSize(isRightToLeft: Bool) throws {
        for chart in ChartSamples.all(id: "x", isRightToLeft: isRightToLeft) {
            let elements = try ChartElements(chart.svg)
            #expect(!elements.all.contains { $0.attributes["style"] != nil })
            #expect(!elements.all.contains { $0.attributes["font-size"] != nil })
            // Only the nested drawing of paths is stretched, and it has no text.
            let stretched = elements.all.filter { $0.attributes["viewBox"] != nil }
            #expect(
                stretched.allSatisfy {
                    $0.name == "svg" && $0.attributes["role"] == nil
                        && $0.attributes["preserveAspectRatio"] == "none"
                })
            #expect(
                elements.named("path").allSatisfy {
                    $0.attributes["vector-effect"] == "non-scaling-stroke"
                })
        }
    }

    @Test func everyClassHasAStyle() throws {
        let style = try #require(String(bytes: PageFiles.charts, encoding: .utf8))
        let charts =
            ChartSamples.all(id: "x", isRightToLeft: false)
            + [ChartSamples.forecast(days: 0).chart(id: "y", isRightToLeft: false)]
        let names = try charts.flatMap { try ChartElements($0.svg).all }
            .flatMap { $0.attributes["class"]?.split(separator: " ") ?? [] }
        // Labels have the style of every text.
        let missing = Set(names).filter { $0 != "chart-label" && !style.contains(".\($0) ") }
            .filter { !style.contains(".\($0),") }
        #expect(missing.isEmpty)
        #expect(!style.contains("px solid #") && !style.contains("url("))
    }

    @Test func rightToLeftMirrorsEveryPlace() throws {
        let left = ChartSamples.all(id: "x", isRightToLeft: false)
        let right = ChartSamples.all(id: "x", isRightToLeft: true)
        for (left, right) in zip(left, right) {
            let pairs = zip(try ChartElements(left.svg).all, try ChartElements(right.svg).all)
            for (one, other) in pairs {
                #expect(one.name == other.name && one.text == other.text)
                switch one.name {
                case "rect":
                    let sum = try [one, other].map {
                        try #require($0.number("x")) + #require($0.number("width")) / 2
                    }.reduce(0, +)
                    #expect(abs(sum - 100) < 0.05)
                case "circle", "text":
                    let name = one.name == "text" ? "x" : "cx"
                    let sum = try #require(one.number(name)) + #require(other.number(name))
                    #expect(abs(sum - 100) < 0.05)
                    #expect(one.number("dx") == other.number("dx").map { -$0 })
                    #expect(one.attributes["text-anchor"] == other.attributes["text-anchor"])
                default: break
                }
            }
            #expect(left.table == right.table)
        }
    }

    @Test func columnsAreAsHighAsTheTableSays() throws {
        let counts = [6, 11, 0, 7, 4, 9, 3, 6, 5, 2, 7, 4, 3, 5]
        let chart = ChartSamples.columns(counts).chart(id: "x", isRightToLeft: false)
        let bars = try ChartElements(chart.svg).named("rect")

        let heights = try bars.map { try #require($0.number("height")) }
        let drawn = counts.filter { $0 > 0 }
        let unit = heights[0] / Double(drawn[0])
        #expect(zip(heights, drawn).allSatisfy { abs($0 - unit * Double($1)) < 0.02 })
        #expect(bars.count == drawn.count)
        #expect(chart.table.rows.map { $0[1] } == counts.map(String.init))
        #expect(
            try ChartElements(chart.svg).ofClass("chart-value").map(\.text) == ["6", "11"])
    }

    @Test func daysAreInDrawingAndTable() throws {
        let sample = ChartSamples.heatMap()
        let chart = sample.chart(id: "x", isRightToLeft: false)
        let elements = try ChartElements(chart.svg)
        let days = sample.weeks.flatMap(\.days)

        #expect(elements.named("rect").count == days.count)
        #expect(
            elements.named("title").dropFirst().map(\.text)
                == days.map { "\($0.name): \($0.count) answers" })
        #expect(
            elements.named("rect").map { $0.attributes["class"] }
                == days.map { "chart-heat-\($0.step)" })
        #expect(chart.table.rows.count == sample.weeks.count)
        for (row, week) in zip(chart.table.rows, sample.weeks) {
            let cells = week.days.map { "\($0.count)" } + (week.days.count < 7 ? ["–"] : [])
            #expect(row == [week.name] + cells + ["\(week.days.reduce(0) { $0 + $1.count })"])
        }
    }

    @Test func barsAreAsLongAsTheTableSays() throws {
        let sample = ChartSamples.shares()
        let chart = sample.chart(id: "x", isRightToLeft: false)
        let elements = try ChartElements(chart.svg)

        let bars = elements.ofClass("chart-bar-strong").compactMap { $0.number("width") }
        let shares = sample.rows.filter { $0.right > 0 }.map { 100 * $0.share }
        #expect(zip(bars, shares).allSatisfy { abs($0 - $1) < 0.01 } && bars.count == shares.count)
        #expect(
            chart.table.rows.map { $0[3] } == ["91 %", "84 %", "78 %", "58 %", "–"])
        #expect(chart.table.rows.first?.last == "80 % to 96 %")
        let interval = try #require(elements.ofClass("chart-interval").first)
        #expect(interval.number("x1") == 80 && interval.number("x2") == 96)
    }
}
