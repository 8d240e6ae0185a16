import Foundation
import PageRendering
import StudyModel

/// The values of the progress page.
struct ProgressView {
    /// A subject to choose.
    struct Choice {
        var bank: String
        var name: String
        var language: String?
        var isSelected: Bool
    }

    struct Figure {
        var name: String
        var number: String
        var note: String
    }

    struct Missing {
        var name: String
        var note: String
    }

    var choices: [Choice]
    var hasChoices: Bool
    var isAllSelected: Bool
    var isEmpty: Bool
    /// True on a device whose server may have boards.
    var hasBoards = false
    var figures: [Figure]
    var missing: [Missing]
    var forecast: ChartView?
    /// The sentence in place of a forecast.
    var noForecast: String?
    var hasNoDate: Bool
    var due: ChartView?
    /// The heading when no card falls due.
    var noneDue: String?
    var calendar: ChartView
    var domains: ChartView?

    init(_ screen: ProgressScreen, _ formats: StudyFormats) {
        let words = formats.words
        let charts = ProgressCharts(screen, formats)
        choices = screen.subjects.map {
            Choice(
                bank: $0.bank, name: $0.name, language: $0.language,
                isSelected: $0.bank == screen.selected)
        }
        hasChoices = choices.count > 1
        isAllSelected = screen.selected == nil
        isEmpty = screen.subjects.isEmpty
        let said = ProgressText(screen, formats)
        figures = said.figures.map { Figure(name: $0.name, number: $0.number, note: $0.note) }
        missing = screen.missing.map { Missing(name: $0.name, note: words["subject.missing"]) }
        forecast = charts.forecast.map { ChartView($0.chart, hint: $0.hint) }
        noForecast = said.whatForecastNeeds
        hasNoDate = screen.forecast == .noDate
        due = charts.due.map { ChartView($0, hint: words["progress.next14"]) }
        noneDue = due == nil ? said.dueFinding : nil
        calendar = ChartView(charts.calendar, hint: words["progress.calendarHint"])
        domains = charts.domains.map { ChartView($0, hint: words["progress.rightHint"]) }
    }
}

/// A chart as templates show it: heading, drawing and table.
struct ChartView {
    var finding: String
    var hint: String
    /// The markup of the drawing, whose texts are escaped.
    var svg: String
    /// The markup of the table, whose texts are escaped.
    var table: String

    init(_ chart: Chart, hint: String = "") {
        finding = chart.finding
        self.hint = hint
        svg = chart.svg
        table = chart.table.html(caption: chart.finding)
    }
}
