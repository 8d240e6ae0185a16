import PageRendering
import Testing

@testable import StudyWeb

@Suite struct ChartLevelsTests {
    @Test func placeLiesInTheValuesLevel() throws {
        let scale = ChartSamples.levels()
        var last = 0.0
        for step in -400...400 {
            let value = Double(step) / 50
            let place = scale.place(of: value)
            let level = scale.level(of: value)
            #expect(place >= last)
            #expect(place >= Double(level) / 5 - 1e-9 && place <= Double(level + 1) / 5 + 1e-9)
            last = place
        }
    }

    @Test func drawingEqualsTheTable() throws {
        let scale = ChartSamples.levels()
        let chart = scale.chart(id: "x", isRightToLeft: false)
        let elements = try ChartElements(chart.svg)

        #expect(
            chart.table.rows == [
                ["A1", "Unlikely"], ["A2", "Likely"], ["B1", "Your level"], ["B2", "Likely"],
                ["C1", "Unlikely"],
            ])
        #expect(elements.ofClass("chart-value-ink").map(\.text) == ["B1"])
        let mark = try #require(elements.ofClass("chart-place").first?.number("cx"))
        #expect(mark >= 40 && mark < 60)
        let range = try #require(elements.ofClass("chart-range").first)
        let start = try #require(range.number("x"))
        let end = try start + #require(range.number("width"))
        #expect(start >= 20 && start < 40 && end >= 60 && end < 80)
        #expect(start < mark && mark < end)
    }

    @Test(arguments: [
        ([-9.0, -9, -9], "A1"), ([9, 9, 9], "C1"), ([-1e300, 0.5, 1e300], "B1"),
    ])
    func valuesBeyondTheLevelsStayOnTheScale(values: [Double], level: String) throws {
        let chart = ChartSamples.levels(value: values[1], range: values[0]...values[2])
            .chart(id: "x", isRightToLeft: false)
        let elements = try ChartElements(chart.svg)

        let mark = try #require(elements.ofClass("chart-place").first?.number("cx"))
        #expect((0...100).contains(mark))
        #expect(elements.ofClass("chart-value-ink").map(\.text) == [level])
    }

    @Test func longNamesOfLevelsDoNotMeet() throws {
        let two = ChartSamples.levels(["Matelot de pont", "Mate", "Captain", "Admiral"])
        let one = ChartSamples.levels(Array(repeating: "An unusually long level", count: 4))

        let heights = try ChartElements(two.chart(id: "x", isRightToLeft: false).svg)
            .named("text").filter { $0.text != "You" }.compactMap { $0.number("y") }
        #expect(Set(heights.prefix(2)).count == 2 && heights.count == 4)
        let names = try ChartElements(one.chart(id: "x", isRightToLeft: false).svg)
            .named("text").filter { $0.text != "You" }
        #expect(names.count == 1)
    }

    @Test func singleLevelIsInTheMiddle() throws {
        let chart = ChartSamples.levels(["A1"]).chart(id: "x", isRightToLeft: false)

        #expect(try ChartElements(chart.svg).ofClass("chart-place").first?.number("cx") == 50)
        #expect(chart.table.rows == [["A1", "Your level"]])
    }
}
