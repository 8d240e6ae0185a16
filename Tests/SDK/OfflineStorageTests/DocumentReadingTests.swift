import ContentModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import OfflineStorage

/// Documents of each kind, from the first source that has them whole.
@Suite struct DocumentReadingTests {
    private let fixture: StoreFixture
    private let bank = QuestionFilter.Bank.placement(language: "es")

    init() throws {
        fixture = try StoreFixture()
        for release in 1...2 {
            try Self.release(release).install(in: fixture.store, now: fixture.now)
        }
    }

    private static func release(_ number: Int) -> MemoryRelease {
        MemoryRelease(number, StoreFixture.blueprint(key: number - 1))
            .texts("{\"start\":\"Start \(number)\"}")
            .asset("rules.json", "rules \(number)")
            .announcements(
                """
                {"announcements":[{"identifier":\(number),"type":"information","version":1,\
                "texts":{"en":{"title":"T","content":"C"}}}]}
                """)
    }

    /// Reads one document of each kind: the number of its release, and its freshness.
    private static let readers:
        [EagerDocument.Kind: @Sendable (OfflineStore) throws -> (Int?, ContentFreshness)] = [
            .blueprint: { store in
                let found = try store.blueprint(.placement(language: "es"))
                return (found.value.questions[0].correct[0] + 1, found.freshness)
            },
            .localization: { store in
                let found = try store.localization(language: "es")
                return (Int(found.value.strings["start"]?.suffix(1) ?? ""), found.freshness)
            },
            .asset: { store in
                let found = try store.asset("rules.json")
                return (
                    Int(String(decoding: found.value.suffix(1), as: UTF8.self)), found.freshness
                )
            },
            .announcements: { store in
                let found = try store.announcements()
                return (found.value.first?.identifier, found.freshness)
            },
        ]

    private func change(_ sql: String, _ arguments: StatementArguments = []) throws {
        try fixture.store.database.write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Lets the current generation's entry name other bytes.
    private func point(_ kind: EagerDocument.Kind, at text: String) throws {
        let checksum = Checksum(of: Array(text.utf8))
        try fixture.store.stage(Array(text.utf8), as: checksum)
        try change(
            """
            UPDATE entry SET checksum = ? WHERE kind = ? AND generation =
                (SELECT id FROM generation WHERE state = 'current')
            """, [checksum.hex, kind.rawValue])
    }

    @Test(arguments: readers.keys)
    func aDocumentIsReadFromTheFirstReleaseThatHasItWhole(kind: EagerDocument.Kind) throws {
        let read = try #require(Self.readers[kind])
        let current = try read(fixture.store)
        #expect(current.0 == 2 && current.1.release == 2 && !current.1.isFallback)
        try change(
            "UPDATE blob SET bytes = x'00' WHERE checksum IN (SELECT checksum FROM entry"
                + " JOIN generation ON generation.id = generation WHERE state = 'current')")
        let lastGood = try read(fixture.store)
        #expect(lastGood.0 == 1 && lastGood.1.release == 1 && lastGood.1.isFallback)
        #expect(fixture.store.needsRepair)
    }

    @Test(arguments: readers.keys)
    func aStoreWithoutContentNamesTheDocumentThatIsMissing(kind: EagerDocument.Kind) throws {
        let read = try #require(Self.readers[kind])
        let error = #expect(throws: StoreError.self) { try read(.inMemory()) }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("There is no \(kind)") == true)
    }

    @Test func whatANewReleaseLeftOutIsShownFromTheOneBefore() throws {
        try MemoryRelease(3, StoreFixture.blueprint("de"))
            .install(in: fixture.store, now: fixture.now)
        let found = try fixture.store.blueprint(bank)
        #expect(found.freshness.release == 2 && found.freshness.isFallback)
        #expect(!fixture.store.needsRepair)
    }

    @Test func aLostEntryIsDamageUntilTheNextSync() throws {
        try change("DELETE FROM entry WHERE generation = (SELECT max(id) FROM generation)")
        #expect(try fixture.store.asset("rules.json").freshness.release == 1)
        #expect(fixture.store.needsRepair)
        try fixture.store.prepareForSync(now: fixture.now)
        #expect(try fixture.store.asset("rules.json").freshness.release == 2)
    }

    @Test func theBankOfAnotherLanguageIsNotShown() throws {
        let other = StoreFixture.blueprint("de").json.canonicalBytes
        try point(.blueprint, at: String(decoding: other, as: UTF8.self))
        let found = try fixture.store.blueprint(bank)
        #expect(found.value.id == "es" && found.freshness.release == 1)
        #expect(fixture.store.needsRepair)
    }

    @Test func bytesOfALaterVersionAreNoDamage() throws {
        try point(.localization, at: "[]")
        let found = try fixture.store.localization(language: "es")
        #expect(found.freshness.release == 1 && found.freshness.isFallback)
        #expect(!fixture.store.needsRepair)
        try change("DELETE FROM generation WHERE state = 'lastGood'")
        let error = #expect(throws: StoreError.self) {
            try fixture.store.localization(language: "es")
        }
        #expect(error?.code == .vetoed)
        #expect(error?.message.contains("localization \"es\"") == true)
    }

