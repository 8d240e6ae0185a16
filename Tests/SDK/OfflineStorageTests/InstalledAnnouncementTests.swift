import ContentModel
import Foundation
import GRDB
import Testing

@testable import OfflineStorage

/// The announcements of an installed release.
@Suite struct InstalledAnnouncementTests {
    private let fixture: StoreFixture
    private let userData: UserStore
    private let center: AnnouncementCenter

    init() throws {
        fixture = try StoreFixture()
        userData = try UserStore.inMemory()
        center = AnnouncementCenter(content: fixture.store, userData: userData)
        let texts = "\"texts\":{\"en\":{\"title\":\"T\",\"content\":\"C\"}}"
        let announcements = [
            "\"identifier\":1,\"type\":\"information\"",
            "\"identifier\":2,\"type\":\"purchase\",\"minimumAppVersion\":\"2.0\"",
            "\"identifier\":3,\"type\":\"information\",\"start\":\"2030-01-01T00:00:00Z\"",
        ].map { "{\($0),\"version\":1,\(texts)}" }
        try MemoryRelease(1)
            .announcements("{\"announcements\":[\(announcements.joined(separator: ","))]}")
            .install(in: fixture.store, now: fixture.now)
    }

    private func shown(
        _ version: String = "1.0", isSubscribed: Bool = false, after seconds: Double = 0
    ) async throws -> ShownAnnouncement? {
        try await center.current(
            AnnouncementMoment(
                appVersion: version, languages: ["en"], isSubscribed: isSubscribed,
                now: fixture.now + seconds))
    }

    /// Marks what is shown as seen, until nothing is.
    private func shownInTurn(_ version: String, after seconds: Double = 0) async throws -> Set<Int>
    {
        var identifiers: Set<Int> = []
        while let next = try await shown(version, after: seconds) {
            #expect(identifiers.insert(next.identifier).inserted)
            try await center.markSeen(next)
        }
        return identifiers
    }

    @Test func eachAnnouncementIsShownOnceWhereItIsMeant() async throws {
        #expect(try await shownInTurn("1.0") == [1])
        #expect(try await shownInTurn("2.1") == [2])
        #expect(try await shownInTurn("2.1", after: 10 * 365 * 86_400) == [3])
    }

    @Test func nothingInterruptsASession() async throws {
        let moment = AnnouncementMoment(appVersion: "1.0", languages: ["en"], isInSession: true)
        #expect(try await center.current(moment) == nil)
        #expect(try await shown() != nil)
    }

    @Test func anotherUserOfTheDeviceSeesItAgain() async throws {
        let news = try #require(try await shown())
        try await center.markSeen(news, now: fixture.now)
        #expect(try await shown() == nil)
        let other = AnnouncementCenter(content: fixture.store, userData: try .inMemory())
        let moment = AnnouncementMoment(appVersion: "1.0", languages: ["en"], now: fixture.now)
        #expect(try await other.current(moment) == news)
    }

    @Test func unreadableContentIsAnErrorAndNoSilence() async throws {
        try fixture.store.database.write { try $0.execute(sql: "UPDATE blob SET bytes = x'00'") }
        let error = await #expect(throws: StoreError.self) { try await shown() }
        #expect(error?.code == .damaged)
    }
}
