import Foundation
import PageRendering
import StudyModel

/// The charts of the progress page, in the words and formats of a language.
struct ProgressCharts {
    private let screen: ProgressScreen
    private let formats: StudyFormats
    private var words: StudyText { formats.words }
    private var none: String { words["progress.noValue"] }
    private var said: ProgressText { ProgressText(screen, formats) }

    init(_ screen: ProgressScreen, _ formats: StudyFormats) {
        self.screen = screen
        self.formats = formats
    }

    // MARK: Forecast

    /// The forecast with the sentence that names its band; `nil` without one.
    var forecast: (chart: Chart, hint: String)? {
        guard case .ready(let forecast) = screen.forecast else { return nil }
        let chart = ForecastChart(
            past: forecast.past.map {
                .init(date: $0.date, share: $0.share, low: $0.share, high: $0.share)
            },
            course: forecast.course.map {
                .init(
                    date: $0.date, share: $0.share.expected, low: $0.share.low, high: $0.share.high)
            },
            pass: forecast.passFraction, texts: texts(of: forecast))
        return (
            chart.chart(id: "forecast", isRightToLeft: words.isRightToLeft),
            said.hint(of: forecast)
        )
    }

    private func texts(of forecast: ExamForecast) -> ForecastChart.Texts {
        ForecastChart.Texts(
            finding: said.finding(of: forecast), pass: words["progress.passLine"],
            today: { [words] in words.text("progress.todayShare", ["share": $0]) },
            columns: (
                words["progress.dayColumn"], words["progress.shareColumn"],
                words["progress.lowColumn"], words["progress.highColumn"]
            ), percent: formats.percent, day: formats.shortDate, none: none)
    }

    // MARK: Days

    /// The cards that fall due; `nil` when none does.
    var due: Chart? {
        guard screen.busiestDueDay != nil else { return nil }
        let columns = screen.dueDays.enumerated().map { index, day in
            ColumnChart.Column(
                name: name(of: day.date),
                tick: index == 0 ? words["today.title"] : formats.shortWeekday(day.date),
                count: day.cards)
        }
        let texts = ColumnChart.Texts(
            finding: said.dueFinding,
            columns: (words["progress.dayColumn"], words["progress.cardsColumn"]),
            number: formats.number)
        return ColumnChart(columns: columns, texts: texts)
            .chart(id: "due", isRightToLeft: words.isRightToLeft)
    }

    /// The answers of the last weeks.
    var calendar: Chart {
        let weeks = screen.calendar.weeks
        let drawn = weeks.indices.map { index in
            HeatMapChart.Week(
                name: formats.date(weeks[index].start, now: screen.now), tick: tick(index),
                days: weeks[index].days.map {
                    .init(name: name(of: $0.date), count: $0.answers, step: $0.step)
                })
        }
        let texts = HeatMapChart.Texts(
            finding: said.calendarFinding,
            columns: (words["progress.weekColumn"], words["progress.answersColumn"]),
            weekdays: (weeks.first?.days ?? []).map { formats.shortWeekday($0.date) },
            day: { [words] in words.count("progress.answersOn", $1, ["date": $0]) },
            number: formats.number, none: none)
        return HeatMapChart(weeks: drawn, texts: texts)
            .chart(id: "calendar", isRightToLeft: words.isRightToLeft)
    }

    private func name(of day: Date) -> String { said.name(of: day) }

    /// Returns the month above a week in which it begins; `nil` where the next one has no room beside it.
    private func tick(_ index: Int) -> String? {
        let months = screen.calendar.weeks.map { formats.shortMonth($0.start) }
        guard index == 0 || months[index] != months[index - 1] else { return nil }
        let hasRoom = months.dropFirst(index).prefix(3).allSatisfy { $0 == months[index] }
        return hasRoom ? months[index] : nil
    }

    // MARK: Domains

    /// The share of right answers of each domain; `nil` without answers.
    var domains: Chart? {
        guard !screen.domains.isEmpty else { return nil }
        let rows = screen.domains.map {
            ShareRowsChart.Row(
                name: said.name(of: $0), right: $0.right, answers: $0.answers,
                interval: $0.interval.low...$0.interval.high)
        }
        let texts = ShareRowsChart.Texts(
            finding: said.domainFinding,
            columns: (
                words["progress.domainColumn"], words["result.rightColumn"],
                words["progress.answersColumn"], words["progress.shareColumn"],
                words["progress.likelyColumn"]
            ),
            rightOf: { [formats] in
                formats.words.text(
                    "app.share", ["part": formats.number($0), "total": formats.number($1)])
            },
            range: { [formats] in
                formats.words.text(
                    "app.range", ["low": formats.percent($0), "high": formats.percent($1)])
            }, number: formats.number, percent: formats.percent, none: none)
        return ShareRowsChart(rows: rows, texts: texts)
            .chart(id: "domains", isRightToLeft: words.isRightToLeft)
    }
}
