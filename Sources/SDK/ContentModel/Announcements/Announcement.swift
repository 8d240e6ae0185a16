/// The subject of an announcement, which determines the action of its button.
public enum AnnouncementType: String, Sendable, Hashable, CaseIterable {
    case information
    case website
    case newVersion
    case email
    case purchase

    /// The key of the action's button among the buttons of a text; `nil` for a type without an action.
    public var action: String? {
        switch self {
        case .information: nil
        case .website: "open"
        case .newVersion: "update"
        case .email: "mail"
        case .purchase: "subscribe"
        }
    }
}

/// The text of an announcement in one language.
public struct AnnouncementText: Hashable, Sendable {
    /// The headline, never blank.
    public var title: String
    /// The message, never blank.
    public var content: String
    /// A description of the image for users who cannot see it.
    public var imageLabel: String?
    /// The titles of the buttons by key: that of the action under the action's name, others as the app defines them.
    public var buttons: [String: String]

    /// Creates the text of an announcement.
    public init(
        title: String, content: String, imageLabel: String? = nil, buttons: [String: String] = [:]
    ) {
        self.title = title
        self.content = content
        self.imageLabel = imageLabel
        self.buttons = buttons
    }
}

/// A message from the developer to the user, shown once.
///
/// ```swift
/// let news = Announcement(
///     identifier: 7, type: .information,
///     texts: ["en": AnnouncementText(title: "New exam", content: "AZ-104 is here.")])
/// let audience = AnnouncementAudience(
///     appVersion: "2.1", languages: ["en-GB"], now: "2026-11-21T20:00:00Z")
/// print(audience.choice(of: [news])?.text.title ?? "nothing to show")
/// ```
public struct Announcement: Hashable, Sendable, Identifiable {
    /// The schema of announcements that this version knows.
    public static let schemaVersion = 1

    /// The announcement's permanent number, by which a device records that it was shown.
    public var identifier: Int
    /// The schema that the announcement requires; an app with an older one ignores it.
    public var schemaVersion: Int
    /// The subject.
    public var type: AnnouncementType
    /// The texts by language code.
    public var texts: [String: AnnouncementText]
    /// The path of an asset to show.
    public var image: String?
    /// The target of the button: an address or a mail address.
    public var link: String?
    /// The first moment at which the announcement is current, RFC 3339 in UTC; `nil` for no start.
    public var start: String?
    /// The last moment at which the announcement is current, RFC 3339 in UTC; `nil` for no end.
    public var end: String?
    /// The oldest app version that shows it.
    public var minimumAppVersion: String?
    /// The newest app version that shows it.
    public var maximumAppVersion: String?
    /// The languages of the users who see it, `de` also for `de-AT`; `nil` for all users.
    public var languages: [String]?

    /// The identifier.
    public var id: Int { identifier }

    /// Creates an announcement.
    public init(
        identifier: Int, schemaVersion: Int = Announcement.schemaVersion, type: AnnouncementType,
        texts: [String: AnnouncementText], image: String? = nil, link: String? = nil,
        start: String? = nil, end: String? = nil, minimumAppVersion: String? = nil,
        maximumAppVersion: String? = nil, languages: [String]? = nil
    ) {
        self.identifier = identifier
        self.schemaVersion = schemaVersion
        self.type = type
        self.texts = texts
        self.image = image
        self.link = link
        self.start = start
        self.end = end
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
        self.languages = languages
    }

    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "identifier": .integer(identifier), "version": .integer(schemaVersion),
            "type": .string(type.rawValue), "texts": .object(texts.mapValues(\.json)),
            "image": image.map { .string($0) }, "link": link.map { .string($0) },
            "start": start.map { .string($0) }, "end": end.map { .string($0) },
            "minimumAppVersion": minimumAppVersion.map { .string($0) },
            "maximumAppVersion": maximumAppVersion.map { .string($0) },
            "languages": languages.map { .array($0.map { .string($0) }) },
        ])
    }

    /// Returns true if a user could see both announcements at the same moment.
    public func competes(with other: Announcement) -> Bool {
        let isParted =
            ends(beforeOrWhen: other) || other.ends(beforeOrWhen: self)
            || isForOlderApps(than: other) || other.isForOlderApps(than: self)
        return !isParted && sharesLanguage(with: other)
    }

    private func ends(beforeOrWhen other: Announcement) -> Bool {
        guard let end, let start = other.start else { return false }
        return end <= start
    }

    private func isForOlderApps(than other: Announcement) -> Bool {
        guard let newest = maximumAppVersion, let oldest = other.minimumAppVersion else {
            return false
        }
        return AppVersion(newest) < AppVersion(oldest)
    }

    private func sharesLanguage(with other: Announcement) -> Bool {
        guard let languages, let others = other.languages else { return true }
        return languages.contains { language in
            others.contains {
                LanguageTag.matches(language, range: $0) || LanguageTag.matches($0, range: language)
            }
        }
    }
}

extension AnnouncementText {
    var json: JSONValue {
        .compact([
            "title": .string(title), "content": .string(content),
            "imageLabel": imageLabel.map { .string($0) },
            "buttons": buttons.isEmpty ? nil : .object(buttons.mapValues { .string($0) }),
        ])
    }
}
