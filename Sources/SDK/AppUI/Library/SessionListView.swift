#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of the sessions of a subject, the newest first.
public struct SessionListView: View {
    private let model: SessionListModel
    private let open: @MainActor (SubjectSession) -> Void
    @State private var page = 1
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The sessions.
    ///   - open: Shows the result of a session, or continues one that has not ended.
    public init(
        _ model: SessionListModel, open: @escaping @MainActor (SubjectSession) -> Void
    ) {
        self.model = model
        self.open = open
    }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                ForEach(screen.sessions) { session in
                    SessionRow(session, now: .now) { open(session) }
                }
                PageButtons(screen.page) { page = $0 }
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(formats.words["subject.sessions"])
        .task(id: page) { await model.load(page: page) }
    }
}

/// A session as a row that opens it: the purpose, the date, and the result with its minutes.
struct SessionRow: View {
    private let session: SubjectSession
    private let now: Date
    private let open: @MainActor () -> Void
    @Environment(\.studyFormats) private var formats

    init(_ session: SubjectSession, now: Date, open: @escaping @MainActor () -> Void) {
        self.session = session
        self.now = now
        self.open = open
    }

    var body: some View {
        Button(action: open) {
            RowText(
                session.kind(formats.words),
                [
                    formats.dateAndTime(session.startedAt, now: now), session.result(formats),
                ])
        }
        .frame(minHeight: StudyStyle.targetMin)
    }
}

/// The buttons between the pages of a long list; nothing for a list of one page.
struct PageButtons: View {
    private let page: PageNumber
    private let go: @MainActor (Int) -> Void
    @Environment(\.studyFormats) private var formats

    init(_ page: PageNumber, go: @escaping @MainActor (Int) -> Void) {
        self.page = page
        self.go = go
    }

    var body: some View {
        if let title = page.title(formats) {
            Section(title) {
                if let previous = page.previous {
                    Button(formats.words["app.previousPage"]) { go(previous) }
                }
                if let next = page.next {
                    Button(formats.words["app.nextPage"]) { go(next) }
                }
            }
        }
    }
}
#endif
