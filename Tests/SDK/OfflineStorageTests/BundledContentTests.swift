import ContentModel
import Foundation
import TestSupport
import Testing

@testable import OfflineStorage

/// The bundle beside a store: installed, waiting for room, or only read.
@Suite struct BundledContentTests {
    private let fixture: StoreFixture
    private var store: OfflineStore { fixture.store }
    private let bank = QuestionFilter.Bank.placement(language: "es")

    init() throws { fixture = try StoreFixture() }

    private func objectPath(_ text: String, in name: String = "app") -> String {
        "\(name)/" + ReleasePath.object(Checksum(of: Array(text.utf8))).text
    }

    /// A store whose folder cannot be made, so that nothing can be installed in it.
    private func blocked() throws -> OfflineStore {
        try fixture.folder.write("in the way", to: "blocked")
        return try OfflineStore(folder: fixture.folder.url.appending(path: "blocked"))
    }

    // MARK: Documents and objects

    @Test func aBundleReadsItsAssetsAndVerifiesItsObjects() throws {
        let bundle = try MemoryRelease(1).asset("a", "one").asset("b", "two", .onDemand)
            .bundle(in: fixture.folder)
        #expect(try bundle.assets().mapValues(\.fetchClass) == ["a": .eager, "b": .onDemand])
        let checksum = Checksum(of: Array("one".utf8))
        #expect(try bundle.object(checksum) == Array("one".utf8))
        try fixture.folder.write("onE", to: objectPath("one"))
        let damaged = #expect(throws: StoreError.self) { try bundle.object(checksum) }
        #expect(damaged?.code == .badBundle && damaged?.message.contains("is damaged") == true)
        try fixture.folder.remove(objectPath("one"))
        let missing = #expect(throws: StoreError.self) { try bundle.object(checksum) }
        #expect(missing?.code == .badBundle && missing?.message.contains(checksum.hex) == true)
    }

    @Test func aDocumentThatTheStoreHasNeedNotBeInTheBundle() throws {
        let release = MemoryRelease(1).asset("a", "one")
        let bundle = try release.bundle(in: fixture.folder)
        try fixture.folder.remove(objectPath("one"))
        try store.stage(Array("one".utf8), as: Checksum(of: Array("one".utf8)))
        #expect(try store.installBundle(bundle, now: fixture.now))
        #expect(try store.asset("a").value == Array("one".utf8))
    }

