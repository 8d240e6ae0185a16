import ContentModel
import Foundation
import Observation
import OfflineStorage
import Testing
import UserData

@MainActor @Suite struct ObservationTests {
    /// Waits until a condition over observed properties holds.
    private func wait(until isMet: @escaping @MainActor () -> Bool) async {
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
    func contentFollowsAnInstallation() async throws {
        let fixture = try StoreFixture()
        let store = try OfflineStore.inMemory()
        let content = ObservedContent(store)
        let following = Task { await content.follow() }
        let first = try fixture.writeBundle(release: 1, StoreFixture.blueprint())
        try store.installBundle(first)
        await wait { content.freshness?.release == 1 }
        try store.installBundle(fixture.writeBundle(release: 2, StoreFixture.blueprint("de")))
        await wait { content.freshness?.release == 2 }
        #expect(content.freshness?.source == .bundled && !content.needsRepair)
        following.cancel()
        await following.value
    }

    @Test(.timeLimit(.minutes(1)))
    func userDataFollowsEachWrite() async throws {
        let store = try UserStore.inMemory()
        let userData = ObservedUserData(store)
        #expect(userData.status == nil)
        let following = Task { await userData.follow() }
        await wait { userData.status?.waitingCount == 0 }
        try store.put(Favourite(bank: "es"), id: "q")
        await wait { userData.status?.waitingCount == 1 }
        #expect(userData.conflicts.isEmpty && userData.error == nil)
        following.cancel()
        await following.value
    }

    @Test(.timeLimit(.minutes(1)))
    func conflictsOfOneTypeAreFollowed() async throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let store = try UserStore.inMemory()
        let userData = ObservedUserData(store)
        let following = Task { await userData.follow() }
        try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "r", now: now)
        try store.sync(now: now) { operation in
            var theirs = UserRecord(accepting: operation)
            theirs.fields["date"]?.value = "2027-01-15"
            return .conflict(theirs: theirs)
        }
        await wait { userData.conflicts(of: Reservation.self).count == 1 }
        let conflict = try #require(userData.conflicts(of: Reservation.self).first)
        #expect(conflict.mine?.date == "2026-12-24" && conflict.theirs?.date == "2027-01-15")
        #expect(userData.conflicts(of: Favourite.self).isEmpty)
        try store.resolve(conflict, with: .theirs, now: now)
        await wait { userData.conflicts(of: Reservation.self).isEmpty }
        following.cancel()
        await following.value
    }
}
