public import ContentModel
public import Foundation
package import UserData

/// A record that an announcement was shown, which syncs to the user's other devices.
package struct SeenAnnouncement: CollectionRecord {
    /// The declaration.
    package static var collection: CollectionDeclaration {
        CollectionRules.seenAnnouncements.declaration
    }

    /// The time at which it was shown.
    package var at: Date
}

/// A source of announcements for a screen: the installed release, or a `StubAnnouncementSource` of the test kit in a preview.
///
/// ```swift
/// func announcement(of source: any AnnouncementSource) async throws -> ShownAnnouncement? {
///     try await source.current(AnnouncementMoment(appVersion: "2.1"))
/// }
/// ```
public protocol AnnouncementSource: Sendable {
    /// Returns the announcement to show now; `nil` for none.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    func current(_ moment: AnnouncementMoment) async throws -> ShownAnnouncement?
    /// Records that an announcement was shown, so that it does not appear again.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    func markSeen(_ announcement: ShownAnnouncement, now: Date) async throws
}

extension AnnouncementSource {
    /// Records that an announcement was shown now, so that it does not appear again.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func markSeen(_ announcement: ShownAnnouncement) async throws {
        try await markSeen(announcement, now: Date())
    }
}

/// The app's state at a moment when an announcement could appear.
///
/// ```swift
/// let moment = AnnouncementMoment(appVersion: "2.1", languages: ["de"])
/// print(moment.isInSession)
/// ```
public struct AnnouncementMoment: Sendable, Hashable {
    /// The version of the app: numbers with dots between.
    public var appVersion: String
    /// The user's languages as BCP 47 tags, the preferred first.
    public var languages: [String]
    /// True when the user has bought the subscription.
    public var isSubscribed: Bool
    /// True during a test or a study session, which announcements must not interrupt.
    public var isInSession: Bool
    /// The wall clock.
    public var now: Date

    /// Creates a moment.
    public init(
        appVersion: String, languages: [String] = Locale.preferredLanguages,
        isSubscribed: Bool = false, isInSession: Bool = false, now: Date = Date()
    ) {
        self.appVersion = appVersion
        self.languages = languages
        self.isSubscribed = isSubscribed
        self.isInSession = isInSession
        self.now = now
    }

    func audience(seen: Set<Int>) -> AnnouncementAudience {
        AnnouncementAudience(
            appVersion: appVersion, languages: languages, isSubscribed: isSubscribed, seen: seen,
            isInSession: isInSession, now: now.formatted(.iso8601))
    }
}

/// The announcements of the installed release, each shown once to a user.
///
/// ```swift
/// let center = AnnouncementCenter(content: try .inMemory(), userData: try .inMemory())
/// let moment = AnnouncementMoment(appVersion: "2.1")
/// if let announcement = try await center.current(moment) {
///     print(announcement.text.title)
///     try await center.markSeen(announcement)
/// }
/// ```
public struct AnnouncementCenter: AnnouncementSource {
    private let content: OfflineStore
    private let userData: UserStore

    /// Creates a center that reads announcements from one store and records in the other which were shown.
    public init(content: OfflineStore, userData: UserStore) {
        self.content = content
        self.userData = userData
    }

    /// Returns the announcement to show now; `nil` for none, as for a release without announcements.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func current(_ moment: AnnouncementMoment) async throws -> ShownAnnouncement? {
        guard !moment.isInSession else { return nil }
        let announcements: [Announcement]
        do {
            announcements = try await content.perform { try $0.announcements().value }
        } catch let error as StoreError where error.code == .notFound {
            return nil
        }
        let seen = try await userData.perform {
            try $0.records(SeenAnnouncement.self).compactMap { Int($0.id) }
        }
        return moment.audience(seen: Set(seen)).choice(of: announcements)
    }

    /// Records on this device that an announcement was shown; the next sync sends it to the account.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func markSeen(_ announcement: ShownAnnouncement, now: Date) async throws {
        try await userData.perform {
            try $0.put(SeenAnnouncement(at: now), id: String(announcement.identifier), now: now)
        }
    }
}
