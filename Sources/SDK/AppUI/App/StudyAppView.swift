#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The study app: its five tabs with the status line, the session over them, and the result after it.
///
/// It uses the learner's settings of language, colours and keys.
///
/// ```swift
/// WindowGroup { StudyAppView(services).studyFormats(StudyFormats(words: words, calendar: .current)) }
/// ```
public struct StudyAppView: View {
    private let services: StudyServices

    /// Creates the app over the services of a device.
    public init(_ services: StudyServices) { self.services = services }

    /// The app.
    public var body: some View {
        Kept(StudyAppModels(services)) { [services] in ChosenStudyApp(services, $0) }
    }
}

/// The models of the app's first screens, made once.
@MainActor final class StudyAppModels {
    let today: TodayModel
    let library: LibraryModel
    let progress: ProgressModel
    let inbox: InboxModel
    let settings: SettingsModel
    let freshness: FreshnessModel
    let announcement: AnnouncementModel

    init(_ services: StudyServices) {
        today = TodayModel(services)
        library = LibraryModel(services)
        progress = ProgressModel(services)
        inbox = InboxModel(services)
        settings = SettingsModel(services)
        freshness = FreshnessModel(services)
        announcement = AnnouncementModel(services)
    }
}

/// The app in the learner's language and colours.
private struct ChosenStudyApp: View {
    private let services: StudyServices
    private let models: StudyAppModels
    /// The formats of the learner's language, with the words of the installed release.
    @State private var chosen: StudyFormats?
    @Environment(\.studyFormats) private var formats

    init(_ services: StudyServices, _ models: StudyAppModels) {
        self.services = services
        self.models = models
    }

    var body: some View {
        let settings = models.settings
        let choices = settings.screen?.settings
        StudyTabs(services, models)
            .studyFormats(chosen ?? formats)
            .environment(\.usesStudyKeys, choices?.usesKeys ?? true)
            .preferredColorScheme(choices?.theme.colorScheme)
            .tint(StudyColor.accent)
            .task { await settings.load() }
            .task(id: choices?.language) { await choose() }
    }

    private func choose() async {
        chosen = await services.formats(preferring: [formats.words.language])
    }
}

extension StudySettings.Theme {
    /// The appearance that the colours ask for; `nil` for the system's.
    fileprivate var colorScheme: ColorScheme? {
        switch self {
        case .system: nil
        case .light: .light
        case .dark: .dark
        }
    }
}
#endif
