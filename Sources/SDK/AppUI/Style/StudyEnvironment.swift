#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI

/// The key of the words in the environment.
private struct StudyFormatsKey: EnvironmentKey {
    static let defaultValue = StudyFormats(
        words: StudyText(language: StudyText.best(for: Locale.preferredLanguages)),
        calendar: .autoupdatingCurrent)
}

/// The key of the choice of keys in the environment.
private struct UsesStudyKeysKey: EnvironmentKey {
    static let defaultValue = true
}

/// The key of the language of content in the environment.
private struct ContentLanguageKey: EnvironmentKey {
    static let defaultValue: String? = nil
}

/// The key of the size of text in the environment.
private struct TextScaleKey: EnvironmentKey {
    static let defaultValue: CGFloat = 1
}

extension EnvironmentValues {
    /// The size of the text of authors relative to body text, for formulas within it.
    var textScale: CGFloat {
        get { self[TextScaleKey.self] }
        set { self[TextScaleKey.self] = newValue }
    }

    /// The language of an author's texts, which is not that of the interface; `nil` if it is unknown.
    var contentLanguage: String? {
        get { self[ContentLanguageKey.self] }
        set { self[ContentLanguageKey.self] = newValue }
    }

    /// True when single letters and digits are shortcuts in a session, according to the learner's settings.
    public var usesStudyKeys: Bool {
        get { self[UsesStudyKeysKey.self] }
        set { self[UsesStudyKeysKey.self] = newValue }
    }

    /// The words of the study app with the formats of numbers and dates; built-in words in the learner's language until
    /// the app sets those of the installed release.
    public var studyFormats: StudyFormats {
        get { self[StudyFormatsKey.self] }
        set { self[StudyFormatsKey.self] = newValue }
    }
}

extension View {
    /// Shows an author's text in the font of questions, with formulas of that size.
    func questionFont() -> some View {
        font(StudyStyle.question).environment(\.textScale, StudyStyle.questionScale)
    }

    /// Sets the language of the study app to that of these words, with its direction and formats.
    public func studyFormats(_ formats: StudyFormats) -> some View {
        environment(\.studyFormats, formats)
            .environment(\.locale, formats.words.locale)
            .environment(\.calendar, formats.calendar)
            .environment(
                \.layoutDirection, formats.words.isRightToLeft ? .rightToLeft : .leftToRight)
    }
}
#endif
