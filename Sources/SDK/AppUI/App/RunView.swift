#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A session on the screen.
struct StudyRun: Identifiable {
    let id: String
    let model: SessionModel
}

/// A session, and then its result.
struct RunView: View {
    private let run: StudyRun
    private let services: StudyServices
    private let close: @MainActor () -> Void
    private let study: @MainActor (Subject) -> Void
    @State private var result: ResultModel?
    /// The key of the answer to undo.
    @State private var undone: String?
    @Environment(\.studyFormats) private var formats

    init(
        _ run: StudyRun, _ services: StudyServices, close: @escaping @MainActor () -> Void,
        study: @escaping @MainActor (Subject) -> Void
    ) {
        self.run = run
        self.services = services
        self.close = close
        self.study = study
    }

    var body: some View {
        if let result {
            NavigationStack {
                ResultView(result, study: study, undo: { undone = $0 })
                    .performs($undone) { [run] key in
                        await run.model.undo(key)
                        if !run.model.isOver { self.result = nil }
                    }
                    .toolbar {
                        ToolbarItem(placement: .cancellationAction) {
                            Button(formats.words["app.close"], action: close)
                        }
                    }
            }
        } else {
            SessionView(run.model, close: close) { id in
                result = ResultModel(services, id: id)
            }
        }
    }
}

/// Shows the announcement of this start over a screen, once.
struct AnnouncementPresenter: ViewModifier {
    private let model: AnnouncementModel
    private let isInSession: Bool
    @State private var shown: MessageScreen?
    /// The announcement of this start.
    @State private var announced: Int?
    /// The announcement that was read, until that is noted.
    @State private var read: Int?
    @Environment(\.studyFormats) private var formats

    init(_ model: AnnouncementModel, isInSession: Bool) {
        self.model = model
        self.isInSession = isInSession
    }

    func body(content: Content) -> some View {
        content
            .task { await announce() }
            .sheet(item: $shown, onDismiss: { read = announced }) { message in
                AnnouncementSheet(message) { shown = nil }
                    .presentationDetents([.medium, .large])
            }
            .performs($read) { [model, formats] id in
                await model.markSeen(id, languages: formats.words.messageLanguages)
            }
    }

    private func announce() async {
        guard announced == nil else { return }
        await model.load(languages: formats.words.messageLanguages, isInSession: isInSession)
        announced = model.current?.id
        shown = model.current
    }
}

extension View {
    /// Shows the announcement of this start over a screen; never during a session or right after one.
    func announces(_ model: AnnouncementModel, isInSession: Bool) -> some View {
        modifier(AnnouncementPresenter(model, isInSession: isInSession))
    }
}
#endif
