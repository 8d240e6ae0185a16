import Foundation
import GRDB
import OfflineStorage
import TestSupport
import Testing
import UserData

/// Changes that the server refused: shown, sent again, or discarded.
@Suite struct RefusedChangeTests {
    private let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> UserStore { try UserStore(folder: folder.url) }

    /// A store whose favourite the server refused.
    private func store(_ refusal: Refusal = .quota) throws -> UserStore {
        let store = try open()
        try store.put(Favourite(bank: "es", note: "mine"), id: "q", now: now)
        try store.sync(now: now) { _ in .refused(refusal) }
        return store
    }

    @Test func aRefusedChangeIsShownWithItsReason() throws {
        _ = try store(.quota)
        let store = try open()
        let refused = try #require(try store.rejected().first)
        #expect(refused.refusal == .quota && refused.operation.key == RecordKey("favourites", "q"))
        #expect(refused.operation.change == .put(["bank": "es", "note": "mine"]))
        #expect(try store.outbox().isEmpty)
        #expect(try store.record(Favourite.self, id: "q") == Favourite(bank: "es", note: "mine"))
    }

    @Test func itIsSentAgainAsAnotherOperation() throws {
        let store = try store()
        let refused = try #require(try store.rejected().first)
        try store.retry(refused.id, now: now)
        let again = try open()
        #expect(try again.rejected().isEmpty)
        let pending = try #require(try again.outbox().first).operation
        #expect(pending.change == refused.operation.change)
        #expect(pending.id.counter > refused.id.counter)
        try again.syncAll(now: now)
        #expect(try open().status().waitingCount == 0)
        #expect(try open().records(Favourite.self).map(\.id) == ["q"])
    }

    @Test func aDismissedChangeIsGone() throws {
        let store = try store()
        let refused = try #require(try store.rejected().first)
        try store.dismiss(refused.id, now: now)
        #expect(try store.records(Favourite.self).isEmpty)
        #expect(try open().rejected().isEmpty && open().outbox().isEmpty)
        // Twice is once.
        try store.dismiss(refused.id, now: now)
        try store.retry(refused.id, now: now)
        #expect(try store.outbox().isEmpty)
    }

    @Test func anotherChangeOfTheRecordReplacesIt() throws {
        let store = try store()
        try store.put(Favourite(bank: "de"), id: "q", now: now)
        #expect(try open().rejected().isEmpty)
        #expect(try store.outbox().map(\.operation.change) == [.put(["bank": "de"])])
    }

    @Test func theOthersStayWhenOneIsDismissed() throws {
        let store = try open()
        for id in ["a", "b", "c"] { try store.put(Favourite(bank: "es"), id: id, now: now) }
        try store.sync(now: now) { _ in .refused(.notAllowed) }
        let second = try #require(try store.rejected().first { $0.operation.key.id == "b" })
        try store.dismiss(second.id, now: now)
        #expect(try open().rejected().map(\.operation.key.id) == ["a", "c"])
    }

    @Test func aReasonOfALaterVersionIsReadAsNotAllowed() throws {
        let store = try store()
        try DatabaseQueue(path: folder.path + "/user.sqlite").write {
            try $0.execute(sql: "UPDATE setAside SET refusal = 'later'")
            try $0.execute(sql: "UPDATE person SET version = version + 1")
        }
        #expect(try store.rejected().map(\.refusal) == [.notAllowed])
        #expect(try open().rejected().map(\.refusal) == [.notAllowed])
    }

    @Test func theSyncHearsOfARetry() async throws {
        let store = try store()
        let refused = try #require(try store.rejected().first)
        var effects = store.appEffects().makeAsyncIterator()
        try store.retry(refused.id, now: now)
        let heard = await effects.next() ?? []
        #expect(heard.contains(.changed([refused.operation.key])))
        let isSent = heard.contains { effect in
            if case .send(let request) = effect { return request.operations.count == 1 }
            return false
        }
        #expect(isSent)
    }

    @Test func theirUserTakesThemAlong() throws {
        let store = try store()
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try store.rejected().map(\.operation.key.id) == ["q"])
        try store.switchUser(to: "bob", bringing: .nothing, now: now)
        #expect(try store.rejected().isEmpty)
    }
}
