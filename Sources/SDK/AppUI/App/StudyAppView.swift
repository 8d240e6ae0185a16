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
    @State private var settings: SettingsModel
    /// The formats of the learner's language, with the words of the installed release.
    @State private var chosen: StudyFormats?
    @Environment(\.studyFormats) private var formats

    /// Creates the app over the services of a device.
    public init(_ services: StudyServices) {
        self.services = services
        _settings = State(initialValue: SettingsModel(services))
    }

    /// The app.
    public var body: some View {
        let choices = settings.screen?.settings
        StudyTabs(services, settings: settings)
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
