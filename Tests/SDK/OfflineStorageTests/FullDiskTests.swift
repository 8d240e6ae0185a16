import ContentModel
import Foundation
import TestSupport
import Testing

@testable import OfflineStorage

/// Disks that take nothing more. A limit on the size of files is what a full disk is to a program, and needs
/// no rights; it holds for a whole process, so each test has one of its own.
@Suite struct FullDiskTests {
    static let bank = QuestionFilter.Bank.placement(language: "es")

    /// From now on no file grows beyond so many bytes.
    static func fillDisk(upTo bytes: UInt) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    static func makeRoom() { fillDisk(upTo: UInt(Int64.max)) }

    @Test func aNewAppOnAFullDiskShowsItsBundle() async {
        await #expect(processExitsWith: .success) {
            let fixture = try StoreFixture()
            let bundle = try fixture.writeBundle(release: 1, StoreFixture.blueprint())
            FullDiskTests.fillDisk(upTo: 0)
            let store = try OfflineStore(folder: fixture.folder.url.appending(path: "new"))
            #expect(try store.beginStart(now: fixture.now) == nil)
            #expect(try store.installBundle(bundle, now: fixture.now) == false)
            let shown = try store.blueprint(FullDiskTests.bank)
            #expect(shown.value == StoreFixture.blueprint())
            #expect(shown.freshness.source == .bundled)
            #expect(try store.manifest().value.release == 1)
            #expect(store.access.problem != nil)
            let failure = #expect(throws: StoreError.self) {
                try store.prepareForSync(now: fixture.now)
            }
            #expect(failure?.code == .storage)
            expectPlain(failure)
            FullDiskTests.makeRoom()
            #expect(try store.installBundle(bundle, now: fixture.now))
            #expect(store.access == .readWrite)
        }
    }

    @Test func aStoreThatIsThereIsReadOnAFullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var bundle: ContentBundle?
            do {
                let fixture = try StoreFixture()
                let manifest = try fixture.stage(release: 5, [StoreFixture.blueprint(key: 1)])
                try fixture.store.install(verifying: manifest, now: fixture.now)
                let newer = try fixture.writeBundle(release: 9, StoreFixture.blueprint())
                for (from, to) in [("store", "store"), ("bundle9", "bundle")] {
                    try FileManager.default.copyItem(
                        atPath: fixture.folder.path + "/" + from, toPath: folder.path + "/" + to)
                }
                bundle = ContentBundle(folder: folder.url.appending(path: "bundle"))
                _ = newer
            }
            FullDiskTests.fillDisk(upTo: 0)
            let store = try OfflineStore(folder: folder.url.appending(path: "store"))
            #expect(try store.blueprint(FullDiskTests.bank).freshness.release == 5)
            // A newer bundle wins, also when it cannot be installed.
            #expect(try store.installBundle(#require(bundle), now: Date()) == false)
            #expect(try store.blueprint(FullDiskTests.bank).freshness.release == 9)
            let failure = #expect(throws: StoreError.self) {
                try store.stage([1], as: Checksum(of: [1]))
            }
            #expect(failure?.code == .storage)
            expectPlain(failure)
            // Once there is room, a sync installs it before it asks.
            FullDiskTests.makeRoom()
            try store.prepareForSync(now: Date())
            #expect(try store.currentGeneration()?.freshness.release == 9)
            #expect(try store.generations().map(\.freshness.release) == [9, 5])
        }
    }

    @Test func anAnswerThatCannotBeSavedIsSaidAndSavedLater() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            do {
                let store = try UserStore(folder: folder.url)
                try store.put(Favourite(bank: "es"), id: "q1", now: Date())
            }
            FullDiskTests.fillDisk(upTo: 0)
            let store = try UserStore(folder: folder.url)
            #expect(try store.records(Favourite.self).map(\.id) == ["q1"])
            let failure = #expect(throws: StoreError.self) {
                try store.put(Favourite(bank: "es"), id: "q2", now: Date())
            }
            #expect(failure?.code == .storage)
            expectPlain(failure)
            #expect(try store.records(Favourite.self).map(\.id) == ["q1"])
            FullDiskTests.makeRoom()
            try store.put(Favourite(bank: "es"), id: "q2", now: Date())
            #expect(try UserStore(folder: folder.url).records(Favourite.self).count == 2)
        }
    }

    @Test func aNewUserStoreOnAFullDiskOpensAndRefusesWrites() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            FullDiskTests.fillDisk(upTo: 0)
            let store = try UserStore(folder: folder.url)
            #expect(store.access.problem != nil)
            #expect(try store.status().waitingCount == 0)
            #expect(try store.records(Favourite.self).isEmpty)
            let failure = #expect(throws: StoreError.self) {
                try store.put(Favourite(bank: "es"), id: "q2", now: Date())
            }
            #expect(failure?.code == .storage)
            expectPlain(failure)
        }
    }
}

/// No words of SQLite, and a remedy.
func expectPlain(_ error: StoreError?) {
    let text = "\(error?.message ?? "")".lowercased()
    for word in ["sqlite_", "sqlite error", "database or disk", "malformed", "while executing"] {
        #expect(!text.contains(word), "\(text)")
    }
    #expect(text.contains("room") || text.contains("name another") || text.contains("repair"))
}
