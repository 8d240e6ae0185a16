#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import Underway

/// The numbers of the progress screen's charts as tables, and their points.
struct ProgressTables {
    private let screen: ProgressScreen
    private let formats: StudyFormats

    init(_ screen: ProgressScreen, _ formats: StudyFormats) {
        self.screen = screen
        self.formats = formats
    }

    var due: ChartTable {
        ChartTable(
            columns: columns("day", "cards"),
            screen.dueDays.map { [day($0.date), formats.number($0.cards)] })
    }

    var calendar: ChartTable {
        ChartTable(
            columns: columns("week", "answers"),
            screen.calendar.weeks.map { [day($0.start), formats.number($0.answers)] })
    }

    var days: [CalendarChart.Day] {
        screen.calendar.weeks.flatMap(\.days).map {
            CalendarChart.Day(date: $0.date, answers: $0.answers, step: $0.step)
        }
    }

    func course(_ forecast: ExamForecast) -> [ForecastChart.Point] {
        forecast.course.map {
            ForecastChart.Point(
                date: $0.date, share: $0.share.expected, low: $0.share.low, high: $0.share.high)
        }
    }

    func past(_ forecast: ExamForecast) -> [ForecastChart.Point] {
        forecast.past.map { ForecastChart.Point(date: $0.date, share: $0.share) }
    }

    func table(_ forecast: ExamForecast) -> ChartTable {
        let none = formats.words["progress.noValue"]
        return ChartTable(
            columns: columns("day", "share", "low", "high"),
            past(forecast).map { [day($0.date), formats.percent($0.share), none, none] }
                + course(forecast).map {
                    [
                        day($0.date), formats.percent($0.share), formats.percent($0.low),
                        formats.percent($0.high),
                    ]
                })
    }

    private func columns(_ names: String...) -> [String] {
        names.map { formats.words["progress.\($0)Column"] }
    }

    private func day(_ date: Date) -> String { formats.date(date, now: screen.now) }
}
#endif
