public import Foundation

/// The choices of a learner on this device.
///
/// ```swift
/// var settings = StudySettings()
/// settings.theme = .dark
/// ```
public struct StudySettings: Codable, Sendable, Hashable {
    /// The colours of the pages.
    public enum Theme: String, Codable, Sendable, Hashable, CaseIterable {
        /// Those of the system.
        case system
        /// Dark text on a light ground.
        case light
        /// Light text on a dark ground.
        case dark
    }

    /// The code of the language; `nil` for that of the system or browser.
    public var language: String?
    /// The colours.
    public var theme: Theme
    /// True when single letters act in a session.
    public var usesKeys: Bool
    /// True when the learner rates right answers.
    public var ratesAnswers: Bool
    /// The names under which accounts signed in on this device, by the account's id.
    public var accountNames: [String: String]
    /// The right answers of corrected results as the learner saw them, by the session's id.
    public var seenResults: [String: Int]
    /// The times of the questions that were reported within the last day.
    public var reportTimes: [Date]
    /// The session after which the learner was asked for consent; `nil` before that.
    public var consentAskedAfter: String?

    /// Makes the choices of a new device.
    public init() {
        theme = .system
        usesKeys = true
        ratesAnswers = false
        accountNames = [:]
        seenResults = [:]
        reportTimes = []
    }

    /// Reads stored choices; one that an earlier version did not know has its first value.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        language = try values.decodeIfPresent(String.self, forKey: .language)
        let name = try values.decodeIfPresent(String.self, forKey: .theme)
        theme = name.flatMap(Theme.init(rawValue:)) ?? .system
        usesKeys = try values.decodeIfPresent(Bool.self, forKey: .usesKeys) ?? true
        ratesAnswers = try values.decodeIfPresent(Bool.self, forKey: .ratesAnswers) ?? false
        accountNames =
            try values.decodeIfPresent([String: String].self, forKey: .accountNames) ?? [:]
        seenResults = try values.decodeIfPresent([String: Int].self, forKey: .seenResults) ?? [:]
        reportTimes = try values.decodeIfPresent([Date].self, forKey: .reportTimes) ?? []
        consentAskedAfter = try values.decodeIfPresent(String.self, forKey: .consentAskedAfter)
    }

    /// Takes over what a screen of choices shows, and nothing that the app itself notes.
    public mutating func choose(_ choices: StudySettings) {
        (language, theme) = (choices.language, choices.theme)
        (usesKeys, ratesAnswers) = (choices.usesKeys, choices.ratesAnswers)
    }
}
