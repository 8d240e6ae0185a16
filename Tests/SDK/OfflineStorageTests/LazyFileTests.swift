import ContentModel
import Foundation
import OfflineStorage
import Testing

@Suite struct LazyFileTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func keep(_ text: String, at seconds: TimeInterval) throws -> Checksum {
        let checksum = Checksum(of: Array(text.utf8))
        let partial = fixture.store.partialFile(checksum)
        try Data(text.utf8).write(to: partial)
        _ = try fixture.store.keepLazyFile(
            partial, as: checksum, size: text.utf8.count, now: fixture.now + seconds)
        return checksum
    }

    private func installManifest(naming checksums: [Checksum]) throws {
        let files = checksums.map { FileReference(name: $0.hex, checksum: $0, size: 4) }
        let manifest = Manifest(
            release: 1, languages: ["es": LanguageEntry(audio: FileList(files: files))])
        try fixture.store.install(
            VerifiedManifest(verifying: manifest.canonicalBytes), source: .downloaded,
            now: fixture.now)
    }

    private func isHere(_ checksum: Checksum) throws -> Bool {
        try fixture.store.lazyFile(checksum, now: fixture.now + 1000) != nil
    }

    @Test func whatWasNotUsedForLongestGoesFirst() throws {
        let files = try ["aaaa", "bbbb", "cccc"].enumerated().map {
            try keep($0.element, at: Double($0.offset))
        }
        try installManifest(naming: files)
        // The oldest is used again, so the second is now the oldest.
        _ = try fixture.store.lazyFile(files[0], now: fixture.now + 10)
        #expect(try fixture.store.cleanUpLazyFiles(quotaBytes: 8) == 4)
        #expect(try files.map(isHere) == [true, false, true])
    }

    @Test func filesThatNoGenerationNamesGo() throws {
        let named = try keep("aaaa", at: 0)
        let orphan = try keep("bbbb", at: 1)
        try installManifest(naming: [named])
        try Data("x".utf8).write(to: fixture.store.partialFile(Checksum(of: [9])))
        #expect(try fixture.store.cleanUpLazyFiles(quotaBytes: 1000) == 4)
        #expect(try [isHere(named), isHere(orphan)] == [true, false])
        #expect(
            !FileManager.default.fileExists(
                atPath: fixture.store.partialFile(Checksum(of: [9])).path))
    }

    @Test func damageIsFound() throws {
        let whole = try keep("aaaa", at: 0)
        let damaged = try keep("bbbb", at: 0)
        let file = try #require(try fixture.store.lazyFile(damaged, now: fixture.now))
        try Data("bbbX".utf8).write(to: file)
        #expect(try fixture.store.damagedLazyFiles() == [damaged])
        try fixture.store.discardLazyFile(damaged)
        #expect(try [isHere(whole), isHere(damaged)] == [true, false])
    }
}
