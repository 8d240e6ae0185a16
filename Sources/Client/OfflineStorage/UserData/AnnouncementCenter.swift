public import ContentModel
public import Foundation
import Synchronization
import UserData

/// A mark that an announcement was shown; it follows the user to other devices and back after a
/// reinstallation.
struct SeenAnnouncement: CollectionRecord {
    static var collection: CollectionDeclaration { CollectionRules.seenAnnouncements.declaration }

    var at: Date
}

/// Where a screen gets its announcement: from what was installed, or from a stub in a preview.
public protocol AnnouncementSource: Sendable {
    /// The announcement to show now; `nil` for none.
    ///
    /// - Throws: `StoreError`.
    func current(_ moment: AnnouncementMoment) throws -> ShownAnnouncement?
    /// Remembers that it was shown, so that it never is again.
    ///
    /// - Throws: `StoreError`.
    func markSeen(_ announcement: ShownAnnouncement, now: Date) throws
}

/// What the app knows at the moment at which something could be shown.
public struct AnnouncementMoment: Sendable, Hashable {
    /// The version of the app, numbers parted by dots.
    public var appVersion: String
    /// The user's languages as BCP 47 tags, the preferred first.
    public var languages: [String]
    /// True for somebody who has what a purchase would give.
    public var isSubscribed: Bool
    /// True while a test or a study session goes on, which nothing may interrupt.
    public var isInSession: Bool
    /// The wall clock.
    public var now: Date

    /// Describes a moment.
    public init(
        appVersion: String, languages: [String] = Locale.preferredLanguages,
        isSubscribed: Bool = false, isInSession: Bool = false, now: Date
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
public struct AnnouncementCenter: AnnouncementSource {
    private let content: OfflineStore
    private let userData: UserStore

    /// Reads from one store and remembers in the other.
    public init(content: OfflineStore, userData: UserStore) {
        self.content = content
        self.userData = userData
    }

    /// The announcement to show now; see `AnnouncementSource.current`.
    ///
    /// A release without announcements has none to show.
    public func current(_ moment: AnnouncementMoment) throws -> ShownAnnouncement? {
        guard !moment.isInSession else { return nil }
        let announcements: [Announcement]
        do {
            announcements = try content.announcements().value
        } catch let error as StoreError where error.code == .notFound {
            return nil
        }
        let seen = try userData.records(SeenAnnouncement.self).compactMap { Int($0.id) }
        return moment.audience(seen: Set(seen)).choice(of: announcements)
    }

    /// Remembers on this device now, and with the account at the next sync.
    public func markSeen(_ announcement: ShownAnnouncement, now: Date) throws {
        try userData.put(
            SeenAnnouncement(at: now), id: String(announcement.identifier), now: now)
    }
}

/// An announcement for previews and tests, shown until it was seen.
public final class StubAnnouncementSource: AnnouncementSource {
    private let announcement: ShownAnnouncement
    private let isSeen = Mutex(false)

    /// Shows one announcement.
    public init(_ announcement: ShownAnnouncement) { self.announcement = announcement }

    /// The announcement, unless a session goes on or it was seen.
    public func current(_ moment: AnnouncementMoment) -> ShownAnnouncement? {
        moment.isInSession || isSeen.withLock { $0 } ? nil : announcement
    }

    /// Shows it no more.
    public func markSeen(_ announcement: ShownAnnouncement, now: Date) {
        isSeen.withLock { $0 = true }
    }
}
