#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The study app: its tabs, the session over them, and the result after it.
///
/// ```swift
/// WindowGroup { StudyAppView(services).studyFormats(StudyFormats(words: words, calendar: .current)) }
/// ```
public struct StudyAppView: View {
    private enum Place: Hashable {
        case today, library, progress
    }

    /// A session on the screen, and then its result.
    private struct Run: Identifiable {
        let id: String
        let model: SessionModel
        var result: ResultModel?
    }

    private let services: StudyServices
    @State private var place = Place.today
    @State private var path: [Subject] = []
    @State private var run: Run?
    @State private var wanted: Subject?
    @State private var today: TodayModel
    @State private var library: LibraryModel
    @State private var progress: ProgressModel
    @Environment(\.studyFormats) private var formats

    /// Creates the app over the services of a device.
    public init(_ services: StudyServices) {
        self.services = services
        _today = State(initialValue: TodayModel(services))
        _library = State(initialValue: LibraryModel(services))
        _progress = State(initialValue: ProgressModel(services))
    }

    /// The app.
    public var body: some View {
        TabView(selection: $place) {
            Tab(formats.words["nav.today"], systemImage: "clock", value: Place.today) {
                NavigationStack { TodayView(today, choose: choose) }
            }
            Tab(formats.words["nav.library"], systemImage: "books.vertical", value: Place.library) {
                NavigationStack(path: $path) {
                    LibraryView(library) { path.append($0) }
                        .navigationDestination(for: Subject.self) { subject in
                            SubjectPlace(services, subject, begun: show)
                        }
                }
            }
            Tab(formats.words["nav.progress"], systemImage: "chart.bar", value: Place.progress) {
                NavigationStack { ProgressScreenView(progress) }
            }
        }
        .tint(StudyColor.accent)
        .sheet(item: $run) { shown in
            session(shown).interactiveDismissDisabled()
        }
        .performs($wanted) { await study($0) }
    }

    @ViewBuilder
    private func session(_ shown: Run) -> some View {
        if let result = shown.result {
            NavigationStack {
                ResultView(result) { open($0) }
                    .toolbar {
                        ToolbarItem(placement: .cancellationAction) {
                            Button(formats.words["app.close"], action: close)
                        }
                    }
            }
        } else {
            SessionView(shown.model, close: close) { id in
                run?.result = ResultModel(services, id: id)
            }
        }
    }

    private func choose(_ choice: TodayView.Choice) {
        switch choice {
        case .resume(let id): show(id)
        case .study(let subject): if wanted == nil { wanted = subject }
        case .library: place = .library
        }
    }

    /// Begins a session, or opens the subject, which says why there is none.
    private func study(_ subject: Subject) async {
        do {
            show(try await SessionStart(services).begin(subject.bank, .study))
        } catch {
            open(subject)
        }
    }

    private func open(_ subject: Subject) {
        run = nil
        path = [subject]
        place = .library
    }

    private func show(_ id: String) { run = Run(id: id, model: SessionModel(services, id: id)) }

    private func close() { run = nil }
}

/// A subject with a model that lives as long as its place in the path.
private struct SubjectPlace: View {
    @State private var model: SubjectModel
    private let begun: @MainActor (String) -> Void

    init(
        _ services: StudyServices, _ subject: Subject, begun: @escaping @MainActor (String) -> Void
    ) {
        _model = State(initialValue: SubjectModel(services, bank: subject.bank))
        self.begun = begun
    }

    var body: some View { SubjectView(model, begun: begun) }
}
#endif
