#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI
import Underway

/// The entry to the report of a question, which opens as a sheet; nothing where it cannot be reported.
struct ReportButton: View {
    private let reporting: Reporting
    private let question: String
    private let model: @MainActor () -> ReportModel
    private let changed: @MainActor () async -> Void
    @State private var shown: ShownReport?
    /// True after the sheet was closed, until the screen was read again.
    @State private var isChanged: Bool?
    @Environment(\.studyFormats) private var formats

    /// A report on the screen.
    private struct ShownReport: Identifiable {
        let id: String
        let model: ReportModel
    }

    /// Creates the entry.
    ///
    /// - Parameters:
    ///   - reporting: The standing of the question.
    ///   - question: The question's text, for a screen reader.
    ///   - model: Returns the report's model.
    ///   - changed: Reads the screen again.
    init(
        _ reporting: Reporting, question: String, model: @escaping @MainActor () -> ReportModel,
        changed: @escaping @MainActor () async -> Void
    ) {
        self.reporting = reporting
        self.question = question
        self.model = model
        self.changed = changed
    }

    var body: some View {
        if let key = reporting.key {
            Button(formats.words[key]) { open() }
                .buttonStyle(.borderless)
                .frame(minHeight: StudyStyle.targetMin)
                .accessibilityHint(question)
                .sheet(item: $shown, onDismiss: { isChanged = true }) { report in
                    NavigationStack { ReportView(report.model) { shown = nil } }
                }
                .performs($isChanged) { [changed] _ in await changed() }
        }
    }

    private func open() {
        let report = model()
        shown = ShownReport(id: "\(report.session) \(report.index)", model: report)
    }
}
#endif
