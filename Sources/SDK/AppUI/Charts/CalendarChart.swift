#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Charts
public import Foundation
import StudyModel
public import SwiftUI

/// The answers of each day: a column a week, a stronger colour for more answers.
public struct CalendarChart: View {
    /// A day with its answers.
    public struct Day: Sendable, Hashable, Identifiable {
        /// The start of the day.
        public var date: Date
        /// The number of answers.
        public var answers: Int
        /// The strength of the colour, from 0 for none to 4.
        public var step: Int

        /// The start of the day.
        public var id: Date { date }

        /// Creates a day.
        public init(date: Date, answers: Int, step: Int) {
            self.date = date
            self.answers = answers
            self.step = step
        }
    }

    private let days: [Day]
    @Environment(\.studyFormats) private var formats
    @Environment(\.colorScheme) private var scheme

    /// Creates a chart of days in their order.
    public init(_ days: [Day]) { self.days = days }

    /// The chart.
    public var body: some View {
        Chart(days) { day in
            RectangleMark(
                x: .value(
                    formats.words["progress.dayColumn"], day.date, unit: .weekOfYear,
                    calendar: formats.calendar),
                y: .value(formats.words["progress.dayColumn"], formats.shortWeekday(day.date)),
                width: .ratio(0.8), height: .ratio(0.8)
            )
            .foregroundStyle(colour(day.step))
            .cornerRadius(2)
        }
        .chartYScale(domain: weekdays)
        .chartXAxis {
            AxisMarks(values: .stride(by: .month, calendar: formats.calendar)) { value in
                AxisValueLabel {
                    if let date = value.as(Date.self) {
                        Text(verbatim: formats.shortMonth(date))
                    }
                }
            }
        }
        .frame(minHeight: 160)
    }

    /// The short names of the weekdays in the order of the learner's week.
    private var weekdays: [String] {
        var names: [String] = []
        for day in days where !names.contains(formats.shortWeekday(day.date)) {
            names.append(formats.shortWeekday(day.date))
        }
        return names
    }

    private func colour(_ step: Int) -> Color {
        guard step > 0 else { return StudyColor.sunk.color(for: scheme) }
        return StudyColor.accent.color(for: scheme).opacity(0.1 + 0.225 * Double(min(step, 4)))
    }
}
#endif
