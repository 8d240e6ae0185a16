#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Charts
public import Foundation
import StudyModel
public import SwiftUI

/// The course of the learner's expected share, with its band until the exam.
public struct ForecastChart: View {
    /// The share at a day.
    public struct Point: Sendable, Hashable, Identifiable {
        /// The day.
        public var date: Date
        /// The expected share, from 0 to 1.
        public var share: Double
        /// The lower end of the band, from 0 to 1.
        public var low: Double
        /// The upper end of the band, from 0 to 1.
        public var high: Double

        /// The day.
        public var id: Date { date }

        /// Creates a point; without a band its ends are the share.
        public init(date: Date, share: Double, low: Double? = nil, high: Double? = nil) {
            self.date = date
            self.share = share
            self.low = low ?? share
            self.high = high ?? share
        }
    }

    private let past: [Point]
    private let course: [Point]
    private let passLine: Double?
    @Environment(\.studyFormats) private var formats
    @Environment(\.colorScheme) private var scheme

    /// Creates a chart.
    ///
    /// - Parameters:
    ///   - past: The shares before today, the oldest first.
    ///   - course: The shares from today to the exam.
    ///   - passLine: The share that passes; `nil` if the exam has no pass mark.
    public init(past: [Point], course: [Point], passLine: Double?) {
        self.past = past
        self.course = course
        self.passLine = passLine
    }

    /// The chart.
    public var body: some View {
        Chart {
            band
            lines
            ends
            passRule
        }
        .chartYScale(domain: 0...1)
        .chartYAxis {
            AxisMarks { value in
                AxisGridLine()
                AxisValueLabel {
                    if let share = value.as(Double.self) { Text(verbatim: formats.percent(share)) }
                }
            }
        }
        .chartXAxis {
            AxisMarks(values: axisDays) { value in
                AxisGridLine()
                AxisValueLabel {
                    if let date = value.as(Date.self) {
                        Text(verbatim: formats.shortDate(date))
                    }
                }
            }
        }
        .frame(minHeight: 220)
    }

    @ChartContentBuilder private var band: some ChartContent {
        ForEach(course) { point in
            AreaMark(
                x: .value(word("dayColumn"), point.date),
                yStart: .value(word("lowColumn"), point.low),
                yEnd: .value(word("highColumn"), point.high)
            )
            .foregroundStyle(StudyColor.accent.color(for: scheme).opacity(0.16))
        }
    }

    @ChartContentBuilder private var lines: some ChartContent {
        ForEach(past + course.prefix(1)) { point in
            line(point, of: "past").lineStyle(StrokeStyle(lineWidth: 2))
        }
        ForEach(course) { point in
            line(point, of: "course").lineStyle(StrokeStyle(lineWidth: 2, dash: [3, 4]))
        }
    }

    private func line(_ point: Point, of series: String) -> some ChartContent {
        LineMark(
            x: .value(word("dayColumn"), point.date), y: .value(word("shareColumn"), point.share),
            series: .value(word("shareColumn"), series)
        )
        .foregroundStyle(StudyColor.accent.color(for: scheme))
    }

    @ChartContentBuilder private var ends: some ChartContent {
        if let today = course.first {
            mark(today)
        }
        if let exam = course.last {
            mark(exam)
                .annotation(position: .top) {
                    Text(verbatim: formats.percent(exam.share)).font(StudyStyle.small).bold()
                        .foregroundStyle(StudyColor.accent)
                }
        }
    }

    private func mark(_ point: Point) -> some ChartContent {
        PointMark(
            x: .value(word("dayColumn"), point.date), y: .value(word("shareColumn"), point.share)
        )
        .foregroundStyle(StudyColor.accent.color(for: scheme))
    }

    @ChartContentBuilder private var passRule: some ChartContent {
        if let passLine {
            RuleMark(y: .value(word("passLine"), passLine))
                .lineStyle(StrokeStyle(lineWidth: 1.5, dash: [5, 3]))
                .foregroundStyle(StudyColor.second.color(for: scheme))
                .annotation(position: .top, alignment: .leading) {
                    Text(verbatim: word("passLine")).font(StudyStyle.small)
                        .foregroundStyle(StudyColor.second)
                }
        }
    }

    private var axisDays: [Date] {
        [past.first?.date, course.first?.date, course.last?.date].compactMap { $0 }
    }

    private func word(_ key: String) -> String { formats.words["progress.\(key)"] }
}
#endif
