import Foundation
import GRDB
import OfflineStorage
import TestSupport
import Testing
import UserData

/// Notices are durable, and stores without them are brought up to date.
@Suite struct NoticeStoreTests {
    private let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let key = RecordKey("favourites", "q1")

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> UserStore {
        try UserStore(folder: folder.url, makeID: { "me" })
    }

    /// Writes a favourite and lets a server answer that a later write of another device stays.
    private func lose(_ store: UserStore) throws {
        let write = DeviceMachine.Write.put(["bank": .text("es")])
        _ = try store.handle(.wrote(key, write), now: now)
        _ = try store.handle(.started, now: now)
        let request = try #require(store.requestInFlight)
        let theirs = OperationID(client: ClientID("other"), counter: 1)
        var record = UserRecord(
            key: key, revision: 1, operation: theirs,
            time: HybridTime(milliseconds: 1_900_000_000_000))
        record.isDeleted = true
        let id = try #require(request.operations.first { $0.key == key }).id
        _ = try store.handle(
            .replied(
                ExchangeResponse(
                    number: request.number, epoch: "e", results: [id: .merged(record)], cursor: 1)),
            now: now)
    }

    @Test func aNoticeStaysUntilItIsDismissed() throws {
        try lose(try open())
        let store = try open()
        let notice = try #require(try store.notices().first)
        #expect(notice.key == key && notice.theirs.isDeleted)
        #expect(notice.mine.change == .put(["bank": .text("es")]))
        #expect(try store.status().noticeCount == 1)
        try store.dismiss(notice.id, now: now)
        #expect(try open().notices().isEmpty)
        #expect(try open().status().noticeCount == 0)
    }

    @Test func aNoticeGoesWithItsUser() throws {
        let store = try open()
        try lose(store)
        try store.switchUser(to: "somebody", bringing: .everything, now: now)
        #expect(try store.notices().map(\.key) == [key])
        try store.switchUser(to: "else", bringing: .nothing, now: now)
        #expect(try store.notices().isEmpty)
    }

    // MARK: A commit that fails

    @Test func aRequestOfAFailedCommitIsNotInFlight() throws {
        struct Failure: Error {}
        let store = try open()
        #expect(throws: Failure.self) {
            _ = try store.handle(.started, now: now) { _, _ in throw Failure() }
        }
        #expect(store.requestInFlight == nil)
        _ = try store.handle(.started, now: now)
        #expect(store.requestInFlight?.number == 1)
    }

    @Test func aWaitNeedsNoDatabase() throws {
        let store = try open()
        let effects = store.takeInMemory(
            .accessFailed(retryAfterMilliseconds: 5_000, jitter: 0), now: now)
        #expect(effects == [.wake(at: 1_800_000_005_000)])
        #expect(store.nextTry == now.addingTimeInterval(5))
    }
}
