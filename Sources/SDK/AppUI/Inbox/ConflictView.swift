#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of a conflict: both versions side by side, and the form that merges them.
public struct ConflictView: View {
    /// A step that a control asked for.
    private enum Step: Equatable {
        case keepMine(String)
        case useServer(String)
        case save(ConflictDraft, String)
    }

    private let model: ConflictModel
    @State private var draft: ConflictDraft?
    @State private var step: Step?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: ConflictModel) { self.model = model }

    /// The screen.
    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                if let problem = model.problem { ProblemCard(problem) }
                if let screen = model.screen {
                    content(screen)
                } else if let outcome = model.outcome {
                    ended(outcome)
                } else if model.problem == nil {
                    ProgressView(formats.words["app.loading"])
                }
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.page)
        .navigationTitle(title)
        .task { await model.load() }
        .performs($step) { await take($0) }
    }

    private var title: String {
        guard let screen = model.screen else { return formats.words["conflict.gone"] }
        guard draft == nil else { return formats.words["conflict.edit"] }
        return ConflictTable(screen, formats).caption
    }

    @ViewBuilder
    private func content(_ screen: ConflictScreen) -> some View {
        RowText(formats.words.details(screen.topic), [formats.words["conflict.whoOther"]])
        if model.outcome == .serverChanged {
            ProblemLine(
                formats.words.text(
                    "conflict.serverChanged", ["time": formats.time(screen.serverChangedAt)]))
        }
        if let shown = draft {
            ConflictEditForm(
                screen, draft: $draft[shown: shown],
                isRefused: model.outcome == .notAccepted,
                save: { ask(.save($0, screen.tag)) }, cancel: { draft = nil })
        } else {
            Text(verbatim: formats.words["conflict.nothingLost"])
            ConflictComparison(
                ConflictTable(screen, formats), keepMine: { ask(.keepMine(screen.tag)) },
                useServer: { ask(.useServer(screen.tag)) })
            if screen.canEdit {
                Button(formats.words["conflict.edit"]) {
                    draft = ConflictDraft(screen, calendar: formats.calendar)
                }
                .buttonStyle(.studyOutlined)
            }
        }
    }

    private func ended(_ outcome: ConflictModel.Outcome) -> some View {
        Label(formats.words[outcome.key], systemImage: "checkmark")
            .foregroundStyle(StudyColor.right).studyCard()
    }

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        switch step {
        case .keepMine(let shown): await model.keepMine(shown: shown)
        case .useServer(let shown): await model.useServer(shown: shown)
        case .save(let draft, let shown):
            await model.save(draft.edit, shown: shown)
            // The form stays only where its fields have to be mended.
            if model.outcome != .notAccepted, model.problem == nil { self.draft = nil }
        }
    }
}
#endif
