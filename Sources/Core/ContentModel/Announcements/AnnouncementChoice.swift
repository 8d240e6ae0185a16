/// Who looks at announcements, and when; what decides which of them is shown.
public struct AnnouncementAudience: Sendable, Hashable {
    /// The version of the app, numbers parted by dots.
    public var appVersion: String
    /// The user's languages as BCP 47 tags, the preferred first.
    public var languages: [String]
    /// True for somebody who has what a purchase would give.
    public var isSubscribed: Bool
    /// The identifiers that were shown before.
    public var seen: Set<Int>
    /// True while a test or a study session goes on, which nothing may interrupt.
    public var isInSession: Bool
    /// The moment as RFC 3339 in UTC with whole seconds, such as `2026-11-21T20:00:00Z`.
    public var now: String

    /// Describes a moment of an app.
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
public struct ShownAnnouncement: Sendable, Hashable {
    /// What the button would do; the app carries it out.
    public enum Action: Sendable, Hashable {
        /// Nothing: there is only something to read.
        case none
        /// Opens an address.
        case open(String)
        /// Leads to the new version.
        case update(String?)
        /// Nothing: the app is newer than those that are told to update.
        case alreadyUpdated
        /// Writes a mail to an address.
        case mail(String)
        /// Offers a subscription.
        case subscribe
        /// Nothing: the user has it.
        case alreadySubscribed
    }

    /// To be remembered once it was shown.
    public var identifier: Int
    /// What it is about.
    public var type: AnnouncementType
    /// The words.
    public var text: AnnouncementText
    /// The language of the words.
    public var language: String
    /// An asset to show.
    public var image: String?
    /// What the button would do.
    public var action: Action

    /// The title of the button that carries out the action; `nil` where there is only to read.
    public var actionTitle: String? {
        type.action.flatMap { text.buttons[$0] }
    }

    /// Describes an announcement, such as one for a preview.
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
    /// The announcement to show now; `nil` for none, and while a session goes on.
    ///
    /// Of several that are current, the one with the greatest identifier. An announcement of a newer
    /// schema than this version knows is as good as none; so is one about a version that the app has, or
    /// a purchase that the user made.
    public func choice(of announcements: [Announcement]) -> ShownAnnouncement? {
        guard !isInSession else { return nil }
        return announcements.sorted { $0.identifier > $1.identifier }
            .lazy.filter(isCurrent).filter { !seen.contains($0.identifier) }.compactMap(shown)
            .first { $0.action != .alreadyUpdated && $0.action != .alreadySubscribed }
    }

    /// An announcement as this audience sees it, whether or not it is its time.
    ///
    /// - Parameter announcement: Any, such as one that the user opens again.
    /// - Returns: `nil` for one of a newer schema, or without words.
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
        // Times of one form are in the order of their letters.
        if let start = announcement.start, now < start { return false }
        if let end = announcement.end, now >= end { return false }
        if let minimum = announcement.minimumAppVersion, isOlder(than: minimum) { return false }
        if let wanted = announcement.languages {
            guard let own = languages.first else { return false }
            guard wanted.contains(where: { LanguageTag.matches(own, range: $0) }) else {
                return false
            }
        }
        // Whether an app is too new for a new version is what its action says.
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

    /// The first of the user's languages that there are words in; else English, else the first by name.
    private func language(in texts: [String: AnnouncementText]) -> String? {
        LanguageTag.lookUp(languages + ["en"], in: texts.keys) ?? texts.keys.min()
    }
}
