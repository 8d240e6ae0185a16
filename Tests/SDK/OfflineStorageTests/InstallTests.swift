import ContentModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import OfflineStorage

@Suite struct InstallTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func install(_ manifest: [UInt8], decoder: @escaping ContentDecoder = { _, _ in })
        throws
    {
        try fixture.store.install(
            VerifiedManifest(verifying: manifest), source: .downloaded, now: fixture.now,
            decoder: decoder)
    }

    @Test func anEmptyStoreSaysSo() throws {
        #expect(try fixture.store.currentGeneration() == nil)
        let error = #expect(throws: StoreError.self) {
            try fixture.store.blueprint(.placement(language: "es"))
        }
        #expect(error?.code == .notFound)
    }

    @Test func whatWasInstalledIsAnswered() throws {
        try install(
            fixture.stage(release: 3, [StoreFixture.blueprint(), StoreFixture.blueprint("de/aws")]))
        let answer = try fixture.store.blueprint(.placement(language: "es"))
        #expect(answer.value == StoreFixture.blueprint())
        #expect(
            answer.freshness
                == ContentFreshness(source: .downloaded, release: 3, installedAt: fixture.now))
        #expect(answer.freshness.age(now: fixture.now + 60) == 60)
        #expect(answer.freshness.age(now: fixture.now - 60) == 0)
    }

    @Test func oneQueryAnswersRegionExamDomainAndDifficulty() throws {
        try install(
            fixture.stage(release: 1, [StoreFixture.blueprint(), StoreFixture.blueprint("de/aws")]))
        let bank = QuestionFilter.Bank.exam(region: "de", exam: "aws")
        let all = try fixture.store.questions(QuestionFilter(bank)).value
        #expect(all == StoreFixture.blueprint("de/aws").questions)
        let some = try fixture.store.questions(QuestionFilter(bank, domain: "net", difficulty: 2))
            .value
        #expect(some == all.filter { $0.difficulty == 2 })
        #expect(try fixture.store.questions(QuestionFilter(bank, domain: "none")).value.isEmpty)
        #expect(throws: StoreError.self) {
            try fixture.store.questions(QuestionFilter(.exam(region: "us", exam: "aws")))
        }
    }

    /// The query is answered by the index, not by reading every question.
    @Test func theQueryUsesTheIndex() throws {
        let plan = try fixture.store.database.read { database in
            try String.fetchAll(
                database,
                sql: """
                    EXPLAIN QUERY PLAN SELECT json FROM question
                    WHERE blueprint = 'x' AND (2 IS NULL OR difficulty = 2) ORDER BY position
                    """, adapter: SuffixRowAdapter(fromIndex: 3))
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH question") }, "\(plan)")
    }

    @Test func aReleaseThatLacksABlobIsNotInstalled() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        let manifest = try fixture.stage(
            release: 2, [StoreFixture.blueprint(key: 1), StoreFixture.blueprint("de/aws")],
            leavingOut: ["de/aws"])
        let error = #expect(throws: StoreError.self) { try install(manifest) }
        #expect(error?.code == .incomplete)
        #expect(try fixture.store.currentGeneration()?.freshness.release == 1)
        #expect(try fixture.key() == "a")
    }

    @Test func theGenerationBeforeIsKept() throws {
        for release in 1...3 {
            try install(fixture.stage(release: release, [StoreFixture.blueprint(key: release % 2)]))
        }
        let generations = try fixture.store.generations()
        #expect(generations.map(\.freshness.release) == [3, 2])
        #expect(generations.map(\.freshness.isFallback) == [false, true])
    }

    @Test func blobsThatNoGenerationNamesAreRemoved() throws {
        for release in 1...3 {
            try install(fixture.stage(release: release, [StoreFixture.blueprint("l\(release)")]))
        }
        try fixture.store.removeOrphans()
        let count = try fixture.store.database.read {
            try [
                Int.fetchOne($0, sql: "SELECT count(*) FROM blob") ?? 0,
                Int.fetchOne($0, sql: "SELECT count(*) FROM question") ?? 0,
            ]
        }
        #expect(count == [2, 12])
    }

    // MARK: Damage

    @Test func damageToACurrentQuestionFallsBackAndAsksForRepair() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        try install(fixture.stage(release: 2, [StoreFixture.blueprint(key: 1)]))
        try fixture.store.set("schedule", "1\t2\t3")
        let current = StoreFixture.blueprint(key: 1).json.canonicalBytes
        try fixture.store.database.write { database in
            try database.execute(
                sql: "UPDATE blob SET bytes = x'00' WHERE checksum = ?",
                arguments: [Checksum(of: current).hex])
        }
        let answer = try fixture.store.blueprint(.placement(language: "es"))
        #expect(answer.freshness.release == 1 && answer.freshness.isFallback)
        #expect(fixture.store.needsRepair)
        #expect(try fixture.store.damagedBlobs() == [Checksum(of: current)])
        try fixture.store.prepareForSync(now: fixture.now)
        #expect(try fixture.store.setting("schedule") == nil)
        #expect(!fixture.store.needsRepair)
        // What a repair does: the right bytes again, then the same manifest again.
        let manifest = try fixture.stage(release: 2, [StoreFixture.blueprint(key: 1)])
        try install(manifest)
        try fixture.store.refileQuestions()
        #expect(try fixture.key() == "b")
        #expect(try fixture.store.generations().map(\.freshness.release) == [2, 1])
    }

    private static let count = "SELECT count(*) FROM question"

    @Test func questionRowsThatAreWrongAreFiledAgain() throws {
        try install(fixture.stage(release: 1, [StoreFixture.blueprint()]))
        try fixture.store.database.write {
            try $0.execute(sql: "DELETE FROM question WHERE position = 2")
        }
        let filter = QuestionFilter(.placement(language: "es"))
        #expect(try fixture.store.questions(filter).value == StoreFixture.blueprint().questions)
        #expect(fixture.store.needsRepair)
        let count = { try fixture.store.database.read { try Int.fetchOne($0, sql: Self.count) } }
        #expect(try count() == 5)
        try fixture.store.refileQuestions()
        #expect(try count() == 6)
        #expect(try fixture.store.questions(filter).value == StoreFixture.blueprint().questions)
    }

    @Test func aDatabaseThatIsNoneIsSetAside() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(repeating: 0x41, count: 8192), to: "store/content.sqlite")
        let store = try OfflineStore(folder: folder.url.appending(path: "store"))
        #expect(try store.currentGeneration() == nil)
        #expect(store.needsRepair && store.access == .readWrite)
        #expect(try folder.read("store/content.sqlite") == Array(repeating: 0x41, count: 8192))
        #expect(folder.exists("store/content.2.sqlite"))
    }

    @Test func rollingBackToTheLastGoodReleaseSwapsThem() throws {
        let first = try fixture.stage(release: 1, [StoreFixture.blueprint()])
        try install(first)
        try install(fixture.stage(release: 2, [StoreFixture.blueprint(key: 1)]))
        try install(first)
        #expect(try fixture.store.generations().map(\.freshness.release) == [1, 2])
    }
}
