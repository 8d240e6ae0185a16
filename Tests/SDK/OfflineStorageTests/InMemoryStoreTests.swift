import ContentModel
import Foundation
import TestSupport
import Testing

@testable import OfflineStorage

@Suite struct InMemoryStoreTests {
    private let bank = QuestionFilter.Bank.placement(language: "es")

    @Test func banksAreThereWithoutABundle() throws {
        let store = try OfflineStore.inMemory(
            blueprints: [StoreFixture.blueprint(), StoreFixture.blueprint("int/swift")])
        #expect(try store.blueprint(bank).value == StoreFixture.blueprint())
        let filter = QuestionFilter(.exam(region: "int", exam: "swift"), difficulty: 2)
        #expect(try store.questions(filter).value.map(\.difficulty) == [2, 2])
        #expect(try store.freshness()?.release == 1)
        #expect(store.access == .readWrite)
    }

    @Test func aBankThatDevicesRefuseIsRefused() throws {
        var blueprint = StoreFixture.blueprint()
        // An exam is named by region and exam.
        blueprint.kind = .exam
        let failure = #expect(throws: StoreError.self) {
            try OfflineStore.inMemory(blueprints: [blueprint])
        }
        #expect(failure?.code == .refused)
    }

    @Test func aBundleIsInstalledAndItsFolderEndsWithTheStore() throws {
        let fixture = try StoreFixture()
        let bundle = try fixture.writeBundle(release: 3, StoreFixture.blueprint())
        var folder: URL?
        do {
            let store = try OfflineStore.inMemory(bundle: bundle)
            let copy = store
            folder = copy.files.files.deletingLastPathComponent()
            #expect(try copy.currentGeneration()?.freshness.release == 3)
            #expect(try FileManager.default.fileExists(atPath: #require(folder).path))
            // A sync begins with this.
            try store.prepareForSync(now: fixture.now)
        }
        #expect(try !FileManager.default.fileExists(atPath: #require(folder).path))
    }

    @Test func aDamagedBundleIsAnErrorOfTheStore() throws {
        let fixture = try StoreFixture()
        let bundle = try fixture.writeBundle(release: 3, StoreFixture.blueprint())
        try fixture.folder.write([UInt8]("{".utf8), to: "bundle3/manifest.json")
        let failure = #expect(throws: StoreError.self) {
            try OfflineStore.inMemory(bundle: bundle)
        }
        #expect(failure?.code == .badBundle)
    }

    @Test func userDataIsThereUntilTheStoreEnds() throws {
        let store = try UserStore.inMemory()
        try store.put(Favourite(bank: "es"), id: "q")
        #expect(try store.records(Favourite.self).map(\.id) == ["q"])
        #expect(try UserStore.inMemory().records(Favourite.self).isEmpty)
        #expect(store.access == .readWrite)
    }
}
