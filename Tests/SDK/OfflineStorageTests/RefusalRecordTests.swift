import ContentModel
import Foundation
import TestSupport
import Testing

@testable import OfflineStorage

/// What a store records of the parts of a release that it did not install.
@Suite struct RefusalRecordTests {
    private struct Refusal: Error, CustomStringConvertible { var description: String }

    private let fixture: StoreFixture
    private var store: OfflineStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    private func install(
        _ release: MemoryRelease, undelivered: [Checksum: String] = [:],
        decoder: @escaping ContentDecoder = { _, _ in }
    ) throws {
        try release.install(
            in: store, now: fixture.now, undelivered: undelivered, decoder: decoder)
    }

    private static func refusing(_ text: String, _ reason: String = "new") -> ContentDecoder {
        { _, bytes in
            if bytes == Array(text.utf8) { throw Refusal(description: reason) }
        }
    }

    // MARK: Entries that cannot be read

    /// A release with assets whose entries say a size that no file has.
    private func installUnreadable(_ release: Int, count: Int, and path: String) throws {
        var contents = MemoryRelease(release, StoreFixture.blueprint())
        for number in 1...count { contents = contents.asset("a\(number)", "x") }
        try contents.asset(path, "x")
            .install(in: store, now: fixture.now, replacing: "\"size\":1}", by: "\"size\":-1}")
    }

    @Test func unreadableEntriesAreNamedUpToALimitAndAllAreCounted() throws {
        let limit = ContentLimits.unreadEntriesListed
        try installUnreadable(1, count: limit + 30, and: "z.json")
        #expect(try store.refusedDocuments().count == limit)
        #expect(try store.refusedDocumentCount() == limit + 31)
        let error = #expect(throws: StoreError.self) { try store.asset("z.json") }
        #expect(error?.message.contains("one of 31 further entries") == true)
        #expect(try fixture.key() == "a")
    }

    @Test func theEntryOfADocumentThatIsShownIsAlwaysNamed() throws {
        try install(MemoryRelease(1).asset("z.json", "old"))
        let limit = ContentLimits.unreadEntriesListed
        try installUnreadable(2, count: limit + 30, and: "z.json")
        #expect(try store.namedRefusals().contains { $0.key == "z.json" && $0.shownRelease == 1 })
        #expect(try store.refusedDocuments().count == limit)
        #expect(try store.refusedDocumentCount() == limit + 31)
        let shown = try store.asset("z.json")
        #expect(shown.value == Array("old".utf8))
        #expect(shown.freshness.release == 1 && shown.freshness.refused?.release == 2)
    }

    @Test func listsOfFilesAreRefusedOnceANameAndHaveNoKind() throws {
        var release = MemoryRelease(1, StoreFixture.blueprint())
        release.manifest.languages["es"]?.audio = FileList(
            files: ["a.mp3", "b.mp3"].map {
                FileReference(name: $0, checksum: Checksum(of: []), size: 7)
            })
        try release.install(
            in: store, now: fixture.now, replacing: "\"size\":7}", by: "\"size\":-1}")
        let refused = try store.refusedDocuments()
        #expect(refused.map(\.kind) == [nil] && refused.map(\.key) == ["es"])
        #expect(refused.first?.description.hasPrefix("files \"es\" of release 1:") == true)
        #expect(try store.refusedDocumentCount() == 1)
        #expect(try fixture.key() == "a")
    }

    // MARK: Names and reasons

    @Test func aLongNameKeepsItsPredecessor() throws {
        let path = "assets/" + String(repeating: "n", count: 240) + "/rules.json"
        try install(MemoryRelease(1).asset(path, "old"))
        try install(MemoryRelease(2).asset(path, "new"), decoder: Self.refusing("new"))
        let shown = try store.asset(path)
        #expect(shown.value == Array("old".utf8) && shown.freshness.refused?.release == 2)
        // The same bytes are not fetched again either.
        #expect(try store.withoutRefused(MemoryRelease(2).asset(path, "new").documents).isEmpty)
    }

