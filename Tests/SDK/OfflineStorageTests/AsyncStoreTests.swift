import Foundation
import Synchronization
import TestSupport
import Testing
import Underway

/// The stores as an app's main actor uses them.
@MainActor @Suite struct AsyncStoreTests {
    @Test func storesOpenAndWorkFromTheMainActor() async throws {
        let folder = try TemporaryFolder()
        let content = try await OfflineStore.open(at: folder.url)
        let userData = try await UserStore.open(at: folder.url)
        #expect(try await content.perform { try $0.beginStart() } == nil)
        #expect(try await content.perform { try $0.currentGeneration() } == nil)
        try await userData.perform { try $0.put(Favourite(bank: "es"), id: "q") }
        let saved = try await userData.perform { store in
            try store.write { batch in
                try batch.delete(Favourite.self, id: "q")
                try batch.put(Favourite(bank: "de"), id: "r")
            }
            return try store.records(Favourite.self)
        }
        #expect(saved.map(\.id) == ["r"] && saved.map(\.value.bank) == ["de"])
        let center = AnnouncementCenter(content: content, userData: userData)
        #expect(try await center.current(AnnouncementMoment(appVersion: "1")) == nil)
    }

    @Test func errorsAreThoseOfTheStore() async throws {
        let store = try OfflineStore.inMemory()
        let failure = await #expect(throws: StoreError.self) {
            try await store.perform { try $0.blueprint(.placement(language: "es")) }
        }
        #expect(failure?.code == .notFound)
    }

    @Test func theCallersThreadIsFreeMeanwhile() async throws {
        let store = try UserStore.inMemory()
        let isMain = Mutex<Bool?>(nil)
        try await store.perform { _ in isMain.withLock { $0 = Thread.isMainThread } }
        #expect(isMain.withLock { $0 } == false)
    }
}
