#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import Underway

/// The sentences, figures and tables of the progress screen.
struct ProgressWords {
    /// A figure with its name and its measure.
    struct Figure: Identifiable {
        let title: String
        let value: String
        let detail: String?

        var id: String { title }
    }

    /// The forecast with its points.
    struct Forecast {
        let finding: String
        let hint: String
        let table: ChartTable
        let past: [ForecastChart.Point]
        let course: [ForecastChart.Point]
        let passLine: Double?
    }

    let screen: ProgressScreen
    let formats: StudyFormats

    init(_ screen: ProgressScreen, _ formats: StudyFormats) {
        self.screen = screen
        self.formats = formats
    }

    // MARK: Figures

    var figures: [Figure] {
        let counts = screen.figures
        return [
            Figure(
                title: word("dueToday"), value: formats.number(counts.dueToday),
                detail: nil),
            Figure(
                title: word("remembered"), value: counts.remembered.map(formats.percent) ?? "–",
                detail: text("aim", ["share": formats.percent(counts.aim)])),
            Figure(
                title: word("daysInRow"), value: formats.number(screen.streak),
                detail: text("longest", ["number": formats.number(screen.longestStreak)])),
            Figure(
                title: word("seen"), value: formats.number(counts.seen),
                detail: text("ofTotal", ["total": formats.number(counts.questions)])),
        ]
    }

    // MARK: Forecast

    /// The forecast; `nil` when there is none.
    var forecast: Forecast? {
        guard case .ready(let forecast) = screen.forecast else { return nil }
        let share = forecast.exam
        let course = forecast.course.map {
            ForecastChart.Point(
                date: $0.date, share: $0.share.expected, low: $0.share.low, high: $0.share.high)
        }
        return Forecast(
            finding: finding(forecast),
            hint: text(
                "forecast",
                [
                    "date": formats.date(forecast.examDay, now: screen.now),
                    "low": formats.percent(share.low), "high": formats.percent(share.high),
                ]),
            table: table(forecast.past, course),
            past: forecast.past.map { ForecastChart.Point(date: $0.date, share: $0.share) },
            course: course, passLine: forecast.passFraction)
    }

    /// The reason for which there is no forecast; `nil` where nothing is missing.
    var forecastReason: String? {
        guard case .tooFewAnswers = screen.forecast else { return nil }
        return text("tooFew", ["number": formats.number(ExamForecast.answersMin)])
    }

    private func finding(_ forecast: ExamForecast) -> String {
        let share = formats.percent(forecast.exam.expected)
        guard forecast.passes == false, let pass = forecast.passFraction else {
            return text("wouldPass", ["share": share])
        }
        return text("wouldNotPass", ["share": share, "pass": formats.percent(pass)])
    }

    private func table(
        _ past: [ExamForecast.Past], _ course: [ForecastChart.Point]
    ) -> ChartTable {
        ChartTable(
            columns: [
                word("dayColumn"), word("shareColumn"), word("lowColumn"), word("highColumn"),
            ],
            past.map { [day($0.date), formats.percent($0.share), "", ""] }
                + course.map {
                    [
                        day($0.date), formats.percent($0.share), formats.percent($0.low),
                        formats.percent($0.high),
                    ]
                })
    }

    // MARK: Days

    var dueFinding: String {
        guard let busiest = screen.busiestDueDay else { return word("noneDue") }
        return text("busiest", ["day": formats.dateWithWeekday(busiest.date, now: screen.now)])
    }

    var dueTable: ChartTable {
        ChartTable(
            columns: [word("dayColumn"), word("cardsColumn")],
            screen.dueDays.map { [day($0.date), formats.number($0.cards)] })
    }

    var calendarFinding: String {
        text(
            "calendar",
            [
                "active": formats.number(screen.calendar.studiedDayCount),
                "total": formats.number(screen.calendar.dayCount),
            ])
    }

    var calendarTable: ChartTable {
        ChartTable(
            columns: [word("dayColumn"), word("answersColumn")],
            screen.calendar.weeks.map { [day($0.start), formats.number($0.answers)] })
    }

    var days: [CalendarChart.Day] {
        screen.calendar.weeks.flatMap(\.days).map {
            CalendarChart.Day(date: $0.date, answers: $0.answers, step: $0.step)
        }
    }

    var domainFinding: String {
        guard let weakest = screen.weakestDomain, let title = weakest.title else {
            return word("domains")
        }
        return text("weakest", ["domain": title])
    }

    // MARK: Words

    private func word(_ key: String) -> String { formats.words["progress.\(key)"] }

    private func text(_ key: String, _ arguments: [String: String]) -> String {
        formats.words.text("progress.\(key)", arguments)
    }

    private func day(_ date: Date) -> String { formats.date(date, now: screen.now) }
}
#endif
