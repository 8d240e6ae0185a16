import Foundation
import Underway

/// Reads the announcements of the installed release as a learner sees them.
struct MessageLoader {
    private let services: StudyServices
    private let languages: [String]

    init(_ services: StudyServices, languages: [String]) {
        self.services = services
        self.languages = languages
    }

    /// Returns the messages that were shown, the last first, after the one that is due now.
    func messages() async throws -> [InboxScreen.Message] {
        let marks = try await marks()
        let due = try await services.announcements?.current(moment)
        let shown = try await announcements().filter {
            marks[$0.identifier] != nil || $0.identifier == due?.identifier
        }
        let messages = shown.compactMap { audience.shown($0) }.map { shown in
            InboxScreen.Message(
                id: shown.identifier, title: shown.text.title, language: shown.language,
                seenAt: marks[shown.identifier])
        }
        return messages.sorted {
            ($0.seenAt ?? .distantFuture, $0.id) > ($1.seenAt ?? .distantFuture, $1.id)
        }
    }

    /// Returns a message that is due or was shown, and whether it was shown.
    func message(_ id: Int) async throws -> (ShownAnnouncement, isSeen: Bool)? {
        let isSeen = try await marks()[id] != nil
        if let due = try await services.announcements?.current(moment), due.identifier == id {
            return (due, isSeen)
        }
        guard isSeen, let announcement = try await announcements().first(where: { $0.id == id })
        else { return nil }
        return audience.shown(announcement).map { ($0, isSeen) }
    }

    var moment: AnnouncementMoment {
        AnnouncementMoment(
            appVersion: services.appVersion, languages: languages, now: services.clock())
    }

    private var audience: AnnouncementAudience {
        AnnouncementAudience(
            appVersion: services.appVersion, languages: languages,
            now: services.clock().formatted(.iso8601))
    }

    private func marks() async throws -> [Int: Date] {
        let records = try await services.userData.perform { try $0.records(SeenAnnouncement.self) }
        return Dictionary(
            records.compactMap { record in Int(record.id).map { ($0, record.value.at) } }
        ) { first, _ in first }
    }

    private func announcements() async throws -> [Announcement] {
        do {
            return try await services.content.perform { try $0.announcements().value }
        } catch let error as StoreError where error.code == .notFound {
            return []
        }
    }
}
