import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing
import UserData

@Suite struct AnnouncementCenterTests {
    private let fixture: StoreFixture
    private let userData: UserStore
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        fixture = try StoreFixture()
        userData = try UserStore(folder: fixture.folder.url)
    }

    private func moment(isInSession: Bool = false) -> AnnouncementMoment {
        AnnouncementMoment(
            appVersion: "1.0", languages: ["en"], isInSession: isInSession, now: now)
    }

    private let news = ShownAnnouncement(
        identifier: 7, type: .information, text: AnnouncementText(title: "News", content: "…"),
        language: "en", action: .none)

    @Test func withoutAReleaseThereIsNothingToShow() async throws {
        let center = AnnouncementCenter(content: fixture.store, userData: userData)
        #expect(try await center.current(moment()) == nil)
    }

    @Test func whatWasSeenIsRememberedWithTheUsersData() async throws {
        let center = AnnouncementCenter(content: fixture.store, userData: userData)
        try await center.markSeen(news, now: now)
        #expect(try userData.status().waitingCount == 1)
        #expect(try userData.outbox().map(\.operation.key.id) == ["7"])
    }
}
