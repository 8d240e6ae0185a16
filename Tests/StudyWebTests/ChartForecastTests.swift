import Foundation
import PageRendering
import Testing

@testable import StudyWeb

@Suite struct ChartForecastTests {
    @Test func lineAndBandAreThoseOfTheTable() throws {
        let sample = ChartSamples.forecast()
        let chart = sample.chart(id: "x", isRightToLeft: false)
        let elements = try ChartElements(chart.svg)
        // From 50 to 100 %, as the marks of the axis say.
        #expect(
            elements.ofClass("chart-label").filter { $0.attributes["dx"] == "-8" }.map(\.text)
                == ["50 %", "60 %", "70 %", "80 %", "90 %", "100 %"])

        func shares(_ name: String) throws -> [Double] {
            let path = try #require(elements.ofClass(name).first?.attributes["d"])
            return path.split { "ML Z".contains($0) }.compactMap { Double($0) }.enumerated()
                .filter { $0.offset % 2 == 1 }.map { 1 - $0.element / 200 }
        }
        let past = sample.past.map(\.share)
        let course = sample.course
        expectEqual(try shares("chart-line-1"), past + [course[0].share])
        expectEqual(try shares("chart-line-expected"), course.map(\.share))
        expectEqual(
            try shares("chart-band"), course.map(\.high) + course.map(\.low).reversed())
        #expect(
            chart.table.rows.map { $0[1] }
                == (past + course.map(\.share)).map(ChartSamples.percent))
        #expect(elements.ofClass("chart-value").map(\.text) == [chart.table.rows.last?[1]])
        #expect(elements.ofClass("chart-pass").first?.number("y1") == 26 + 150 * 0.4)
    }

    @Test func examTodayIsOnePointWithItsRange() throws {
        let chart = ChartSamples.forecast(hasPast: false, days: 0)
            .chart(id: "x", isRightToLeft: false)
        let elements = try ChartElements(chart.svg)

        #expect(elements.named("path").isEmpty)
        #expect(elements.ofClass("chart-point").count == 1)
        #expect(elements.ofClass("chart-range-line").count == 1)
        #expect(chart.table.rows.count == 1)
        #expect(!chart.svg.contains("nan"))
    }

    @Test func withoutAPassLineThereIsNone() throws {
        let chart = ChartSamples.forecast(pass: nil).chart(id: "x", isRightToLeft: false)

        #expect(try ChartElements(chart.svg).ofClass("chart-pass").isEmpty)
        #expect(!chart.svg.contains("You pass here"))
    }

    @Test func wordsOfThePassLineKeepAwayFromTheShares() throws {
        // The shares begin at the start just below the line, and end with the band around it.
        func label(_ chart: ForecastChart) throws -> ChartElements.Element {
            let drawn = chart.chart(id: "x", isRightToLeft: false)
            return try #require(ChartElements(drawn.svg).ofClass("chart-pass-label").first)
        }
        let above = try label(ChartSamples.forecast(pass: 0.8))
        let late = try label(ChartSamples.forecast(pass: 0.6, days: 200))

        #expect(above.attributes["text-anchor"] == "start")
        #expect(late.attributes["text-anchor"] == "end")
    }

    @Test(arguments: [
        (0, [0.0, 1]), (1, [0, 1]), (4, [0, 1, 2, 3, 4]), (11, [0, 5, 10, 15]),
        (99, [0, 50, 100]), (1234, [0, 500, 1000, 1500]),
    ])
    func countsHaveRoundMarks(max: Int, marks: [Double]) {
        #expect(ChartScale(counts: max).marks == marks)
    }

    @Test func everyScaleHoldsItsValuesInAFewMarks() {
        for max in 0...3000 {
            let scale = ChartScale(counts: max)
            #expect(scale.high >= Double(max) && (2...6).contains(scale.marks.count))
            #expect(scale.marks.last == scale.high)
        }
        for low in 0...20 {
            for high in low...20 {
                let values = [Double(low) / 20, Double(high) / 20]
                let scale = ChartScale(shares: values)
                #expect(scale.low <= values[0] && scale.high >= values[1])
                #expect(scale.low >= 0 && scale.high <= 1 && (2...6).contains(scale.marks.count))
                #expect(scale.marks.first == scale.low && scale.marks.last == scale.high)
            }
        }
    }

    private func expectEqual(_ one: [Double], _ other: [Double]) {
        #expect(one.count == other.count)
        #expect(zip(one, other).allSatisfy { abs($0 - $1) < 0.0002 }, "\(one) \(other)")
    }
}
