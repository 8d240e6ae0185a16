import Foundation
import Synchronization
import TestSupport
import Testing
import Underway

/// The `async` forms as an app's main actor uses them.
@MainActor @Suite struct AsyncStoreTests {
    @Test func storesOpenAndWorkFromTheMainActor() async throws {
        let folder = try TemporaryFolder()
        let content = try await OfflineStore.open(at: folder.url)
        let userData = try await UserStore.open(at: folder.url)
        #expect(try await content.beginStart() == nil)
        #expect(try await content.currentGeneration() == nil)
        try await userData.put(Favourite(bank: "es"), id: "q")
        #expect(try await userData.records(Favourite.self).map(\.id) == ["q"])
        try await userData.write { batch in
            try batch.delete(Favourite.self, id: "q")
            try batch.put(Favourite(bank: "de"), id: "r")
        }
        #expect(try await userData.records(Favourite.self).map(\.value.bank) == ["de"])
        let center = AnnouncementCenter(content: content, userData: userData)
        #expect(try await center.current(AnnouncementMoment(appVersion: "1")) == nil)
    }

    @Test func errorsAreThoseOfTheBlockingForm() async throws {
        let store = try OfflineStore.inMemory()
        let failure = await #expect(throws: StoreError.self) {
            try await store.blueprint(.placement(language: "es"))
        }
        #expect(failure?.code == .notFound)
    }

    @Test func theCallersThreadIsFreeMeanwhile() async throws {
        let store = try UserStore.inMemory()
        let isMain = Mutex<Bool?>(nil)
        try await store.write { _ in isMain.withLock { $0 = Thread.isMainThread } }
        #expect(isMain.withLock { $0 } == false)
    }
}
