#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// The tabs of the study app, and the session over them.
struct StudyTabs: View {
    private enum Place: Hashable {
        case today, library, progress, inbox, settings
    }

    private let services: StudyServices
    @State private var place = Place.today
    @State private var paths: [Place: [StudyPlace]] = [:]
    @State private var run: StudyRun?
    @State private var wanted: Subject?
    @State private var offer: StudyOffer?
    /// The readings of the screens below a session that has ended.
    @State private var reloads = StepQueue<Bool>()
    private let models: StudyAppModels
    @Environment(\.studyFormats) private var formats

    init(_ services: StudyServices, _ models: StudyAppModels) {
        self.services = services
        self.models = models
    }

    var body: some View {
        TabView(selection: $place) {
            Tab(formats.words["nav.today"], systemImage: "clock", value: Place.today) {
                stack(.today) {
                    todayRoot.announces(announcement, isInSession: run != nil)
                }
            }
            Tab(formats.words["nav.library"], systemImage: "books.vertical", value: Place.library) {
                stack(.library) { libraryRoot }
            }
            Tab(formats.words["nav.progress"], systemImage: "chart.bar", value: Place.progress) {
                stack(.progress) { progressRoot }
            }
            Tab(formats.words["nav.inbox"], systemImage: "tray", value: Place.inbox) {
                stack(.inbox) { InboxView(inbox) { go(to: StudyPlace($0), in: .inbox) } }
            }
            .badge(freshness.screen?.waitingCount ?? 0)
            Tab(formats.words["nav.settings"], systemImage: "gearshape", value: Place.settings) {
                stack(.settings) { settingsRoot }
            }
        }
        .covers(item: $run) { RunView($0, services, close: close, study: open) }
        .performs($wanted) { await study($0) }
        .performs($offer) { await study($0.subject, $0.kind) }
        .performs($reloads) { _ in await reload() }
    }

    /// The first screen: for a new learner the choice of a subject.
    @ViewBuilder
    private var todayRoot: some View {
        if let screen = today.screen, !screen.hasStarted, screen.booked.isEmpty {
            StartView(
                library, open: { go(to: .subject($0), in: .today) },
                signIn: { go(to: .account, in: .today) })
        } else {
            TodayView(today, choose: choose)
        }
    }

    private var libraryRoot: some View {
        LibraryView(library) { go(to: .subject($0), in: .library) }
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button(formats.words["library.favourites"]) {
                        go(to: .favourites, in: .library)
                    }
                }
            }
    }

    private var progressRoot: some View {
        ProgressScreenView(progress)
            .toolbar {
                if services.sendsUserData {
                    ToolbarItem(placement: .primaryAction) {
                        Button(formats.words["board.list"]) { go(to: .boards, in: .progress) }
                    }
                }
            }
    }

    private var settingsRoot: some View {
        SettingsView(settings, files: { SubjectFilesModel(services, bank: $0.subject.bank) }) {
            go(to: StudyPlace($0), in: .settings)
        }
    }

    /// A tab's screens, the line of freshness above the first.
    private func stack<Root: View>(
        _ place: Place, @ViewBuilder root: () -> Root
    ) -> some View {
        NavigationStack(path: $paths[pathOf: place]) {
            root()
                .safeAreaInset(edge: .top, spacing: 0) {
                    FreshnessBanner(
                        freshness, decide: decide, showChanges: { go(to: .updates, in: place) })
                }
                .navigationDestination(for: StudyPlace.self) { shown in
                    StudyPlaceView(
                        services, shown, ratesAnswers: ratesAnswers, begun: show,
                        go: { go(to: $0, in: place) }, back: { back(in: place) })
                }
        }
    }

    private var today: TodayModel { models.today }
    private var library: LibraryModel { models.library }
    private var progress: ProgressModel { models.progress }
    private var inbox: InboxModel { models.inbox }
    private var freshness: FreshnessModel { models.freshness }
    private var announcement: AnnouncementModel { models.announcement }
    private var settings: SettingsModel { models.settings }

    private var ratesAnswers: Bool { settings.screen?.settings.ratesAnswers ?? false }

    // MARK: Places

    private func go(to target: StudyPlace, in place: Place) {
        paths[place, default: []].append(target)
    }

    private func back(in place: Place) {
        paths[place] = paths[place]?.dropLast()
        reloads.insist(true)
    }

    private func decide(_ banner: FreshnessText.Banner) {
        switch banner {
        case .signIn: (place, paths[.settings]) = (.settings, [.account])
        case .rejected: (place, paths[.inbox]) = (.inbox, [])
        }
    }

    private func choose(_ choice: TodayView.Choice) {
        switch choice {
        case .resume(let id): show(id)
        case .study(let subject): if wanted == nil { wanted = subject }
        case .offer(let chosen): if offer == nil { offer = chosen }
        case .library: place = .library
        case .bookings: go(to: .bookings, in: .today)
        }
    }

    // MARK: Sessions

    /// Begins a session; if none can begin, opens the subject, which shows the reason.
    private func study(_ subject: Subject, _ offer: StudyOffer.Kind? = nil) async {
        do {
            var wishes = SessionWishes()
            wishes.offer = offer
            show(
                try await SessionStart(services).begin(
                    subject.bank, .study, ratesAnswers: ratesAnswers, wishes: wishes))
        } catch {
            open(subject)
        }
    }

    private func open(_ subject: Subject) {
        close()
        paths[.library] = [.subject(subject)]
        place = .library
    }

    private func show(_ id: String) {
        run = StudyRun(id: id, model: SessionModel(services, id: id))
    }

    private func close() {
        run = nil
        reloads.insist(true)
    }

    /// Reads again what a session or a decision changes.
    private func reload() async {
        await today.load()
        await freshness.load()
        await settings.load()
        await inbox.load(languages: formats.words.messageLanguages)
    }
}

extension Dictionary where Value == [StudyPlace] {
    /// The path of a tab; empty at its first screen.
    fileprivate subscript(pathOf key: Key) -> [StudyPlace] {
        get { self[key] ?? [] }
        set { self[key] = newValue }
    }
}
#endif
