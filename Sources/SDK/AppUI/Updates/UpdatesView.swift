#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of the changes in the last update, by question.
public struct UpdatesView: View {
    private let model: UpdatesModel
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: UpdatesModel) { self.model = model }

    /// The screen.
    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                if let problem = model.problem {
                    ProblemCard(problem)
                } else if let screen = model.screen {
                    content(UpdatesText(screen, formats))
                } else {
                    ProgressView(formats.words["app.loading"])
                }
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.page)
        .navigationTitle(formats.words["updates.title"])
        .task { await model.load() }
    }

    @ViewBuilder
    private func content(_ words: UpdatesText) -> some View {
        Text(verbatim: words.lead)
        if let empty = words.empty { Text(verbatim: empty).studyCard() }
        ForEach(words.groups, id: \.heading) { group in
            Text(verbatim: group.heading).font(StudyStyle.cardHeading)
                .accessibilityAddTraits(.isHeader)
            ForEach(group.changes) { ChangedQuestion($0) }
        }
        if let more = words.more { Text(verbatim: more) }
    }
}

/// A changed question: its mark, the right answers, and its texts with the changed words.
private struct ChangedQuestion: View {
    private let change: UpdatesText.Change
    @Environment(\.studyFormats) private var formats

    init(_ change: UpdatesText.Change) { self.change = change }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            HStack(spacing: StudyStyle.gap) {
                Text(verbatim: change.mark).bold().foregroundStyle(colour)
                Text(verbatim: change.subject).foregroundStyle(StudyColor.soft)
            }
            .font(StudyStyle.small)
            if let stem = change.stem { QuestionText(stem).bold() }
            ForEach([change.was, change.isNow].compactMap { $0 }, id: \.self) {
                Text(verbatim: $0)
            }
            ForEach(Array(change.texts.enumerated()), id: \.offset) { text in
                if let place = text.element.place {
                    Text(verbatim: place).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
                }
                QuestionText(text.element.runs)
                    .accessibilityLabel(spoken(text.element.runs))
            }
        }
        .studyCard()
        .environment(\.contentLanguage, change.language)
    }

    private var colour: StudyColor {
        switch change.tone {
        case .care: .care
        case .new: .accent
        case .right: .right
        case .plain: .soft
        }
    }

    /// The text with the words "removed" and "added" before what only looks different on the screen.
    private func spoken(_ runs: [TextRun]) -> String {
        runs.map { run in
            if run.isRemoved { return "\(formats.words["updates.removedWords"]): \(run.words)" }
            if run.isAdded { return "\(formats.words["updates.addedWords"]): \(run.words)" }
            return run.words
        }.joined(separator: " ")
    }
}
#endif
