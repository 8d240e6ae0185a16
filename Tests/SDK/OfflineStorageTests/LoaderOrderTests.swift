import ContentModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import OfflineStorage

/// Current generation, last good generation, bundle: in this order, for each document.
@Suite struct LoaderOrderTests {
    private let fixture: StoreFixture
    private let bundle: ContentBundle
    private let bank = QuestionFilter.Bank.placement(language: "es")

    /// The bundle says a, release 2 says b, release 3 says a again with another title.
    init() throws {
        fixture = try StoreFixture()
        bundle = try fixture.writeBundle(release: 1, StoreFixture.blueprint())
        try fixture.store.installBundle(bundle, now: fixture.now)
        for (release, blueprint) in [(2, Self.second), (3, Self.third)] {
            let manifest = try fixture.stage(release: release, [blueprint])
            try fixture.store.install(verifying: manifest, now: fixture.now)
        }
        try fixture.store.removeOrphans()
    }

    private static let second = StoreFixture.blueprint(key: 1)
    private static var third: Blueprint {
        var blueprint = StoreFixture.blueprint()
        blueprint.title = "Third"
        return blueprint
    }

    private func damage(_ blueprint: Blueprint) throws {
        try fixture.store.database.write { database in
            try database.execute(
                sql: "UPDATE blob SET bytes = x'7b7d' WHERE checksum = ?",
                arguments: [Checksum(of: blueprint.json.canonicalBytes).hex])
        }
    }

    @Test func eachDocumentComesFromTheFirstSourceThatIsWhole() throws {
        #expect(try fixture.store.blueprint(bank).value == Self.third)
        #expect(!fixture.store.needsRepair)
        try damage(Self.third)
        let lastGood = try fixture.store.blueprint(bank)
        #expect(lastGood.value == Self.second)
        #expect(lastGood.freshness.release == 2 && lastGood.freshness.isFallback)
        #expect(fixture.store.needsRepair)
        try damage(Self.second)
        let bundled = try fixture.store.blueprint(bank)
        #expect(bundled.value == StoreFixture.blueprint())
        #expect(bundled.freshness.source == .bundled && bundled.freshness.release == 1)
        #expect(bundled.freshness.isFallback)
        #expect(try fixture.store.questions(QuestionFilter(bank, difficulty: 2)).value.count == 2)
    }

    @Test func theBundleIsReadAlsoByAStoreThatWasDownloadedLongAgo() throws {
        try damage(Self.second)
        try damage(Self.third)
        let store = try fixture.reopened()
        #expect(throws: StoreError.self) { try store.blueprint(bank) }
        #expect(try store.installBundle(bundle, now: fixture.now) == false)
        #expect(try store.blueprint(bank).freshness.source == .bundled)
    }

    @Test func aDamagedObjectOfTheBundleIsNotShown() throws {
        try damage(Self.second)
        try damage(Self.third)
        let hex = Checksum(of: StoreFixture.blueprint().json.canonicalBytes).hex
        try fixture.folder.write("{}", to: "bundle1/objects/\(hex.prefix(2))/\(hex)")
        #expect(throws: StoreError.self) { try fixture.store.blueprint(bank) }
    }

    @Test func rowsOfQuestionsThatWereChangedAreNotShown() throws {
        let filter = QuestionFilter(bank, difficulty: 2)
        let right = try fixture.store.questions(filter).value
        try fixture.store.database.write {
            try $0.execute(
                sql: """
                    UPDATE question SET
                        json = CAST(replace(CAST(json AS TEXT), '"correct":["a"]', '"correct":["b"]')
                            AS BLOB)
                    """)
            try $0.execute(sql: "UPDATE question SET difficulty = 2")
        }
        let store = try fixture.reopened()
        #expect(try store.questions(filter).value == right)
        #expect(store.needsRepair)
        try store.prepareForSync(now: fixture.now)
        #expect(try store.questions(filter).value == right)
        #expect(try store.questions(filter).value == right && !store.needsRepair)
    }

    // MARK: Damaged databases

    private var file: URL { fixture.folder.url.appending(path: "store/content.sqlite") }

    /// Pages that were damaged while nobody had the store open.
    private func overwrite(_ pages: Range<Int>) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: UInt64(pages.lowerBound * 4096))
        try handle.write(contentsOf: Data(repeating: 0x5A, count: pages.count * 4096))
        try handle.close()
    }

    private func checkpoint() throws {
        try fixture.store.database.write { _ in }
        try DatabaseQueue(path: file.path).inDatabase {
            try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    @Test(arguments: 0..<24)
    func aPageThatWasOverwrittenNeverHidesContent(page: Int) throws {
        try checkpoint()
        try overwrite(page..<(page + 1))
        let store = try fixture.reopened()
        try store.installBundle(bundle, now: fixture.now)
        let versions = [StoreFixture.blueprint(), Self.second, Self.third]
        let before = try #require(versions.firstIndex(of: store.blueprint(bank).value))
        _ = try store.generations()
        _ = try store.beginStart(now: fixture.now)
        _ = try store.questions(QuestionFilter(bank))
        try store.prepareForSync(now: fixture.now)
        // The repair takes nothing away, also when the rest cannot be fetched.
        let after = try #require(versions.firstIndex(of: store.blueprint(bank).value))
        #expect(after >= before)
        let report = try store.database.read { try String.fetchOne($0, sql: "PRAGMA quick_check") }
        if fixture.folder.exists("store/content.2.sqlite") { #expect(report == "ok") }
    }

    @Test func ofDamagedDatabasesOnlyTheLastIsKept() throws {
        for round in 2...4 {
            fixture.store.repair.raise()
            try fixture.store.prepareForSync(now: fixture.now)
            #expect(fixture.folder.exists("store/content.\(round).sqlite"))
            #expect(try fixture.store.blueprint(bank).value == Self.third)
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: fixture.folder.path + "/store")
        let databases = names.filter { $0.hasSuffix(".sqlite") || $0.hasPrefix("content.new") }
        #expect(databases.sorted() == ["content.3.sqlite", "content.4.sqlite"])
    }

    /// Another process goes on with the database that this one built.
    @Test func anotherProcessNoticesTheRepair() throws {
        let other = try fixture.reopened()
        #expect(try other.blueprint(bank).value == Self.third)
        fixture.store.repair.raise()
        try fixture.store.prepareForSync(now: fixture.now)
        try fixture.store.set("from", "first")
        #expect(try other.setting("from") == "first")
        try other.set("from", "other")
        #expect(try fixture.store.setting("from") == "other")
        fixture.store.repair.raise()
        try fixture.store.prepareForSync(now: fixture.now)
        #expect(try other.setting("from") == "other" && !other.needsRepair)
    }

    @Test func theBytesOfAFileThatIsFetchedOnDemandAreCompared() throws {
        let bytes = Array("a clip".utf8)
        let checksum = Checksum(of: bytes)
        let partial = fixture.store.partialFile(checksum)
        try Data(bytes).write(to: partial)
        let kept = try fixture.store.keepLazyFile(
            partial, as: checksum, size: bytes.count, now: fixture.now)
        try Data("a cl".utf8).write(to: kept)
        #expect(try fixture.reopened().lazyFile(checksum, now: fixture.now) == nil)
    }
}
