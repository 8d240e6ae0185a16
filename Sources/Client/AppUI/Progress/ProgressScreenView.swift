#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The learner's progress: figures, forecast, the next days, the calendar, the domains.
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
        let cards = ProgressWords(screen, formats)
        if screen.subjects.isEmpty {
            Text(verbatim: formats.words["progress.empty"]).studyCard()
        } else {
            picker(screen)
            figures(cards)
            if let forecast = cards.forecast {
                ChartCard(
                    finding: forecast.finding, hint: forecast.hint, table: forecast.table
                ) {
                    ForecastChart(
                        past: forecast.past, course: forecast.course, passLine: forecast.passLine)
                }
            } else if let reason = cards.forecastReason {
                Text(verbatim: reason).studyCard()
            }
            ChartCard(
                finding: cards.dueFinding, hint: formats.words["progress.next14"],
                table: cards.dueTable
            ) {
                DueChart(screen.dueDays.map { DueChart.Day(date: $0.date, cards: $0.cards) })
            }
            ChartCard(
                finding: cards.calendarFinding, hint: formats.words["progress.calendarHint"],
                table: cards.calendarTable
            ) {
                CalendarChart(cards.days)
            }
            domains(screen, cards)
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

    private func figures(_ cards: ProgressWords) -> some View {
        LazyVGrid(columns: [GridItem(.adaptive(minimum: 150))], spacing: StudyStyle.gap) {
            ForEach(cards.figures) { figure in
                VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                    Text(verbatim: figure.title).font(StudyStyle.small)
                    Text(verbatim: figure.value).font(StudyStyle.figure)
                    // A space holds the line of a figure without a measure.
                    Text(verbatim: figure.detail ?? " ").font(StudyStyle.small)
                        .foregroundStyle(StudyColor.soft)
                }
                .studyCard()
                .accessibilityElement(children: .combine)
            }
        }
    }

    private func domains(_ screen: ProgressScreen, _ cards: ProgressWords) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: cards.domainFinding).font(StudyStyle.cardHeading)
                .accessibilityAddTraits(.isHeader)
            ShareBars(
                screen.domains.map { domain in
                    ShareBars.Row(
                        id: "\(domain.bank)/\(domain.domain)",
                        title: domain.title ?? domain.bank, part: domain.right,
                        total: domain.answers)
                })
        }
        .studyCard()
    }
}
#endif