    @Test func namesTooLongForAnyFileAreClippedAndStayDifferent() throws {
        let name = String(repeating: "é", count: 400)
        try install(
            MemoryRelease(1, StoreFixture.blueprint()).asset(name + "1", "x")
                .asset(name + "2", "x"))
        let keys = try store.refusedDocuments().map(\.key)
        #expect(Set(keys).count == 2)
        for key in keys { #expect(key.utf8.count <= ContentPath.bytesMax && key.hasPrefix("éé")) }
    }

    @Test func aLongReasonIsClippedToWholeCharacters() throws {
        let reason = String(repeating: "🂡", count: 300)
        try install(MemoryRelease(1).asset("a", "x"), decoder: Self.refusing("x", reason))
        let clipped = try #require(try store.refusedDocuments().first?.reason)
        #expect(clipped == String(repeating: "🂡", count: 124) + "…")
    }

    @Test(arguments: [("abcd", 4, "abcd"), ("abcde", 4, "a…"), ("aéb", 4, "aéb"), ("éée", 4, "…")])
    func clippingCountsBytes(text: String, bytesMax: Int, expected: String) {
        #expect(text.clipped(to: bytesMax) == expected)
    }

    // MARK: What is fetched again

    @Test func onlyTheSameBytesUnderTheSameNameAreNotFetchedAgain() throws {
        try install(
            MemoryRelease(1).asset("a", "x").asset("b", "y"), decoder: Self.refusing("x"))
        let next = MemoryRelease(2).asset("a", "x").asset("b", "x").asset("c", "x").documents
        #expect(try store.withoutRefused(next).map(\.key) == ["b", "c"])
        let changed = MemoryRelease(2).asset("a", "z").documents
        #expect(try store.withoutRefused(changed) == changed)
        try store.liftBans()
        #expect(try store.withoutRefused(next) == next)
    }

    @Test func aDocumentThatDidNotArriveIsTriedAgain() throws {
        try install(MemoryRelease(1).asset("a", "old"))
        let second = MemoryRelease(2).asset("a", "new").asset("b", "other")
        let late = Checksum(of: Array("new".utf8))
        let lost = Checksum(of: Array("other".utf8))
        try install(second, undelivered: [late: "timed out", lost: "404"])
        #expect(try store.asset("a").value == Array("old".utf8))
        let refused = try store.refusedDocuments()
        #expect(refused.map(\.reason) == ["timed out", "404"])
        #expect(refused.allSatisfy(\.isTriedAgain) && refused.map(\.shownRelease) == [1, nil])
        let error = #expect(throws: StoreError.self) { try store.asset("b") }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("It is not here yet") == true)
        #expect(try store.withoutRefused(second.documents) == second.documents)
        try install(second)
        #expect(try store.refusedDocumentCount() == 0)
        #expect(try store.asset("a").freshness.refused == nil)
        #expect(try store.asset("b").value == Array("other".utf8))
    }

    /// Nobody promised that the other documents come later.
    @Test func aMissingDocumentWithoutAReasonStopsTheInstallation() throws {
        try install(MemoryRelease(1).asset("a", "old"))
        let second = MemoryRelease(2).asset("a", "new")
        let manifest = second.manifest.canonicalBytes
        let error = #expect(throws: StoreError.self) {
            try store.install(
                VerifiedManifest(verifying: manifest), source: .downloaded, now: fixture.now,
                undelivered: [Checksum(of: [1]): "another one"])
        }
        #expect(error?.code == .incomplete && error?.message.contains("asset \"a\"") == true)
        #expect(try store.installedReleases == [1])
    }

    // MARK: Predecessors

    @Test func thePredecessorKeepsItsOriginThroughFurtherReleases() throws {
        let bundle = try MemoryRelease(1).asset("a", "bundled").bundle(in: fixture.folder)
        try store.installBundle(bundle, now: fixture.now - 500)
        for release in 2...4 {
            try install(
                MemoryRelease(release).asset("a", "new").asset("b", "\(release)"),
                decoder: Self.refusing("new"))
        }
        let freshness = try store.asset("a").freshness
        #expect(freshness.source == .bundled && freshness.release == 1)
        #expect(freshness.installedAt == fixture.now - 500)
        #expect(freshness.refused?.release == 2 && freshness.refused?.shownRelease == 1)
        #expect(try store.asset("b").freshness.source == .downloaded)
    }

    // MARK: The app's decoder

    @Test func theAppIsAskedOnceForEachDocument() throws {
        var asked: [[String]] = []
        for release in 1...3 {
            let keys = Recorded<String>()
            try install(
                MemoryRelease(release, StoreFixture.blueprint()).asset("a", "\(release / 2)")
            ) { document, _ in keys.append(document.key) }
            asked.append(keys.values.sorted())
        }
        #expect(asked == [["a", "es"], ["a"], []])
    }

    @Test func aVetoOfTheLastDocumentUndoesTheFirst() throws {
        try install(MemoryRelease(1).asset("a", "1"), decoder: Self.refusing("1"))
        let next = MemoryRelease(2, StoreFixture.blueprint()).asset("z", "2")
        let error = #expect(throws: StoreError.self) {
            try install(next) { document, _ in
                if document.key == "z" { throw ReleaseVetoError("stop") }
            }
        }
        #expect(error?.code == .vetoed)
        #expect(error?.message.contains("asset \"z\": stop") == true)
        #expect(try store.refusedDocuments().map(\.key) == ["a"])
        let indexed = try store.database.read { try $0.hasRows("question") }
        #expect(!indexed)
        let again = #expect(throws: StoreError.self) { try install(next) }
        #expect(again?.code == .banned && again?.message == error?.message)
        #expect(try store.installedReleases == [1])
    }

    // MARK: Parts left out

    @Test func partsLeftOutAreCountedByDocument() throws {
        try install(
            MemoryRelease(1, StoreFixture.blueprint()).texts("{\"a\":\"A\",\"b\":1,\"c\":[]}")
                .announcements("{\"announcements\":[{\"identifier\":1,\"type\":\"hologram\"}]}"))
        let partial = try store.partialDocuments()
        #expect(partial.map(\.kind) == [.announcements, .localization])
        #expect(partial.map(\.leftOutCount) == [1, 2])
        #expect(partial.last?.description.hasPrefix("2 of localization \"es\": ") == true)
        #expect(try store.localization(language: "es").freshness.leftOutCount == 2)
        #expect(try store.localization(language: "es").value.strings == ["a": "A"])
        #expect(try store.announcements().freshness.leftOutCount == 1)
        #expect(try store.blueprint(.placement(language: "es")).freshness.leftOutCount == 0)
        try install(MemoryRelease(2).texts("{\"a\":\"A\"}"))
        #expect(try store.partialDocuments().isEmpty)
    }
}

extension MemoryRelease {
    fileprivate var documents: [EagerDocument] { manifest.eagerDocuments }
}
