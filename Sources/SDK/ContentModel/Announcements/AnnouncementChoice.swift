/// The user and the moment that determine which announcement is shown.
///
/// ```swift
/// var audience = AnnouncementAudience(
///     appVersion: "2.1", languages: ["pt-BR", "en"], now: "2026-11-21T20:00:00Z")
/// audience.seen = [6, 7]
/// audience.isInSession = true
/// print(audience.choice(of: []) == nil)
/// ```
public struct AnnouncementAudience: Sendable, Hashable {
    /// The version of the app: numbers separated by dots.
    public var appVersion: String
    /// The user's languages as BCP 47 tags, the preferred first.
    public var languages: [String]
    /// True when the user has bought the subscription.
    public var isSubscribed: Bool
    /// The identifiers of announcements that were shown before.
    public var seen: Set<Int>
    /// True during a test or a study session, which announcements must not interrupt.
    public var isInSession: Bool
    /// The moment as RFC 3339 in UTC with whole seconds, such as `2026-11-21T20:00:00Z`.
    public var now: String

    /// Creates an audience.
    public init(
        appVersion: String, languages: [String], isSubscribed: Bool = false, seen: Set<Int> = [],
        isInSession: Bool = false, now: String
    ) {
        self.appVersion = appVersion
        self.languages = languages
        self.isSubscribed = isSubscribed
        self.seen = seen
        self.isInSession = isInSession
        self.now = now
    }
}

/// An announcement as one audience sees it.
///
/// ```swift
/// func follow(_ shown: ShownAnnouncement) -> String? {
///     switch shown.action {
///     case .open(let address), .mail(let address): address
///     case .update(let address): address
///     case .subscribe: "the app's shop"
///     case .none, .alreadyUpdated, .alreadySubscribed: nil
///     }
/// }
/// ```
public struct ShownAnnouncement: Sendable, Hashable, Identifiable {
    /// The action of the button, which the app performs.
    public enum Action: Sendable, Hashable {
        /// No action: the announcement is only for reading.
        case none
        /// Opens an address.
        case open(String)
        /// Opens the new version of the app.
        case update(String?)
        /// No action: the app is already newer than the announcement requires.
        case alreadyUpdated
        /// Composes a mail to an address.
        case mail(String)
        /// Offers a subscription.
        case subscribe
        /// No action: the user has a subscription.
        case alreadySubscribed
    }

    /// The announcement's identifier; store it after it was shown.
    public var identifier: Int
    /// The subject.
    public var type: AnnouncementType
    /// The text.
    public var text: AnnouncementText
    /// The language of the text.
    public var language: String
    /// The path of an asset to show.
    public var image: String?
    /// The action of the button.
    public var action: Action

    /// The title of the action's button; `nil` when there is no action.
    public var actionTitle: String? {
        type.action.flatMap { text.buttons[$0] }
    }

    /// The announcement's identifier.
    public var id: Int { identifier }

    /// Creates an announcement, such as one for a preview.
    public init(
        identifier: Int, type: AnnouncementType, text: AnnouncementText, language: String,
        image: String? = nil, action: Action
    ) {
        self.identifier = identifier
        self.type = type
        self.text = text
        self.language = language
        self.image = image
        self.action = action
    }
}

extension AnnouncementAudience {
    /// Selects the announcement to show now; `nil` for none, and during a session.
    ///
    /// Of several current ones, the greatest identifier wins. An announcement is ignored if its schema is newer than
    /// this version supports, if it concerns a version that the app already has, or a purchase that the user has made.
    public func choice(of announcements: [Announcement]) -> ShownAnnouncement? {
        guard !isInSession else { return nil }
        return announcements.sorted { $0.identifier > $1.identifier }
            .lazy.filter(isCurrent).filter { !seen.contains($0.identifier) }.compactMap(shown)
            .first { $0.action != .alreadyUpdated && $0.action != .alreadySubscribed }
    }

    /// Returns an announcement as this audience sees it, even if it is not current.
    ///
    /// - Parameter announcement: An announcement, such as one that the user reopens.
    /// - Returns: `nil` for one of a newer schema, or without texts.
    public func shown(_ announcement: Announcement) -> ShownAnnouncement? {
        guard announcement.schemaVersion <= Announcement.schemaVersion,
            let language = language(in: announcement.texts),
            let text = announcement.texts[language]
        else { return nil }
        return ShownAnnouncement(
            identifier: announcement.identifier, type: announcement.type, text: text,
            language: language, image: announcement.image, action: action(announcement))
    }

    private func isCurrent(_ announcement: Announcement) -> Bool {
        // Times of one form sort as text.
        if let start = announcement.start, now < start { return false }
        if let end = announcement.end, now >= end { return false }
        if let minimum = announcement.minimumAppVersion, isOlder(than: minimum) { return false }
        if let wanted = announcement.languages {
            guard let own = languages.first else { return false }
            guard wanted.contains(where: { LanguageTag.matches(own, range: $0) }) else {
                return false
            }
        }
        // For an app that is too new for a new version, the action says so.
        guard let maximum = announcement.maximumAppVersion, announcement.type != .newVersion else {
            return true
        }
        return !isNewer(than: maximum)
    }

    private func action(_ announcement: Announcement) -> ShownAnnouncement.Action {
        switch announcement.type {
        case .information: return .none
        case .website: return announcement.link.map { .open($0) } ?? .none
        case .email: return announcement.link.map { .mail($0) } ?? .none
        case .purchase: return isSubscribed ? .alreadySubscribed : .subscribe
        case .newVersion:
            let isUpdated = announcement.maximumAppVersion.map(isNewer) ?? false
            return isUpdated ? .alreadyUpdated : .update(announcement.link)
        }
    }

    // MARK: Versions and languages

    private func isOlder(than version: String) -> Bool {
        AppVersion(appVersion) < AppVersion(version)
    }

    private func isNewer(than version: String) -> Bool {
        AppVersion(version) < AppVersion(appVersion)
    }

    /// Returns the first of the user's languages that has a text, or else English, or else the
    /// first by name.
    private func language(in texts: [String: AnnouncementText]) -> String? {
        LanguageTag.lookUp(languages + ["en"], in: texts.keys) ?? texts.keys.min()
    }
}
