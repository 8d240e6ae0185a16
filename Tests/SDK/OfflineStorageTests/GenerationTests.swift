import ContentModel
import Foundation
import GRDB
import Testing

@testable import OfflineStorage

/// Two generations, their blobs and bans.
@Suite struct GenerationTests {
    private let fixture: StoreFixture
    private var store: OfflineStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    private func release(_ number: Int) -> MemoryRelease {
        MemoryRelease(number, StoreFixture.blueprint(key: number % 2)).asset("a", "\(number)")
    }

    private func install(_ number: Int, at seconds: Double = 0) throws {
        try release(number).install(in: store, now: fixture.now + seconds)
    }

    private func checksum(_ text: String) -> Checksum { Checksum(of: Array(text.utf8)) }

    // MARK: Places

    @Test func theCurrentReleaseInstalledAgainKeepsItsTimeAndPlace() throws {
        try install(1)
        try install(2)
        let before = try store.generations()
        try install(2, at: 60)
        #expect(try store.generations() == before)
    }

    @Test func aReleaseThatComesBackIsNewAndPushesOutNone() throws {
        for (second, number) in [1, 2, 1, 3].enumerated() {
            try install(number, at: Double(second))
        }
        let generations = try store.generations()
        #expect(generations.map(\.freshness.release) == [3, 1])
        #expect(
            generations.map(\.freshness.installedAt) == [fixture.now + 3, fixture.now + 2])
        #expect(
            generations.map(\.manifestChecksum)
                == [3, 1].map { Checksum(of: release($0).manifest.canonicalBytes) })
    }

    @Test func anInstallationThatFailsChangesNothing() throws {
        try install(1)
        try install(2)
        let before = try store.database.read { try Self.tables($0) }
        try store.database.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER stop BEFORE UPDATE OF unlistedRefusals ON generation
                    BEGIN SELECT RAISE(ABORT, 'stop'); END
                    """)
        }
        let next = release(3)
        let error = #expect(throws: StoreError.self) {
            try next.install(in: store, now: fixture.now)
        }
        #expect(error?.code == .damaged)
        try store.database.write { try $0.execute(sql: "DROP TRIGGER stop") }
        try store.removeOrphans()
        #expect(try store.database.read { try Self.tables($0) } == before)
    }

    private static func tables(_ database: Database) throws -> [Set<Row>] {
        try ["generation", "entry", "blob", "question", "refusal", "ban"].map {
            try Row.fetchSet(database, sql: "SELECT * FROM \($0)")
        }
    }

    // MARK: Blobs

    @Test func stagedBlobsArePresentUntilOrphansAreRemoved() throws {
        try install(1)
        try store.stage([7], as: Checksum(of: [7]))
        let all = [Checksum(of: [7]), Checksum(of: [8]), checksum("1")]
        #expect(try store.present(all) == [Checksum(of: [7]), checksum("1")])
        try store.removeOrphans()
        #expect(try store.present(all) == [checksum("1")])
    }

    @Test func stagingReplacesDamagedBytes() throws {
        try install(1)
        try install(2)
        try store.database.write { try $0.execute(sql: "UPDATE blob SET bytes = x'00'") }
        let ofCurrent = Set(release(2).manifest.eagerDocuments.map(\.checksum))
        #expect(try Set(store.damagedBlobs()) == ofCurrent)
        try store.stage(Array("2".utf8), as: checksum("2"))
        #expect(try store.asset("a").value == Array("2".utf8))
        #expect(try !store.damagedBlobs().contains(checksum("2")))
    }

    @Test func aDamagedBlobOfTwoNamesIsFetchedOnce() throws {
        try MemoryRelease(1).asset("a", "x").asset("b", "x").install(in: store, now: fixture.now)
        try store.database.write { try $0.execute(sql: "UPDATE blob SET bytes = x'00'") }
        #expect(try store.damagedBlobs() == [checksum("x")])
    }

    // MARK: Bans

    @Test func aBanStopsItsReleaseAloneUntilItIsLifted() throws {
        try install(1)
        let banned = Checksum(of: release(2).manifest.canonicalBytes)
        for reason in ["first", "second"] {
            try store.ban(banned, reason: reason, now: fixture.now)
        }
        #expect(try store.banReason(banned) == "second")
        let error = #expect(throws: StoreError.self) { try install(2) }
        #expect(error?.code == .banned && error?.message.hasPrefix("second ") == true)
        try install(3)
        #expect(try store.installedReleases == [3, 1])
        try store.set("schedule", "tomorrow")
        try store.liftBans()
        // The next sync asks at once.
        #expect(try store.banReason(banned) == nil && store.setting("schedule") == nil)
        try install(2)
        #expect(try store.installedReleases == [2, 3])
    }

    @Test func aSettingIsReplaced() throws {
        #expect(try store.setting("name") == nil)
        for value in ["one", "two"] { try store.set("name", value) }
        #expect(try fixture.reopened().setting("name") == "two")
    }
}
