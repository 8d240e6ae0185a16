#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
public import Underway

/// The screen of the inbox: choices, rejected changes, notices and messages.
public struct InboxView: View {
    /// A target that the learner selected; the app opens it.
    public enum Choice: Sendable, Hashable {
        /// The two versions of a record.
        case conflict(RecordKey)
        /// The message with this number.
        case message(Int)
        /// The changes of the last update.
        case updates
    }

    /// A step that a control asked for.
    private enum Step: Equatable {
        case sendAgain(OperationID)
        case dismiss(OperationID)
    }

    private let model: InboxModel
    private let open: @MainActor (Choice) -> Void
    @State private var step: Step?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: InboxModel, open: @escaping @MainActor (Choice) -> Void) {
        self.model = model
        self.open = open
    }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                content(InboxText(screen, formats))
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(formats.words["inbox.title"])
        .task { await load() }
        .refreshable { await load() }
        .performs($step) { await take($0) }
    }

    @ViewBuilder
    private func content(_ words: InboxText) -> some View {
        if let empty = words.empty {
            ContentUnavailableView(
                empty, systemImage: "checkmark",
                description: Text(verbatim: formats.words["inbox.emptyHint"]))
        }
        section("inbox.decide", words.choices) { choice in
            entry(choice.heading, [choice.details, choice.when]) { open(.conflict(choice.key)) }
        }
        section(nil, words.refused) { change in
            ChangeRow(change, sendAgain: { ask(.sendAgain(change.id)) }) {
                ask(.dismiss(change.id))
            }
        }
        section("inbox.notices", words.replaced) { change in
            ChangeRow(change, sendAgain: nil) { ask(.dismiss(change.id)) }
        }
        section("inbox.messages", words.messages) { message in
            entry(message.heading, [message.note]) { open(.message(message.id)) }
                .environment(\.locale, Locale(identifier: message.language))
        }
        Section {
            entry(formats.words["updates.title"], []) { open(.updates) }
        }
    }

    @ViewBuilder
    private func section<Row: Identifiable, Content: View>(
        _ key: String?, _ rows: [Row], @ViewBuilder row: @escaping (Row) -> Content
    ) -> some View {
        if !rows.isEmpty {
            Section(key.map { formats.words[$0] } ?? "") {
                ForEach(rows) { row($0) }
            }
        }
    }

    private func entry(
        _ title: String, _ details: [String], _ action: @escaping @MainActor () -> Void
    ) -> some View {
        Button(action: action) { RowText(title, details) }
    }

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        switch step {
        case .sendAgain(let id): await model.sendAgain(id)
        case .dismiss(let id): await model.dismiss(id)
        }
        // A problem stays on the screen: reading the inbox again would hide it.
        if model.problem == nil { await load() }
    }

    private func load() async { await model.load(languages: formats.words.messageLanguages) }
}

/// A change that was refused or replaced, with its buttons.
private struct ChangeRow: View {
    private let change: InboxText.Change
    private let sendAgain: (@MainActor () -> Void)?
    private let dismiss: @MainActor () -> Void
    @Environment(\.studyFormats) private var formats

    init(
        _ change: InboxText.Change, sendAgain: (@MainActor () -> Void)?,
        dismiss: @escaping @MainActor () -> Void
    ) {
        self.change = change
        self.sendAgain = sendAgain
        self.dismiss = dismiss
    }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            RowText(change.heading, [change.details, change.reason])
            FittingButtons {
                if let sendAgain {
                    Button(formats.words["inbox.sendAgain"], action: sendAgain)
                        .buttonStyle(.studyOutlined)
                        .accessibilityLabel(change.againName)
                }
                Button(formats.words["inbox.dismiss"], action: dismiss)
                    .buttonStyle(.studyOutlined)
                    .accessibilityLabel(change.dismissName)
            }
        }
        .removes(formats.words["inbox.dismiss"], dismiss)
    }
}
#endif
