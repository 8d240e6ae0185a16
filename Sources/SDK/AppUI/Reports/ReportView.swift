#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The form of a report: a reason and a text, or the sent report with a button to withdraw it.
///
/// ```swift
/// ReportView(session.report(at: screen.index)) { isReporting = false }
/// ```
public struct ReportView: View {
    /// A step that a control asked for.
    private enum Step: Equatable {
        case send(ReportDraft)
        case takeBack
    }

    private let model: ReportModel
    private let close: @MainActor () -> Void
    @State private var draft: ReportDraft?
    @State private var step: Step?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The report.
    ///   - close: Leaves the screen.
    public init(_ model: ReportModel, close: @escaping @MainActor () -> Void) {
        self.model = model
        self.close = close
    }

    /// The screen.
    public var body: some View {
        Form {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                content(screen, ReportText(screen, formats, refusal: model.refusal))
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words[draft == nil ? "report.said" : "report.title"])
        .toolbar {
            ToolbarItem(placement: .cancellationAction) {
                Button(formats.words["app.close"], action: close)
            }
        }
        .task { await load() }
        .performs($step) { await take($0) }
    }

    @ViewBuilder
    private func content(_ screen: ReportScreen, _ words: ReportText) -> some View {
        Section {
            RichTextView(screen.question.richStem).foregroundStyle(StudyColor.soft)
                .environment(\.contentLanguage, screen.bank.language)
            if let line = screen.codeLine {
                Text(verbatim: line).font(StudyStyle.code)
                    .environment(\.layoutDirection, .leftToRight)
            }
        }
        if let draft {
            form(draft, words)
        } else if let report = screen.report {
            Section { RowText(words.said ?? "", [report.text, words.state ?? ""]) }
            Section {
                Button(formats.words["report.change"]) { self.draft = ReportDraft(report) }
                Button(formats.words["report.takeBack"]) { ask(.takeBack) }
            }
        }
    }

    @ViewBuilder
    private func form(_ draft: ReportDraft, _ words: ReportText) -> some View {
        Section(formats.words["report.title"]) {
            Picker(formats.words["report.title"], selection: typed(draft).reason) {
                ForEach(words.reasons) { choice in
                    Text(verbatim: choice.title).tag(Optional(choice.reason))
                }
            }
            .pickerStyle(.inline)
            .labelsHidden()
        }
        Section {
            TextField(
                formats.words["report.comment"], text: typed(draft).text, axis: .vertical
            )
            .frame(minHeight: StudyStyle.targetMin)
        } footer: {
            Text(verbatim: words.hint)
        }
        Section {
            if let refusal = words.refusal { ProblemLine(refusal) }
            Button(formats.words["report.send"]) { ask(.send(draft)) }
                .keyboardShortcut(.defaultAction)
        }
    }

    private func typed(_ shown: ReportDraft) -> Binding<ReportDraft> {
        $draft[shown: shown]
    }

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func load() async {
        await model.load()
        if let screen = model.screen, screen.report == nil { draft = ReportDraft() }
    }

    private func take(_ step: Step) async {
        switch step {
        case .send(let draft): await model.send(draft)
        case .takeBack: await model.takeBack()
        }
        guard model.outcome != nil else { return }
        if case .send = step {
            AccessibilityNotification.Announcement(formats.words["report.thanks"]).post()
        }
        close()
    }
}
#endif
