public import ContentModel
public import Foundation
public import OfflineStorage
import Synchronization

/// A source with one announcement, for previews and tests.
///
/// ```swift
/// let news = ShownAnnouncement(
///     identifier: 7, type: .information, text: AnnouncementText(title: "News", content: "…"),
///     language: "en", action: .none)
/// let source: any AnnouncementSource = StubAnnouncementSource(news)
/// print(try await source.current(AnnouncementMoment(appVersion: "2.1"))?.text.title ?? "")
/// ```
public final class StubAnnouncementSource: AnnouncementSource {
    private let announcement: ShownAnnouncement
    private let isSeen = Mutex(false)

    /// Creates a source of one announcement.
    public init(_ announcement: ShownAnnouncement) { self.announcement = announcement }

    /// Returns the announcement, unless a session is in progress or it was already seen.
    public func current(_ moment: AnnouncementMoment) -> ShownAnnouncement? {
        moment.isInSession || isSeen.withLock { $0 } ? nil : announcement
    }

    /// Records that the announcement was seen.
    public func markSeen(_ announcement: ShownAnnouncement, now: Date) {
        isSeen.withLock { $0 = true }
    }
}
