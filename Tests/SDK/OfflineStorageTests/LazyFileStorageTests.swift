import ContentModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import OfflineStorage

/// Files fetched on demand, beside what the database says about them.
@Suite struct LazyFileStorageTests {
    private let fixture: StoreFixture
    private var store: OfflineStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    private func checksum(_ text: String) -> Checksum { Checksum(of: Array(text.utf8)) }

    @discardableResult
    private func keep(_ text: String, at seconds: Double = 0) throws -> URL {
        let partial = store.partialFile(checksum(text))
        try Data(text.utf8).write(to: partial)
        return try store.keepLazyFile(
            partial, as: checksum(text), size: text.utf8.count, now: fixture.now + seconds)
    }

    /// Installs a release that names files.
    private func install(_ release: Int, _ texts: String...) throws {
        var contents = MemoryRelease(release)
        for text in texts { contents = contents.asset(text, text, .onDemand) }
        try contents.install(in: store, now: fixture.now)
    }

    private func names(_ folder: String) throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(
                atPath: fixture.folder.path + "/store/" + folder))
    }

    @Test func aDownloadMovesToItsPlaceAndReplacesADamagedFile() throws {
        try Data("clap".utf8).write(to: keep("clip"))
        #expect(try store.lazyFile(checksum("clip")) == nil)
        #expect(try store.damagedLazyFiles() == [checksum("clip")])
        let file = try keep("clip")
        #expect(try store.lazyFile(checksum("clip")) == file)
        #expect(try Data(contentsOf: file) == Data("clip".utf8))
        #expect(try store.damagedLazyFiles().isEmpty)
        #expect(try names("partial").isEmpty)
    }

    @Test func aFileThatWasRemovedIsFetchedAgain() throws {
        let file = try keep("clip")
        #expect(try store.lazyFile(checksum("clip")) == file)
        try FileManager.default.removeItem(at: file)
        #expect(try store.lazyFile(checksum("clip")) == nil)
        #expect(try store.damagedLazyFiles() == [checksum("clip")])
        try store.discardLazyFile(checksum("clip"))
        try store.discardLazyFile(checksum("never here"))
        #expect(try store.damagedLazyFiles().isEmpty)
    }

    @Test func aFileIsComparedAtItsFirstUseOfAProcessAndAfterItWasDiscarded() throws {
        let file = try keep("clip")
        #expect(try store.lazyFile(checksum("clip")) != nil)
        try Data("clap".utf8).write(to: file)
        #expect(try store.lazyFile(checksum("clip")) != nil)
        #expect(try fixture.reopened().lazyFile(checksum("clip")) == nil)
        try store.discardLazyFile(checksum("clip"))
        try Data("clap".utf8).write(to: file)
        #expect(try store.lazyFile(checksum("clip")) == nil)
    }

    @Test func fetchedFilesAreRemovedByChecksumAndOthersStay() throws {
        try install(1, "clip", "bell")
        for text in ["clip", "bell"] { try keep(text) }
        #expect(try store.lazyFile(checksum("clip")) != nil)
        #expect(try store.fetchedFiles() == [checksum("clip"): 4, checksum("bell"): 4])

        let freed = try store.removeFetchedFiles([checksum("clip"), checksum("never here")])

        #expect(freed == 4)
        #expect(try store.fetchedFiles() == [checksum("bell"): 4])
        #expect(try store.lazyFile(checksum("clip")) == nil)
        #expect(try names("files") == [checksum("bell").hex])
    }

    /// What the app ships stays on the device, so it is nothing that could be removed.
    @Test func filesThatTheAppShipsAreNotAmongTheFetchedOnes() throws {
        let release = MemoryRelease(1).asset("clip", "clip", .onDemand)
        try store.installBundle(release.bundle(in: fixture.folder), now: fixture.now)
        try keep("bell")
        #expect(try store.fetchedFiles() == [checksum("bell"): 4])

        #expect(try store.removeFetchedFiles([checksum("clip"), checksum("bell")]) == 4)

        #expect(try store.lazyFile(checksum("clip")) != nil)
    }

    @Test func filesOfBothGenerationsStayAndThoseOfAnOlderOneGo() throws {
        for (release, text) in ["one", "two", "three"].enumerated() {
            try install(release, text)
            try keep(text)
        }
        #expect(try store.cleanUpLazyFiles(quotaBytes: 100) == 3)
        #expect(try names("files") == [checksum("two").hex, checksum("three").hex])
    }

    @Test func aDownloadThatCanGoOnStaysAndOthersGo() throws {
        try install(1, "named")
        for text in ["named", "other"] {
            try Data("n".utf8).write(to: store.partialFile(checksum(text)))
        }
        #expect(try store.cleanUpLazyFiles(quotaBytes: 0) == 0)
        #expect(try names("partial") == [checksum("named").hex])
    }

    @Test func aFileWithoutItsRowStaysOnlyWhereAReleaseNamesIt() throws {
        try install(1, "named")
        for text in ["named", "other"] {
            try fixture.folder.write(text, to: "store/files/" + checksum(text).hex)
        }
        #expect(try store.cleanUpLazyFiles(quotaBytes: 0) == 0)
        #expect(try names("files") == [checksum("named").hex])
        #expect(try store.lazyFile(checksum("named")) != nil)
    }

    @Test func theQuotaIsKeptExactly() throws {
        try install(1, "aaaa", "bbbb", "cccc")
        for (second, text) in ["cccc", "aaaa", "bbbb"].enumerated() {
            try keep(text, at: Double(second))
        }
        #expect(try store.cleanUpLazyFiles(quotaBytes: 12) == 0)
        #expect(try store.cleanUpLazyFiles(quotaBytes: 11) == 4)
        #expect(try names("files") == [checksum("aaaa").hex, checksum("bbbb").hex])
        #expect(try store.cleanUpLazyFiles(quotaBytes: 0) == 8)
        #expect(try names("files").isEmpty)
    }

    @Test func aDamagedManifestNamesNoFile() throws {
        try install(1, "clip")
        try keep("clip")
        try store.database.write { try $0.execute(sql: "UPDATE generation SET manifest = x'7b'") }
        #expect(try store.cleanUpLazyFiles(quotaBytes: 100) == 4)
        #expect(try store.lazyFile(checksum("clip")) == nil)
    }

    @Test func aFolderThatCannotBeWrittenIsAnErrorOfStorage() throws {
        try fixture.folder.remove("store/files")
        try fixture.folder.write("in the way", to: "store/files")
        let error = #expect(throws: StoreError.self) { try keep("clip") }
        #expect(error?.code == .storage)
        expectPlain(error)
        #expect(try store.lazyFile(checksum("clip")) == nil)
        #expect(try store.damagedLazyFiles().isEmpty)
        // The download is still there.
        #expect(try names("partial") == [checksum("clip").hex])
    }
}
