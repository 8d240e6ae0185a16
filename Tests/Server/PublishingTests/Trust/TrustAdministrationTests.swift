import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// The signing of a release directory.
@Suite struct TrustAdministrationTests {
    private let library: Library
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        library = try Library(["es"])
        try library.publish()
    }

    private func administration(days: Double = 0) -> TrustAdministration {
        TrustAdministration(releaseDirectory: library.release, now: now + days * 86_400)
    }

    private var keys: KeyFolder { KeyFolder(library.folder.path + "/keys") }

    private func begin(_ plan: TrustAdministration.Plan = .init()) throws {
        _ = try administration().begin(keys: keys, plan: plan, apart: [])
    }

    @Test func aSignedReleaseIsNotPublishedWithoutKeys() throws {
        try begin()
        let before = try library.folder.read("release/manifest.json")
        try library.folder.writeBlueprint("es", key: 2)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .needsSignatures)
        #expect(error?.message.contains("--keys") == true)
        #expect(try library.folder.read("release/manifest.json") == before)
    }

    @Test func itIsBegunOnce() throws {
        try begin()
        let error = #expect(throws: PublishingError.self) {
            try administration().begin(
                keys: KeyFolder(library.folder.path + "/others"), plan: .init(), apart: [])
        }
        #expect(error?.code == .invalidRequest)
        #expect(!library.folder.exists("others"))
    }

    @Test func plansThatNobodyCanFulfilAreRefused() throws {
        for (authors, threshold) in [(0, 1), (1, 2), (1, 0), (9, 1)] {
            var plan = TrustAdministration.Plan()
            (plan.authors, plan.threshold) = (authors, threshold)
            let error = #expect(throws: PublishingError.self) { try begin(plan) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(!library.folder.exists("keys"))
    }

    @Test func theStatusSaysWhatIsToBeSigned() throws {
        #expect(try administration().status() == nil)
        try begin()
        let status = try #require(try administration().status())
        #expect(!status.needsAttention)
        #expect(status.roles.map(\.role) == TrustRole.allCases)
        #expect(status.roles.map(\.keyIDs.count) == [2, 1, 1, 1])
        for (days, short) in [
            (9.0, []), (11, [TrustRole.timestamp]), (61, [.timestamp, .snapshot]),
            (310, [.timestamp, .snapshot, .targets]), (560, TrustRole.allCases),
        ] {
            let later = try #require(try administration(days: days).status())
            #expect(
                Set(later.roles.filter(\.needsAttention).map(\.role)) == Set(short), "\(days)")
        }
    }

    @Test func whatExpiresSoonIsSignedAgainWithTheKeysAtHand() throws {
        try begin()
        #expect(try administration(days: 5).refresh(keys: keys) == [.timestamp])
        #expect(try administration(days: 70).refresh(keys: keys) == [.snapshot, .timestamp])
        #expect(
            try administration(days: 320).refresh(keys: keys) == [.targets, .snapshot, .timestamp])
        #expect(
            try administration(days: 600).refresh(keys: keys).contains(.root))
        #expect(try administration(days: 600).status()?.needsAttention == false)
    }

    @Test func aServerNeedsTheTimestampsKeyAlone() throws {
        try begin()
        try FileManager.default.createDirectory(
            atPath: library.folder.path + "/server", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            atPath: keys.path + "/timestamp-1.pem",
            toPath: library.folder.path + "/server/timestamp.pem")
        let server = KeyFolder(library.folder.path + "/server")
        #expect(try administration(days: 12).refresh(keys: server) == [.timestamp])
        #expect(try administration(days: 70).refresh(keys: server) == [.timestamp])
        // The snapshot has expired: no timestamp makes it newer.
        let error = #expect(throws: PublishingError.self) {
            try administration(days: 95).refresh(keys: server)
        }
        #expect(error?.code == .needsSignatures)
    }

    @Test func anExpiredRootIsSaidAndRenewed() throws {
        try begin()
        try library.folder.writeBlueprint("es", key: 2)
        var publisher = Publisher(
            folder: library.content, releaseDirectory: library.release)
        publisher.keys = keys.path
        let late = now + 800 * 86_400
        let error = #expect(throws: PublishingError.self) {
            try publisher.publish(
                nowSeconds: Int(late.timeIntervalSince1970), generatedAt: "t")
        }
        #expect(error?.code == .rootExpired)
        #expect(try administration(days: 800).refresh(keys: keys).contains(.root))
        let summary = try publisher.publish(
            nowSeconds: Int(late.timeIntervalSince1970), generatedAt: "t")
        #expect(summary.isNew)
        #expect(try administration(days: 800).status()?.needsAttention == false)
    }

    @Test func aKeyIsNamedByTheBeginningOfItsId() throws {
        try begin()
        let error = #expect(throws: PublishingError.self) {
            try administration().rotate(.root, replacing: nil, adds: false, keys: keys)
        }
        #expect(error?.code == .invalidRequest && error?.message.contains("--replace") == true)
        let ids = try #require(try administration().status()).roles[0].keyIDs
        _ = try administration().rotate(
            .root, replacing: String(ids[0].prefix(10)), adds: false, keys: keys)
        let next = try #require(try administration().status()).roles[0].keyIDs
        #expect(!next.contains(ids[0]) && next.contains(ids[1]) && next.count == 2)
        _ = try administration().rotate(.targets, replacing: nil, adds: true, keys: keys)
        #expect(try administration().status()?.roles.last?.keyIDs.count == 2)
    }

    @Test func withoutEnoughKeysNothingIsRotated() throws {
        try begin()
        for name in ["root-1.pem", "root-2.pem"] {
            try FileManager.default.moveItem(
                atPath: keys.path + "/" + name, toPath: library.folder.path + "/" + name)
        }
        let error = #expect(throws: PublishingError.self) {
            try administration().rotate(.targets, replacing: nil, adds: false, keys: keys)
        }
        #expect(error?.code == .needsSignatures)
        #expect(!library.folder.exists("keys/targets-2.pem"))
        #expect(!library.folder.exists("release/metadata/2.root.json"))
    }

    @Test func damagedMetadataAreNamed() throws {
        try begin()
        try FileManager.default.removeItem(atPath: library.release + "/metadata/1.root.json")
        try library.folder.write("{}", to: "release/metadata/1.root.json")
        let error = #expect(throws: PublishingError.self) { try administration().status() }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("metadata/1.root.json") == true)
    }
}
