import ContentModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import OfflineStorage

/// What a rebuild takes over from a damaged database.
@Suite struct ContentRebuildTests {
    private let fixture: StoreFixture
    private var store: OfflineStore { fixture.store }
    private var files: ContentFiles {
        ContentFiles(folder: fixture.folder.url.appending(path: "store"))
    }

    /// Release 1 has asset a; of release 2 asset a was refused.
    init() throws {
        fixture = try StoreFixture()
        struct TooNew: Error {}
        for release in 1...2 {
            try MemoryRelease(release, StoreFixture.blueprint(key: release - 1))
                .asset("a", "\(release)")
                .install(in: fixture.store, now: fixture.now) { document, bytes in
                    if bytes == Array("2".utf8) { throw TooNew() }
                }
        }
    }

    private func damage(_ sql: String) throws {
        try store.database.write { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: sql)
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
    }

    private func rebuild() throws {
        try ContentRebuild(files: files).run(replacing: files.newest)
    }

    @Test func nothingIsLostOfADatabaseThatIsWhole() throws {
        try store.set("name", "value")
        try store.set("schedule", "tomorrow")
        try store.ban(Checksum(of: [1]), reason: "crashed", now: fixture.now)
        let file = store.partialFile(Checksum(of: [2]))
        try Data([2]).write(to: file)
        _ = try store.keepLazyFile(file, as: Checksum(of: [2]), size: 1, now: fixture.now)
        let before = (try store.generations(), try store.refusedDocuments())
        try rebuild()
        #expect(files.newest.lastPathComponent == "content.2.sqlite")
        #expect(try store.generations() == before.0)
        #expect(try store.refusedDocuments() == before.1 && before.1.map(\.key) == ["a"])
        #expect(try store.asset("a").freshness.refused?.release == 2)
        #expect(try store.setting("name") == "value")
        // The next sync asks at once.
        #expect(try store.setting("schedule") == nil)
        #expect(try store.banReason(Checksum(of: [1])) == "crashed")
        #expect(try store.damagedLazyFiles().isEmpty)
        #expect(try store.cleanUpLazyFiles(quotaBytes: 0) == 1)
    }

    @Test func aDamagedBlobTakesItsEntryWithIt() throws {
        let current = Checksum(of: StoreFixture.blueprint(key: 1).json.canonicalBytes)
        try damage("UPDATE blob SET bytes = x'00' WHERE checksum = '\(current.hex)'")
        try rebuild()
        #expect(try store.present([current]).isEmpty)
        #expect(try store.blueprint(.placement(language: "es")).freshness.release == 1)
        #expect(try store.currentGeneration()?.freshness.release == 2)
    }

    @Test func aDamagedManifestIsReplacedByAnEmptyOneAndItsDocumentsStay() throws {
        try damage("UPDATE generation SET manifest = x'7b7d' WHERE state = 'current'")
        try rebuild()
        let manifest = try #require(try store.currentManifest()?.manifest)
        #expect(manifest == Manifest(release: 2))
        #expect(try fixture.key() == "b")
        // The published release is a new one to the next sync.
        try MemoryRelease(2, StoreFixture.blueprint(key: 1)).asset("a", "2")
            .install(in: store, now: fixture.now)
        #expect(try fixture.key() == "b")
    }

    @Test func withoutItsCurrentGenerationTheLastGoodOneIsCurrent() throws {
        try damage("UPDATE generation SET release = -1 WHERE state = 'current'")
        try rebuild()
        let generations = try store.generations()
        #expect(generations.map(\.freshness.release) == [1])
        #expect(generations.map(\.freshness.isFallback) == [false])
        #expect(try fixture.key() == "a")
        #expect(try store.refusedDocuments().isEmpty)
    }

    @Test func lostEntriesComeBackButNotThoseThatWereRefused() throws {
        // The refused bytes are still here; the predecessor has to stay.
        try damage("DELETE FROM entry WHERE generation = (SELECT max(id) FROM generation)")
        try rebuild()
        #expect(try fixture.key() == "b")
        let asset = try store.asset("a")
        #expect(asset.value == Array("1".utf8) && asset.freshness.refused?.release == 2)
    }

    @Test func aFileThatIsNoDatabaseGivesWayToAnEmptyOne() throws {
        let folder = try TemporaryFolder()
        try folder.write("no database", to: "content.sqlite")
        let files = ContentFiles(folder: folder.url)
        try ContentRebuild(files: files).run(replacing: files.newest)
        let store = try OfflineStore(folder: folder.url)
        #expect(try store.installedReleases.isEmpty && !store.needsRepair)
        #expect(try folder.text("content.sqlite") == "no database")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.hasPrefix("content.new-") })
    }

    @Test func ofLargeDatabasesNoneIsRetained() throws {
        let folder = try TemporaryFolder()
        let files = ContentFiles(folder: folder.url)
        for (number, bytes) in [(1, ContentFiles.retainedBytesMax), (2, 1)] {
            let file = files.file(number)
            try folder.write([], to: file.lastPathComponent)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(bytes))
            try handle.close()
            try folder.write([1], to: "new")
            try files.adopt(folder.url.appending(path: "new"), after: file)
            #expect(folder.exists(file.lastPathComponent))
            try folder.remove(files.file(number + 1).lastPathComponent)
        }
        let large = files.file(2)
        let handle = try FileHandle(forWritingTo: large)
        try handle.truncate(atOffset: UInt64(ContentFiles.retainedBytesMax + 1))
        try handle.close()
        try folder.write([1], to: large.lastPathComponent + "-wal")
        try files.adopt(folder.url.appending(path: "new"), after: large)
        #expect(!folder.exists("content.2.sqlite") && !folder.exists("content.2.sqlite-wal"))
        #expect(files.newest.lastPathComponent == "content.3.sqlite")
    }
}
