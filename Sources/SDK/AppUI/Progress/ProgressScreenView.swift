#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of the learner's progress: figures, forecast, the next days, the calendar, the domains.
public struct ProgressScreenView: View {
    private let model: ProgressModel
    @State private var subject: String?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: ProgressModel) { self.model = model }

    /// The screen.
    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                if let screen = model.screen {
                    content(screen)
                } else if let problem = model.problem {
                    ProblemCard(problem)
                } else {
                    ProgressView(formats.words["app.loading"])
                }
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.page)
        .navigationTitle(formats.words["progress.title"])
        .task(id: subject) { await model.load(subject: subject) }
    }

    @ViewBuilder
    private func content(_ screen: ProgressScreen) -> some View {
        let words = ProgressText(screen, formats)
        let tables = ProgressTables(screen, formats)
        if screen.subjects.isEmpty {
            Text(verbatim: formats.words["progress.empty"]).studyCard()
        } else {
            picker(screen)
            figures(words)
            forecast(screen, words, tables)
            ChartCard(
                finding: words.dueFinding, hint: formats.words["progress.next14"],
                table: tables.due
            ) {
                DueChart(screen.dueDays.map { DueChart.Day(date: $0.date, cards: $0.cards) })
            }
            ChartCard(
                finding: words.calendarFinding, hint: formats.words["progress.calendarHint"],
                table: tables.calendar
            ) {
                CalendarChart(tables.days)
            }
            if !screen.domains.isEmpty { domains(screen, words) }
        }
    }

    @ViewBuilder
    private func forecast(
        _ screen: ProgressScreen, _ words: ProgressText, _ tables: ProgressTables
    ) -> some View {
        if case .ready(let forecast) = screen.forecast {
            ChartCard(
                finding: words.finding(of: forecast), hint: words.hint(of: forecast),
                table: tables.table(forecast)
            ) {
                ForecastChart(
                    past: tables.past(forecast), course: tables.course(forecast),
                    passLine: forecast.passFraction)
            }
        } else if let reason = words.whatForecastNeeds {
            Text(verbatim: reason).studyCard()
        }
    }

    private func picker(_ screen: ProgressScreen) -> some View {
        Picker(formats.words["progress.subject"], selection: $subject) {
            Text(verbatim: formats.words["progress.allSubjects"]).tag(String?.none)
            ForEach(screen.subjects) { subject in
                Text(verbatim: subject.name).tag(Optional(subject.bank))
            }
        }
        .pickerStyle(.menu)
    }

    private func figures(_ words: ProgressText) -> some View {
        LazyVGrid(columns: [GridItem(.adaptive(minimum: 150))], spacing: StudyStyle.gap) {
            ForEach(words.figures) { figure in
                VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                    Text(verbatim: figure.name).font(StudyStyle.small)
                    Text(verbatim: figure.number).font(StudyStyle.figure)
                    // A space holds the line of a figure without a measure.
                    Text(verbatim: figure.note.isEmpty ? " " : figure.note).font(StudyStyle.small)
                        .foregroundStyle(StudyColor.soft)
                }
                .studyCard()
                .accessibilityElement(children: .combine)
            }
        }
    }

    private func domains(_ screen: ProgressScreen, _ words: ProgressText) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: words.domainFinding).font(StudyStyle.cardHeading)
                .accessibilityAddTraits(.isHeader)
            ShareBars(
                screen.domains.map { domain in
                    ShareBars.Row(
                        id: "\(domain.bank)/\(domain.domain)",
                        title: words.name(of: domain), part: domain.right,
                        total: domain.answers)
                })
        }
        .studyCard()
    }
}
#endif
