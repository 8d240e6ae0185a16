import ContentModel
import Foundation
import GRDB
import Observation
import Testing

@testable import OfflineStorage

@Suite struct FreshnessTests {
    private let fixture: StoreFixture
    private var store: OfflineStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    private func install(_ release: Int) throws {
        try MemoryRelease(release, StoreFixture.blueprint(key: release % 2))
            .install(in: store, now: fixture.now)
    }

    private func crashTwice() throws {
        for _ in 0..<OfflineStore.crashesMax {
            try store.beginStart(now: fixture.now)
            try store.willShowFirstScreen()
        }
    }

    private func damage() throws {
        try store.database.write { try $0.execute(sql: "UPDATE blob SET bytes = x'00'") }
        #expect(throws: StoreError.self) { try store.blueprint(.placement(language: "es")) }
    }

    @Test func theFreshnessIsThatOfWhatIsShown() throws {
        #expect(try store.freshness() == nil)
        let bundle = try fixture.writeBundle(release: 1, StoreFixture.blueprint())
        store.bundled.register(bundle)
        #expect(try store.freshness()?.source == .bundled)
        try install(2)
        #expect(
            try store.freshness()
                == ContentFreshness(source: .downloaded, release: 2, installedAt: fixture.now))
        // It is newer, and could not be installed.
        store.bundled.isFirst = true
        #expect(try store.freshness()?.release == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func eachInstallationAndFallbackIsAnnounced() async throws {
        var updates = store.freshnessUpdates().makeAsyncIterator()
        #expect(await updates.next() == .some(nil))
        try install(1)
        #expect(await updates.next()??.release == 1)
        try install(2)
        #expect(await updates.next()??.release == 2)
        try crashTwice()
        #expect(try store.beginStart(now: fixture.now) != nil)
        #expect(await updates.next()??.release == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func eachReaderHasAStreamOfItsOwnThatEndsWithIt() async throws {
        let other = store.freshnessUpdates()
        let reader = Task { [store] in
            for await _ in store.freshnessUpdates() { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await reader.value
        try install(1)
        for await freshness in other where freshness != nil {
            #expect(freshness?.release == 1)
            break
        }
    }

    /// A release that is refused changes nothing, and readers see that.
    @Test(.timeLimit(.minutes(1)))
    func afterAVetoTheFreshnessIsThatOfTheReleaseBefore() async throws {
        try install(1)
        var updates = store.freshnessUpdates().makeAsyncIterator()
        #expect(await updates.next()??.release == 1)
        #expect(throws: StoreError.self) {
            try MemoryRelease(2).asset("a", "x").install(in: store, now: fixture.now) { _, _ in
                throw ReleaseVetoError("no")
            }
        }
        #expect(await updates.next()??.release == 1)
    }

    // MARK: On a screen

    @MainActor private func wait(until isMet: @escaping @MainActor () -> Bool) async {
        while !isMet() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isMet()
                } onChange: {
                    continuation.resume()
                }
            }
            await Task.yield()
        }
    }

    @Test(.timeLimit(.minutes(1)))
    @MainActor func aScreenShowsHowManyDocumentsWereRefused() async throws {
        let content = ObservedContent(store)
        #expect(content.freshness == nil && content.refusedDocumentCount == 0)
        let following = Task { await content.follow() }
        try MemoryRelease(1, StoreFixture.blueprint()).texts("[]").asset("a", "x")
            .install(in: store, now: fixture.now)
        await wait { content.refusedDocumentCount == 1 }
        #expect(content.freshness?.release == 1)
        following.cancel()
        await following.value
    }

    @Test(.timeLimit(.minutes(1)))
    @MainActor func aScreenShowsDamageUntilASyncRepairsIt() async throws {
        try install(1)
        let content = ObservedContent(store)
        let following = Task { await content.follow() }
        await wait { content.freshness != nil }
        #expect(!content.needsRepair)
        try damage()
        await wait { content.needsRepair }
        try store.prepareForSync(now: fixture.now)
        await wait { !content.needsRepair }
        following.cancel()
        await following.value
    }
}