    @Test func theIntactDocumentsOfADamagedBundleAreShown() throws {
        let bundle = try MemoryRelease(1, StoreFixture.blueprint()).asset("a", "one")
            .bundle(in: fixture.folder)
        try fixture.folder.write("onE", to: objectPath("one"))
        let error = #expect(throws: StoreError.self) {
            try store.installBundle(bundle, now: fixture.now)
        }
        #expect(error?.code == .badBundle)
        #expect(try store.installedReleases.isEmpty)
        #expect(try store.blueprint(bank).freshness.source == .bundled)
        let asset = #expect(throws: StoreError.self) { try store.asset("a") }
        #expect(asset?.code == .badBundle)
    }

    @Test func theBundleOfTheLatestCallIsTheOneThatIsRead() throws {
        try MemoryRelease(9).asset("x", "installed").install(in: store, now: fixture.now)
        for name in ["one", "two"] {
            let bundle = try MemoryRelease(1).asset(name, name).bundle(in: fixture.folder, name)
            #expect(try !store.installBundle(bundle, now: fixture.now))
            #expect(try store.asset(name).value == Array(name.utf8))
        }
        #expect(throws: StoreError.self) { try store.asset("one") }
    }

    // MARK: Age

    @Test(arguments: [
        ("2026-05-01T10:00:00Z", 1_777_629_600), ("2026-05-01T12:00:00.5+02:00", 1_777_629_600.5),
        ("yesterday", 0),
    ])
    func aBundleThatIsOnlyReadIsAsOldAsItsRelease(time: String, seconds: Double) throws {
        let bundle = try MemoryRelease(1, generatedAt: time).asset("a", "one")
            .bundle(in: fixture.folder)
        let store = try blocked()
        #expect(try !store.installBundle(bundle, now: fixture.now))
        let freshness = try #require(try store.freshness())
        #expect(freshness.installedAt == Date(timeIntervalSince1970: seconds))
        #expect(try store.asset("a").freshness == freshness)
    }

    // MARK: A bundle that waits for room

    @Test func aWaitingBundleIsShownFirstAndInstalledByTheNextSync() throws {
        let bundle = try MemoryRelease(4, StoreFixture.blueprint()).bundle(in: fixture.folder)
        let store = try blocked()
        #expect(try !store.installBundle(bundle, now: fixture.now))
        #expect(store.bundled.isFirst && store.access.problem != nil)
        #expect(try store.manifest().value.release == 4)
        #expect(throws: StoreError.self) { try store.prepareForSync(now: fixture.now) }
        try fixture.folder.remove("blocked")
        try store.prepareForSync(now: fixture.now)
        #expect(!store.bundled.isFirst && store.access == .readWrite)
        #expect(try store.installedReleases == [4])
        #expect(try store.blueprint(bank).freshness.installedAt == fixture.now)
    }

    @Test func aWaitingBundleThatIsDamagedMeanwhileStopsNoSync() throws {
        let bundle = try MemoryRelease(4).asset("a", "one").bundle(in: fixture.folder)
        let store = try blocked()
        #expect(try !store.installBundle(bundle, now: fixture.now))
        try fixture.folder.write("onE", to: objectPath("one"))
        try fixture.folder.remove("blocked")
        try store.prepareForSync(now: fixture.now)
        #expect(try store.installedReleases.isEmpty && !store.bundled.isFirst)
    }

    @Test func aBannedBundleIsReadOnlyWhereNothingIsInstalled() throws {
        let bundle = try MemoryRelease(1).asset("a", "one").bundle(in: fixture.folder)
        try store.ban(bundle.manifest().checksum, reason: "crashed", now: fixture.now)
        let error = #expect(throws: StoreError.self) {
            try store.installBundle(bundle, now: fixture.now)
        }
        #expect(error?.code == .banned && error?.message.hasPrefix("crashed ") == true)
        #expect(try store.asset("a").freshness.source == .bundled)
        try MemoryRelease(1).asset("a", "two").install(in: store, now: fixture.now)
        #expect(try !store.installBundle(bundle, now: fixture.now))
        #expect(try store.asset("a").value == Array("two".utf8))
    }

    // MARK: Files on demand

    @Test func filesOfAnInstalledBundleStayWithoutItsFolder() throws {
        let bundle = try MemoryRelease(1).asset("a", "one").asset("clip", "la", .prefetch)
            .bundle(in: fixture.folder)
        #expect(try store.installBundle(bundle, now: fixture.now))
        try fixture.folder.remove("app")
        let file = try #require(try store.lazyFile(Checksum(of: Array("la".utf8))))
        #expect(try String(contentsOf: file, encoding: .utf8) == "la")
        #expect(try store.cleanUpLazyFiles(quotaBytes: 100) == 0)
        #expect(try store.cleanUpLazyFiles(quotaBytes: 0) == 2)
    }

    @Test func filesOfAnOlderBundleAreUsedInTheirPlace() throws {
        try MemoryRelease(9).asset("a", "new").install(in: store, now: fixture.now)
        let bundle = try MemoryRelease(1).asset("a", "one").asset("clip", "la", .onDemand)
            .bundle(in: fixture.folder)
        #expect(try !store.installBundle(bundle, now: fixture.now))
        let checksum = Checksum(of: Array("la".utf8))
        #expect(try store.lazyFile(checksum) == bundle.file(checksum))
        // It is a document, not a file.
        #expect(try store.lazyFile(Checksum(of: Array("one".utf8))) == nil)
        try fixture.folder.write("lu", to: objectPath("la"))
        #expect(try store.lazyFile(checksum) == nil)
    }

    @Test func aDamagedFileIsNamedAndTheDocumentsAreInstalled() throws {
        let bundle = try MemoryRelease(1).asset("a", "one").asset("clip", "la", .prefetch)
            .bundle(in: fixture.folder)
        try fixture.folder.write("lu", to: objectPath("la"))
        let error = #expect(throws: StoreError.self) {
            try store.installBundle(bundle, now: fixture.now)
        }
        #expect(error?.code == .badBundle)
        #expect(try store.installedReleases == [1])
        #expect(try store.lazyFile(Checksum(of: Array("la".utf8))) == nil)
        #expect(try !store.installBundle(bundle, now: fixture.now))
    }
}