    // MARK: Questions

    /// The first query reads the document, the second one the index.
    @Test(arguments: [nil, "net", "none"], [nil, 1, 2, 3, 4])
    func documentAndIndexSelectTheSameQuestions(domain: String?, difficulty: Int?) throws {
        let store = try OfflineStore.inMemory(blueprints: [StoreFixture.blueprint("de/aws")])
        let bank = QuestionFilter.Bank.exam(region: "de", exam: "aws")
        let filter = QuestionFilter(bank, domain: domain, difficulty: difficulty)
        let expected = StoreFixture.blueprint("de/aws").questions.filter { question in
            (domain ?? question.domain) == question.domain
                && (difficulty ?? question.difficulty) == question.difficulty
        }
        #expect(try store.questions(filter).value == expected)
        let checksum = Checksum(of: StoreFixture.blueprint("de/aws").json.canonicalBytes)
        #expect(store.verifiedBanks.contains(checksum))
        #expect(try store.questions(filter).value == expected)
    }

    @Test func aBankWhoseIndexIsMissingIsReadFromItsDocument() throws {
        try change("DELETE FROM question")
        let expected = StoreFixture.blueprint(key: 1).questions
        for _ in 1...2 {
            #expect(try fixture.store.questions(QuestionFilter(bank)).value == expected)
        }
        // It may not have been indexed yet.
        #expect(!fixture.store.needsRepair)
        try fixture.store.refileQuestions()
        let count = try fixture.store.database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM question")
        }
        #expect(count == expected.count)
    }

    // MARK: The manifest

    @Test func theManifestComesWithItsBytesAndFreshness() throws {
        let bytes = Self.release(2).manifest.canonicalBytes
        let found = try #require(try fixture.store.currentManifestBytes())
        #expect(found.bytes == bytes && found.checksum == Checksum(of: bytes))
        let manifest = try fixture.store.manifest()
        #expect(manifest.value == Self.release(2).manifest && manifest.freshness.release == 2)
    }

    @Test func aDamagedManifestHidesNoDocument() throws {
        try change("UPDATE generation SET manifest = x'7b7d'")
        #expect(try fixture.store.currentManifest() == nil)
        #expect(fixture.store.needsRepair)
        #expect(throws: StoreError.self) { try fixture.store.manifest() }
        #expect(try fixture.store.blueprint(bank).freshness.release == 2)
        let bundle = try MemoryRelease(1, StoreFixture.blueprint()).bundle(in: fixture.folder)
        try fixture.store.installBundle(bundle, now: fixture.now)
        #expect(try fixture.store.manifest().freshness.source == .bundled)
    }

    @Test func aManifestOfALaterSchemaIsNoDamage() throws {
        let later = Array("{\"schemaVersion\":99,\"release\":2}".utf8)
        try change(
            "UPDATE generation SET manifest = ?, manifestChecksum = ? WHERE state = 'current'",
            [Data(later), Checksum(of: later).hex])
        let error = #expect(throws: StoreError.self) { try fixture.store.manifest() }
        #expect(error?.code == .vetoed && error?.cause is ManifestError)
        #expect(!fixture.store.needsRepair)
        #expect(try fixture.store.blueprint(bank).freshness.release == 2)
    }
}
