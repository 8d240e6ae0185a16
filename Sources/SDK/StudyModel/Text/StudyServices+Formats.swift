import Foundation
import Underway

extension StudyServices {
    /// Returns the formats of a language, with the texts that the installed release overrides.
    ///
    /// - Parameter language: One of ``StudyText/languages``.
    /// - Returns: The formats.
    public func formats(language: String) async -> StudyFormats {
        // Content without a localization leaves the built-in words.
        let texts = try? await content.perform { try $0.localization(language: language).value }
        return StudyFormats(
            words: StudyText(language: language, overrides: texts), calendar: calendar)
    }

    /// Returns the formats of the learner's language, or else of the best of some languages.
    ///
    /// - Parameter languages: The languages of the system, the preferred first.
    /// - Returns: The formats.
    public func formats(preferring languages: [String]) async -> StudyFormats {
        let chosen = await settings.value.language.map { [$0] }
        return await formats(language: StudyText.best(for: chosen ?? languages))
    }
}
