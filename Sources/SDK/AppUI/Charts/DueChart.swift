#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Charts
public import Foundation
import StudyModel
public import SwiftUI

/// The number of cards that become due on each of the next days, the fullest day in full colour.
public struct DueChart: View {
    /// A day with its cards.
    public struct Day: Sendable, Hashable, Identifiable {
        /// The start of the day.
        public var date: Date
        /// The number of cards.
        public var cards: Int

        /// The start of the day.
        public var id: Date { date }

        /// Creates a day.
        public init(date: Date, cards: Int) {
            self.date = date
            self.cards = cards
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
            BarMark(
                x: .value(
                    formats.words["progress.dayColumn"], day.date, unit: .day,
                    calendar: formats.calendar),
                y: .value(formats.words["progress.cardsColumn"], day.cards)
            )
            .foregroundStyle(
                StudyColor.accent.color(for: scheme).opacity(day == busiest ? 1 : 0.65)
            )
            .cornerRadius(3)
            .annotation(position: .top) {
                if day == busiest {
                    Text(verbatim: formats.number(day.cards)).font(StudyStyle.small).bold()
                }
            }
        }
        .chartXAxis {
            AxisMarks(values: .stride(by: .day, count: 2, calendar: formats.calendar)) { value in
                AxisValueLabel(centered: true) {
                    if let date = value.as(Date.self) {
                        Text(verbatim: formats.shortWeekday(date))
                    }
                }
            }
        }
        .frame(minHeight: 160)
    }

    private var busiest: Day? {
        let most = days.map(\.cards).max() ?? 0
        return most > 0 ? days.first { $0.cards == most } : nil
    }
}
#endif
