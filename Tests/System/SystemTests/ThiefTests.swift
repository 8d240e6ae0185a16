import ContentModel
import Foundation
import OfflineStorage
import Publishing
import SyncClient
import TestSupport
import Testing

/// The table of docs/trust.md, line by line: what a thief can do with the host and with each key, and how long.
///
/// What stolen root keys below their threshold can do is in `ThresholdTests`.
@Suite struct ThiefTests {
    private func failure(_ report: SyncReport) -> SyncError.Code? {
        guard case .failed(let error) = report.outcome else { return nil }
        return error.code
    }

    private func key(_ world: SignedFleet, _ role: TrustRole) throws -> SigningKey {
        try #require(
            try world.keys.load(apart: []).first { $0.name.hasPrefix(role.rawValue) }?.key)
    }

    private func put(_ bytes: [UInt8], _ path: String, in host: String) throws {
        try? FileManager.default.removeItem(atPath: host + "/" + path)
        try Data(bytes).write(to: URL(filePath: host + "/" + path))
    }

    // MARK: The host

    @Test func theHostAloneStandsStillForFifteenDays() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        let (sync, store) = try world.device(host: host)
        let first = await sync.sync()
        #expect(first.outcome == .installed(release: 1))
        try world.publish(key: 1)
        world.days(14)
        let still = await sync.sync()
        #expect(still.outcome == .upToDate && still.confirmedUntil == first.confirmedUntil)
        world.days(1)
        #expect(failure(await sync.sync()) == .expired)
        #expect(try world.key(store) == [0])
    }

    /// Everything is delivered and signed but for one mended document: that is said at once, and its predecessor is not
    /// confirmed for longer than its own release was.
    @Test func theHostAloneKeepsADocumentBackAndIsSeen() async throws {
        let world = try SignedFleet()
        let host = try world.staticHost()
        let (sync, store) = try world.device(transport: host)
        let first = await sync.sync()
        #expect(first.outcome == .installed(release: 1))
        world.days(1)
        try world.publish(key: 1)
        let manifest = try Manifest(world.fleet.folder.read("release/manifest.json"))
        let digits = try #require(manifest.languages["es"]?.blueprint?.checksum.hex)
        for name in ["changes/", digits, "blueprints/es.json"] { host.fail(name, .status(404)) }
        for _ in 0..<2 {
            // Nothing else has changed in this release, so that it is not installed at all.
            let report = await sync.sync()
            #expect(failure(report) == .notFound, "\(report)")
            #expect(report.confirmedUntil == first.confirmedUntil)
        }
        // Another document of the next release is delivered.
        world.days(1)
        try world.fleet.folder.write(
            "{\"start\": \"new\"}", to: "content/languages/es/localization.json")
        try world.publish()
        let partly = await sync.sync()
        #expect(partly.refused.map(\.key) == ["es"], "\(partly)")
        #expect(partly.confirmedUntil == first.confirmedUntil)
        #expect(try world.key(store) == [0])
        for _ in 0..<3 {
            world.days(5)
            try world.administration.refresh(keys: world.keys)
            let report = await sync.sync()
            #expect(failure(report) != .expired)
            #expect(report.confirmedUntil == first.confirmedUntil, "\(report)")
        }
        #expect(try #require(first.confirmedUntil) < world.clock.now)
        // Once it is delivered, all is confirmed again.
        host.heal()
        let whole = await sync.sync()
        #expect(whole.refused.isEmpty && whole.outcome.isInstalledOrRepaired, "\(whole)")
        let until = try #require(whole.confirmedUntil).timeIntervalSince(world.clock.now)
        #expect((14 * 86_400...15 * 86_400).contains(until))
        #expect(try world.key(store) == [1])
    }

    /// The timestamp is shown, and what it leads to is not.
    @Test(arguments: ["snapshot.json", "targets.json", "/targets/"])
    func theHostAloneKeepsAReleaseBackAndIsSeen(part: String) async throws {
        let world = try SignedFleet()
        let host = try world.staticHost()
        let (sync, store) = try world.device(transport: host)
        let first = await sync.sync()
        world.days(1)
        try world.publish(key: 1)
        for name in ["changes/", part] { host.fail(name, .status(404)) }
        for _ in 0..<2 {
            let report = await sync.sync()
            #expect(failure(report) == .notFound, "\(report)")
            #expect(report.confirmedUntil == first.confirmedUntil)
        }
        host.heal()
        #expect(await sync.sync().outcome == .installed(release: 2))
        #expect(try world.key(store) == [1])
    }

    // MARK: Keys beside it

    @Test func theTimestampsKeyStandsStillUntilTheSnapshotExpires() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        let (sync, store) = try world.device(host: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        let thief = try key(world, .timestamp)
        let signed = try #require(try store.storedTrust().files[.timestamp])
        let version = try #require(TimestampFields(signed)).version
        let named = try #require(TimestampFields(signed)).snapshot
        try FileManager.default.removeItem(atPath: host + "/changes")
        for (index, days) in [60.0, 29, 4].enumerated() {
            world.days(days)
            let forged = MetadataDocument.timestamp(
                version: version + index + 1, expires: world.clock.now.wholeDay + 86_400,
                snapshotVersion: named)
            try put(forged.file([thief.sign(forged)]), "metadata/timestamp.json", in: host)
            let report = await sync.sync()
            if days > 4 {
                #expect(report.outcome == .upToDate, "\(report)")
            } else {
                #expect(failure(report) == .expired, "\(report)")
            }
        }
        #expect(try world.key(store) == [0])
    }

    /// With the snapshot's key too a new device gets a release that was taken back, and no other one goes back.
    @Test func theSnapshotsKeyMixesSignedReleases() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        let former = try #require(try world.administration.status()?.roles[1].version)
        world.days(1)
        try world.publish(key: 1)
        #expect(await sync.sync().outcome == .installed(release: 2))
        let version = ReleaseSteps.of(world.clock.now) + 1_000
        let expires = world.clock.now.wholeDay + 86_400
        let snapshot = MetadataDocument.snapshot(
            version: version, expires: expires, targetsVersion: former)
        let timestamp = MetadataDocument.timestamp(
            version: version, expires: expires, snapshotVersion: version)
        let host = try world.copy("host")
        try put(
            snapshot.file([key(world, .snapshot).sign(snapshot)]),
            "metadata/\(version).snapshot.json", in: host)
        try put(
            timestamp.file([key(world, .timestamp).sign(timestamp)]), "metadata/timestamp.json",
            in: host)
        try FileManager.default.removeItem(atPath: host + "/changes")
        let (new, other) = try world.device("new", host: host)
        #expect(await new.sync().outcome == .installed(release: 1))
        #expect(try world.key(other) == [0])
        let (old, _) = try world.device(host: host)
        #expect(failure(await old.sync()) == .rolledBack)
        #expect(try world.key(store) == [1])
        // Both keys are replaced: what the thief signed counts for nobody any more.
        for role in [TrustRole.timestamp, .snapshot] {
            _ = try world.administration.rotate(
                role, replacing: nil, adds: false, keys: world.keys)
        }
        let (mended, _) = try world.device("new")
        #expect(await mended.sync().outcome == .installed(release: 2))
        #expect(try world.key(other) == [1])
    }

    /// Without the authors' keys nobody makes content, whatever else was stolen.
    @Test func theAuthorsKeysDecideOfContent() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        let folder = world.fleet.folder
        try FileManager.default.copyItem(
            atPath: folder.path + "/keys", toPath: folder.path + "/stolen")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/stolen")
        for name in names where name.hasPrefix("root") { try folder.remove("stolen/" + name) }
        // All keys but the root's: everything.
        try world.publish(key: 2, keys: "stolen")
        #expect(await sync.sync().outcome == .installed(release: 2))
        for name in names where name.hasPrefix("targets") { try folder.remove("stolen/" + name) }
        let error = #expect(throws: PublishingError.self) {
            try world.publish(key: 1, keys: "stolen")
        }
        #expect(error?.code == .needsSignatures)
        #expect(await sync.sync().outcome == .upToDate)
        #expect(try world.key(store) == [2])
    }
}

/// The numbers of a timestamp's file.
private struct TimestampFields {
    let version: Int
    let snapshot: Int

    init?(_ bytes: [UInt8]) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let signed = object["signed"] as? [String: Any],
            let version = signed["version"] as? Int,
            let meta = signed["meta"] as? [String: [String: Any]],
            let snapshot = meta["snapshot.json"]?["version"] as? Int
        else { return nil }
        (self.version, self.snapshot) = (version, snapshot)
    }
}

private enum ReleaseSteps {
    /// The steps of ten seconds since 2020, which versions follow.
    static func of(_ now: Date) -> Int { Int(now.timeIntervalSince1970 / 10) - 18_262 * 8640 }
}

extension Date {
    /// The next midnight in UTC.
    fileprivate var wholeDay: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 / 86_400).rounded(.up) * 86_400)
    }
}

extension SyncOutcome {
    fileprivate var isInstalledOrRepaired: Bool {
        switch self {
        case .installed, .repaired: true
        default: false
        }
    }
}
