import ContentModel
import Foundation
import GRDB
import Testing

@testable import OfflineStorage

/// What becomes of a document that this version of the app cannot read.
@Suite struct DocumentVetoTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func install(
        _ manifest: [UInt8], in store: OfflineStore? = nil, now: Date? = nil,
        decoder: @escaping ContentDecoder = { _, _ in }
    ) throws {
        try (store ?? fixture.store).install(
            VerifiedManifest(verifying: manifest), source: .downloaded, now: now ?? fixture.now,
            decoder: decoder)
    }

    private func answer(_ language: String = "es") throws -> Fresh<Blueprint> {
        try fixture.store.blueprint(.placement(language: language))
    }

    private static func refusing(_ keys: String...) -> ContentDecoder {
        struct TooNew: Error {}
        return { document, _ in if keys.contains(document.key) { throw TooNew() } }
    }

    @Test(arguments: [
        "not json", "{}", "{\"kind\":\"placement\",\"id\":\"fr\",\"title\":\"t\",\"questions\":[]}",
        "{\"kind\":\"survey\",\"id\":\"es\",\"title\":\"t\",\"questions\":[]}",
    ])
    func itsPredecessorStaysAndTheRestIsInstalled(text: String) throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        let manifest = try fixture.stage(
            release: 2, [StoreFixture.blueprint(), StoreFixture.blueprint("de", key: 1)],
            replacing: ["es": Array(text.utf8)])
        try install(manifest, now: fixture.now + 60)
        #expect(try fixture.key() == "a" && fixture.key("de") == "b")
        let freshness = try answer().freshness
        #expect(freshness.release == 1 && freshness.isFallback)
        #expect(freshness.installedAt == fixture.now)
        #expect(freshness.refused?.release == 2)
        #expect(try answer("de").freshness.refused == nil)
        #expect(try fixture.store.currentGeneration()?.freshness.release == 2)
        let refused = try fixture.store.refusedDocuments()
        #expect(refused.map(\.key) == ["es"] && refused[0].shownRelease == 1)
        #expect(refused[0].refusedAt == fixture.now + 60)
        #expect(try fixture.store.banReason(Checksum(of: manifest)) == nil)
        // Its bytes are of no use; the predecessor's are.
        try fixture.store.removeOrphans()
        #expect(try fixture.store.present([Checksum(of: Array(text.utf8))]).isEmpty)
        #expect(try fixture.key() == "a")
    }

    @Test func aPredecessorStaysThroughManyReleases() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        for release in 2...6 {
            let manifest = try fixture.stage(
                release: release,
                [StoreFixture.blueprint(), StoreFixture.blueprint("de", key: release % 2)],
                replacing: ["es": Array("later \(release / 4)".utf8)])
            try install(manifest, now: fixture.now + Double(release))
            try fixture.store.removeOrphans()
            #expect(try fixture.key() == "a")
            #expect(try answer().freshness.release == 1)
        }
        // The bytes of release 4 were refused then, and not judged again.
        #expect(try fixture.store.refusedDocuments().map(\.release) == [4])
        try install(fixture.stage(release: 7, [StoreFixture.blueprint(key: 1)]))
        #expect(try fixture.key() == "b")
        #expect(try fixture.store.refusedDocuments().isEmpty)
        #expect(try answer().freshness.refused == nil)
    }

    @Test func withoutAPredecessorTheReasonIsGiven() throws {
        try install(
            fixture.stage(
                release: 3, [StoreFixture.blueprint(), StoreFixture.blueprint("de")],
                replacing: ["es": [1]]))
        #expect(try fixture.key("de") == "a")
        let error = #expect(throws: StoreError.self) { try answer() }
        #expect(error?.code == .notFound)
        #expect(
            error?.message.contains(
                "Update the app: this version cannot read the blueprint \"es\" of release 3")
                == true)
        #expect(try fixture.store.refusedDocuments().map(\.shownRelease) == [nil])
    }

    @Test func theAppsDecoderRefusesOneDocument() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        let manifest = try fixture.stage(
            release: 2, [StoreFixture.blueprint(key: 1), StoreFixture.blueprint("de")])
        try install(manifest, decoder: Self.refusing("es"))
        #expect(try fixture.key() == "a" && fixture.key("de") == "a")
        #expect(try fixture.store.refusedDocuments()[0].reason.contains("TooNew"))
        // This version judges the same bytes no more, a newer one does.
        try install(manifest)
        #expect(try fixture.key() == "a")
        let newer = try fixture.reopened(appVersion: "2")
        #expect(try newer.refusedDocuments().map(\.isTriedAgain) == [true])
        try install(manifest, in: newer)
        #expect(try newer.refusedDocuments().isEmpty)
        #expect(try fixture.key() == "b")
    }

    @Test func theAppsDecoderMayRefuseTheWholeRelease() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        let manifest = try fixture.stage(release: 2, [StoreFixture.blueprint(key: 1)])
        let error = #expect(throws: StoreError.self) {
            try install(manifest) { _, _ in throw ReleaseVetoError("needs version 4") }
        }
        #expect(error?.code == .vetoed && error?.message.contains("needs version 4") == true)
        #expect(try fixture.store.currentGeneration()?.freshness.release == 1)
        let reason = try #require(try fixture.store.banReason(Checksum(of: manifest)))
        #expect(error?.message == "\(reason) Wait for a newer release, or update the app.")
        #expect(error?.cause as? ReleaseVetoError == ReleaseVetoError("needs version 4"))
        // A newer app may be able to read it.
        let newer = try fixture.reopened(appVersion: "2")
        try install(manifest, in: newer)
        #expect(try newer.currentGeneration()?.freshness.release == 2)
    }

    @Test func theSameBytesUnderAnotherNameAreJudgedAnew() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        let bytes = StoreFixture.blueprint().json.canonicalBytes
        let manifest = try fixture.stage(
            release: 2, [StoreFixture.blueprint(), StoreFixture.blueprint("fr")],
            replacing: ["fr": bytes])
        try install(manifest)
        #expect(try fixture.store.refusedDocuments().map(\.key) == ["fr"])
    }

    @Test func damageToTheNotesHidesNoDocument() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        try install(
            fixture.stage(release: 2, [StoreFixture.blueprint(key: 1)], replacing: ["es": [1]]))
        try fixture.store.database.write { database in
            try database.execute(sql: "DROP TABLE refusal")
            try database.execute(sql: "DROP TABLE omission")
        }
        #expect(try fixture.key() == "a")
        #expect(throws: StoreError.self) { try answer("fr") }
    }

    @Test func aCrashingReleaseTakesItsRefusalsWithIt() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        let manifest = try fixture.stage(
            release: 2, [StoreFixture.blueprint(key: 1)], replacing: ["es": [1]])
        try install(manifest)
        for _ in 0..<OfflineStore.crashesMax {
            _ = try fixture.store.beginStart(now: fixture.now)
            try fixture.store.willShowFirstScreen()
        }
        #expect(try fixture.store.beginStart(now: fixture.now) != nil)
        #expect(try fixture.store.refusedDocuments().isEmpty)
        #expect(try answer().freshness.isFallback == false)
    }

    // MARK: What is left out of a document

    @Test func questionsOfALaterTypeAreLeftOutUntilAVersionKnowsThem() throws {
        let text = String(decoding: StoreFixture.blueprint().json.canonicalBytes, as: UTF8.self)
        let later = text.replacing("single-choice", with: "drag", maxReplacements: 2)
        try install(
            fixture.stage(
                release: 1, [StoreFixture.blueprint()], replacing: ["es": Array(later.utf8)]))
        let found = try answer()
        #expect(found.value.questions.count == 4 && found.value.leftOutCount == 2)
        #expect(found.freshness.leftOutCount == 2)
        let partial = try fixture.store.partialDocuments()
        #expect(partial.map(\.leftOutCount) == [2] && partial[0].reason.contains("drag"))
        #expect(
            try fixture.store.questions(QuestionFilter(.placement(language: "es"))).value.count == 4
        )
        // As an older version would have filed it, which knew one question less.
        try fixture.store.database.write { database in
            try database.execute(sql: "DELETE FROM question WHERE position = 3")
            try database.execute(sql: "UPDATE omission SET leftOutCount = 3")
        }
        let newer = try fixture.reopened(appVersion: "2")
        #expect(
            try newer.questions(QuestionFilter(.placement(language: "es"))).value.count == 4)
        #expect(try newer.partialDocuments().map(\.leftOutCount) == [2])
    }
}
