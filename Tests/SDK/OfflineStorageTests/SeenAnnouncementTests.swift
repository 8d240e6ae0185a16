import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing
import UserData

/// The announcements of an installed release, each shown once to a user.
@Suite struct SeenAnnouncementTests {
    private let fixture: StoreFixture
    private let userData: UserStore
    private let center: AnnouncementCenter
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        fixture = try StoreFixture()
        userData = try UserStore(folder: fixture.folder.url)
        center = AnnouncementCenter(content: fixture.store, userData: userData)
        let announcements = (1...2).map { number in
            Announcement(
                identifier: number, type: .information,
                texts: ["en": AnnouncementText(title: "News \(number)", content: "…")])
        }
        let document: JSONValue = ["announcements": .array(announcements.map(\.json))]
        let bytes = document.canonicalBytes
        let reference = ContentReference(checksum: Checksum(of: bytes), size: bytes.count)
        try fixture.store.stage(bytes, as: reference.checksum)
        var manifest = Manifest(release: 1)
        manifest.announcements = reference
        try fixture.store.install(verifying: manifest.canonicalBytes, now: now)
    }

    private func moment(
        isInSession: Bool = false, languages: [String] = ["en"]
    ) -> AnnouncementMoment {
        AnnouncementMoment(
            appVersion: "1.0", languages: languages, isInSession: isInSession, now: now)
    }

    @Test func eachIsShownOnceFromTheNewest() async throws {
        var shown: [Int] = []
        while let announcement = try await center.current(moment()) {
            shown.append(announcement.identifier)
            #expect(announcement.text.title == "News \(announcement.identifier)")
            try #require(shown.count <= 2)
            try await center.markSeen(announcement, now: now)
        }
        #expect(shown == [2, 1])
        // The next process remembers, and so does another device after the sync.
        let again = AnnouncementCenter(
            content: try fixture.reopened(), userData: try UserStore(folder: fixture.folder.url))
        #expect(try await again.current(moment()) == nil)
        #expect(try userData.outbox().map(\.operation.key.id) == ["2", "1"])
    }

    @Test func nothingIsShownInASession() async throws {
        #expect(try await center.current(moment(isInSession: true)) == nil)
        #expect(try await center.current(moment())?.identifier == 2)
    }

    @Test func anotherUserHasSeenNothing() async throws {
        try await center.markSeen(try #require(try await center.current(moment())), now: now)
        try userData.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(try await center.current(moment())?.identifier == 2)
        try userData.signOut(erasing: false)
        #expect(try await center.current(moment())?.identifier == 1)
    }

    @Test func whatAnotherDeviceShowedIsNotShownHere() async throws {
        let key = RecordKey("seenAnnouncements", "2")
        try userData.exchange(now: now) { request in
            let writer = OperationID(client: ClientID("other"), counter: 1)
            let time = HybridTime(milliseconds: 1_800_000_000_000)
            var record = UserRecord(key: key, revision: 1, operation: writer, time: time)
            record.fields["at"] = UserRecord.Field(
                value: "2027-01-15T08:00:00Z", time: time, revision: 1, writer: writer)
            return ExchangeResponse(
                number: request.number, epoch: "e", changes: [record], cursor: 1)
        }
        #expect(try await center.current(moment())?.identifier == 1)
    }
}
