public import Foundation

/// The settings of a learner on this device.
///
/// ```swift
/// var settings = StudySettings()
/// settings.theme = .dark
/// ```
public struct StudySettings: Codable, Sendable, Hashable {
    /// The colours of the pages.
    public enum Theme: String, Codable, Sendable, Hashable, CaseIterable {
        /// The colours of the system.
        case system
        /// Dark text on a light background.
        case light
        /// Light text on a dark background.
        case dark
    }

    /// The code of the language; `nil` for that of the system or browser.
    public var language: String?
    /// The colours.
    public var theme: Theme
    /// True when single letters are shortcuts in a session.
    public var usesKeys: Bool
    /// True when the learner rates right answers.
    public var ratesAnswers: Bool
    /// The names under which accounts signed in on this device, by the account's id.
    public var accountNames: [String: String]
    /// The number of right answers of each corrected result as the learner last saw it, by the session's id.
    public var seenResults: [String: Int]
    /// The times at which questions were reported within the last day.
    public var reportTimes: [Date]
    /// The session after which the learner was asked for consent; `nil` if not asked yet.
    public var consentAskedAfter: String?
    /// The rounds of live events that the server counted, the last one last: event and session with a slash between.
    public var countedRounds: [String]

    /// Creates the settings of a new device.
    public init() {
        theme = .system
        usesKeys = true
        ratesAnswers = false
        accountNames = [:]
        seenResults = [:]
        reportTimes = []
        countedRounds = []
    }

    /// Decodes stored settings; one that an earlier version did not have gets its initial value.
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
        countedRounds = try values.decodeIfPresent([String].self, forKey: .countedRounds) ?? []
    }

    /// Copies the settings of a settings screen, without those that the app itself records.
    public mutating func choose(_ choices: StudySettings) {
        (language, theme) = (choices.language, choices.theme)
        (usesKeys, ratesAnswers) = (choices.usesKeys, choices.ratesAnswers)
    }
}
