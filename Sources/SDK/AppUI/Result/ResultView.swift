#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of a session's result: the finding, its certainty, and the missed questions.
public struct ResultView: View {
    private let model: ResultModel
    private let study: @MainActor (Subject) -> Void
    private let event: (@MainActor (String) -> Void)?
    private let undo: (@MainActor (String) -> Void)?
    @State private var showsAll = false
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The result.
    ///   - study: Continues with the subject.
    ///   - event: Opens the live event of which the session is a round; without it the screen has no link to it.
    ///   - undo: Takes back the answer of a key by ``SessionModel/undo(_:)`` and shows the session; without it the screen
    ///     offers no undo.
    public init(
        _ model: ResultModel, study: @escaping @MainActor (Subject) -> Void,
        event: (@MainActor (String) -> Void)? = nil, undo: (@MainActor (String) -> Void)? = nil
    ) {
        self.model = model
        self.study = study
        self.event = event
        self.undo = undo
    }

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
        .navigationTitle(formats.words["result.title"])
        .task { await model.load() }
    }

    @ViewBuilder
    private func content(_ screen: ResultScreen) -> some View {
        let words = ResultText(screen, formats)
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Text(verbatim: words.finding).font(StudyStyle.heading)
                .accessibilityAddTraits(.isHeader)
            Text(verbatim: words.crumbs).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            if !words.certainty.isEmpty { Text(verbatim: words.certainty) }
            if let timeOver = words.timeOver { Text(verbatim: timeOver) }
            if let correction = words.correction {
                Text(verbatim: correction).foregroundStyle(StudyColor.care)
            }
        }
        if let event, let round = screen.event {
            Button(round.title) { event(round.id) }.buttonStyle(.studyOutlined)
        }
        if let placement = screen.placement { LevelScaleView(steps(placement)).studyCard() }
        if let next = screen.next, let title = words.studyNext {
            Button(title) { study(next.subject) }.buttonStyle(.studyFilled)
            Button(words.studyOn) { study(screen.subject) }.buttonStyle(.studyOutlined)
        } else {
            Button(words.studyOn) { study(screen.subject) }.buttonStyle(.studyFilled)
        }
        if let undo, let key = screen.undoKey {
            Button(formats.words["keys.undo"]) { undo(key) }.buttonStyle(.studyOutlined)
        }
        if !screen.parts.isEmpty { parts(screen) }
        missed(screen)
        if screen.missed.count < screen.reviewed.count { review(screen, words) }
        ConsentCard(model.consent, after: screen)
    }

    private func steps(_ placement: PlacementOutcome) -> [LevelScaleView.Step] {
        placement.scale.map { band in
            LevelScaleView.Step(
                level: band.level, isLikely: placement.likelyLevels.contains(band.level),
                isOwn: placement.level == band.level)
        }
    }

    private func parts(_ screen: ResultScreen) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: formats.words["result.byKind"]).font(StudyStyle.cardHeading)
                .accessibilityAddTraits(.isHeader)
            ShareBars(
                screen.parts.map {
                    ShareBars.Row(
                        id: $0.id, title: $0.title, part: $0.correctCount, total: $0.questionCount)
                })
        }
        .studyCard()
    }

    /// All answers on request: most of them repeat what was right.
    private func review(_ screen: ResultScreen, _ words: ResultText) -> some View {
        DisclosureGroup(isExpanded: $showsAll) {
            VStack(alignment: .leading, spacing: StudyStyle.gap) {
                ForEach(screen.parts) { part in
                    Text(verbatim: "\(part.title): \(part.score(formats))").bold()
                        .accessibilityAddTraits(.isHeader)
                    rows(screen.reviewed(.all, of: part), screen)
                }
                rows(
                    screen.reviewed.filter { reviewed in
                        !screen.parts.contains { $0.id == reviewed.question.domain }
                    }, screen)
            }
            .environment(\.contentLanguage, screen.subject.contentLanguage)
        } label: {
            Text(verbatim: words.review).font(StudyStyle.cardHeading)
        }
        .studyCard()
    }

    private func rows(
        _ reviewed: [ResultScreen.Reviewed], _ screen: ResultScreen
    ) -> some View {
        ForEach(reviewed) { ReviewedRow($0, report: report($0, screen)) }
    }

    private func missed(_ screen: ResultScreen) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: formats.words["result.missed"]).font(StudyStyle.cardHeading)
                .accessibilityAddTraits(.isHeader)
            if screen.missed.isEmpty { Text(verbatim: formats.words["result.missedNone"]) }
            ForEach(screen.missed) { reviewed in
                ReviewedRow(reviewed, report: report(reviewed, screen))
            }
        }
        .environment(\.contentLanguage, screen.subject.contentLanguage)
        .studyCard()
    }

    private func report(
        _ reviewed: ResultScreen.Reviewed, _ screen: ResultScreen
    ) -> ReportButton {
        ReportButton(
            screen.reporting(reviewed), question: reviewed.question.richStem.plainText,
            model: { [model] in model.report(reviewed) }
        ) { [model] in await model.load() }
    }
}

/// A question with the learner's answer, the right one, and why.
struct ReviewedRow: View {
    private let reviewed: ResultScreen.Reviewed
    private let report: ReportButton
    @Environment(\.studyFormats) private var formats

    init(_ reviewed: ResultScreen.Reviewed, report: ReportButton) {
        self.reviewed = reviewed
        self.report = report
    }

    var body: some View {
        DisclosureGroup {
            WhyText(reviewed.response, reviewed.question)
            report
        } label: {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                RichTextView(reviewed.question.richStem)
                if let line = reviewed.codeLine {
                    Text(verbatim: line).font(StudyStyle.code)
                        .environment(\.layoutDirection, .leftToRight)
                }
                Text(verbatim: reviewed.outcome(formats.words)).font(StudyStyle.small)
                    .foregroundStyle(StudyColor.soft)
            }
        }
    }
}
#endif
