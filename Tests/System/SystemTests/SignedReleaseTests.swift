import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServerTestSupport
import SignatureVerification
import SyncClient
import TestSupport
import Testing

/// A library whose releases are signed, devices that pin its root, and a clock for all of them.
final class SignedFleet: Sendable {
    let fleet: Fleet
    let clock: StoryClock
    let root: Data

    init(
        _ plan: TrustAdministration.Plan = .init(), clock: StoryClock = StoryClock()
    ) throws {
        fleet = try Fleet(["es"])
        self.clock = clock
        let path = try TrustAdministration(releaseDirectory: fleet.release, now: clock.now)
            .begin(keys: KeyFolder(fleet.folder.path + "/keys"), plan: plan, apart: [])
        root = try Data(contentsOf: URL(filePath: path))
    }

    var release: String { fleet.release }
    var keys: KeyFolder { KeyFolder(fleet.folder.path + "/keys") }
    var administration: TrustAdministration {
        TrustAdministration(releaseDirectory: release, now: clock.now)
    }

    func days(_ count: Double) { clock.advance(count * 86_400) }

    func publisher(_ keys: String? = "keys") -> Publisher {
        var publisher = Publisher(
            folder: fleet.folder.path + "/content", releaseDirectory: release)
        publisher.keys = keys.map { fleet.folder.path + "/" + $0 }
        return publisher
    }

    @discardableResult
    func publish(
        key: Int? = nil, keys: String? = "keys", rollout: RolloutChange? = nil
    ) throws -> PublishSummary {
        if let key { try fleet.folder.writeBlueprint("es", key: key) }
        var publisher = publisher(keys)
        publisher.rollout = rollout
        return try publisher.publish(
            nowSeconds: Int(clock.now.timeIntervalSince1970),
            generatedAt: clock.now.formatted(.iso8601))
    }

    @discardableResult
    func roll(_ change: RolloutChange) throws -> PublishSummary {
        try publisher().changeRollout(
            change, nowSeconds: Int(clock.now.timeIntervalSince1970),
            generatedAt: clock.now.formatted(.iso8601))
    }

    /// A device that asks the host in a folder at each run.
    func device(
        _ name: String = "store", host: String? = nil, pins: Bool = true, root: Data? = nil,
        transport: (any Transport)? = nil, cooldown: Duration = .zero,
        appVersion: String = "0.1.0", deadline: Duration = .seconds(30)
    ) throws -> (sync: ContentSync, store: OfflineStore) {
        let store = try fleet.store(name, appVersion: appVersion)
        let trust: TrustPolicy =
            pins ? try .pinned(root: root ?? self.root, verifiers: .swiftCrypto) : .unsigned
        var settings = SyncSettings()
        settings.manifestCooldown = cooldown
        settings.failureCooldown = .zero
        settings.backoff = .milliseconds(1)
        settings.downloadDeadline = deadline
        let clock = clock
        let sync = ContentSync(
            store: store,
            transport: transport
                ?? InProcessTransport(InProcessRouter(release: host ?? release)),
            releaseURL: URL(stringLiteral: "http://release.test/api/content/v2"),
            settings: settings,
            trust: trust,
            clock: { clock.now })
        return (sync, store)
    }

    func key(_ store: OfflineStore) throws -> [Int] { try fleet.key(store) }

    /// What devices can see, without objects that no manifest names.
    func served() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: release)
        where !path.hasPrefix("objects") && !path.hasPrefix(".underway") {
            files[path] = FileManager.default.contents(atPath: release + "/" + path)
        }
        return files
    }

    /// A copy of the release as it is now, for a host that goes its own way.
    func copy(_ name: String) throws -> String {
        let path = fleet.folder.path + "/" + name
        try FileManager.default.copyItem(atPath: release, toPath: path)
        return path
    }

    /// A static web host over the release directory, which a test can break.
    func staticHost() throws -> StaticHost {
        let root = fleet.folder.path + "/web"
        try FileManager.default.createDirectory(
            atPath: root + "/api/content", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: root + "/api/content/v2", withDestinationPath: release)
        return StaticHost(root: root)
    }

    /// Puts a part of another release directory in place of this one's.
    static func replace(_ part: String, in host: String, by other: String) throws {
        try FileManager.default.removeItem(atPath: host + "/" + part)
        try FileManager.default.copyItem(
            atPath: other + "/" + part, toPath: host + "/" + part)
    }
}

extension SyncOutcome {
    fileprivate var failure: SyncError.Code? {
        guard case .failed(let error) = self else { return nil }
        return error.code
    }
}

/// A pinned root: what a device takes from its host, and what it refuses (the attacks of TUF 1.5.2).
@Suite struct SignedReleaseTests {
    @Test func aDeviceFollowsTheSignedReleases() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        for key in [1, 2] {
            world.days(1)
            try world.publish(key: key)
            let report = await sync.sync()
            #expect(report.outcome == .installed(release: key + 1))
            #expect(try world.key(store) == [key])
            // The changeset is question and answer at once.
            #expect(report.changesetProblem == nil)
            #expect(report.tally.requests == 1 && report.tally.blueprints == 1)
            #expect(report.tally.bodyBytes < 512)
        }
        let poll = await sync.sync()
        #expect(poll.outcome == .upToDate)
        #expect(poll.tally.requests == 1 && poll.tally.bodyBytes == 0)
        // Fourteen days, and to the end of that day.
        let until = try #require(poll.confirmedUntil).timeIntervalSince(world.clock.now)
        #expect((14 * 86_400...15 * 86_400).contains(until) && poll.isSigned)
        world.days(1)
        try world.administration.refresh(keys: world.keys)
        let refreshed = await sync.sync()
        #expect(refreshed.confirmedUntil == poll.confirmedUntil.map { $0 + 86_400 })
        #expect(refreshed.outcome == .upToDate && refreshed.changesetProblem == nil)
        // A timestamp that was signed again, and no more.
        #expect(refreshed.tally.requests == 1 && refreshed.tally.bodyBytes == 79)
    }

    @Test func aDeviceSaysUntilWhenItsContentIsTheNewest() async throws {
        let world = try SignedFleet()
        let (sync, _) = try world.device(cooldown: .seconds(1800))
        let first = await sync.sync()
        // Not asked again yet, and known all the same.
        let second = await sync.sync()
        guard case .notDue = second.outcome else {
            Issue.record("\(second)")
            return
        }
        #expect(second.confirmedUntil != nil && second.confirmedUntil == first.confirmedUntil)
        let (believing, _) = try world.device("believing", pins: false)
        let unsigned = await believing.sync()
        #expect(unsigned.confirmedUntil == nil && !unsigned.isSigned)
        // The host stands still: updates stop, and the day in the past says since when.
        world.days(15)
        let stale = await sync.sync()
        #expect(stale.outcome.failure == .expired)
        #expect(stale.confirmedUntil == first.confirmedUntil)
    }

    /// Changesets are in place before their timestamp: who has taken one must not be shut out by a publish that is killed in
    /// between.
    @Test func aVersionThatAKilledPublishGaveAwayIsNotUsedAgain() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        let path = world.release + "/metadata/timestamp.json"
        let before = try Data(contentsOf: URL(filePath: path))
        try world.publish(key: 1)
        try FileManager.default.removeItem(atPath: path)
        try before.write(to: URL(filePath: path))
        // The device takes what the host has by then.
        #expect(await sync.sync().outcome == .installed(release: 2))
        try world.publish(key: 2)
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 3) && report.changesetProblem == nil)
        #expect(try world.key(store) == [2])
    }

    @Test func aRollbackOfThePublisherIsSignedToo() async throws {
        let world = try SignedFleet()
        try world.publish(key: 1)
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 2))
        _ = try world.publisher().rollback(
            to: 1, nowSeconds: Int(world.clock.now.timeIntervalSince1970), generatedAt: "t")
        #expect(await sync.sync().outcome == .installed(release: 3))
        #expect(try world.key(store) == [0])
    }

    /// Versions that are signed decide what is newer, not the clock of whoever published.
    @Test func aPublishersClockHoldsNoSignedReleaseBack() async throws {
        let world = try SignedFleet()
        try world.publish(key: 1)
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 2))
        try world.fleet.folder.writeBlueprint("es", key: 2)
        _ = try world.publisher().publish(
            nowSeconds: Int(world.clock.now.timeIntervalSince1970),
            generatedAt: (world.clock.now - 86_400).formatted(.iso8601))
        #expect(await sync.sync().outcome == .installed(release: 3))
        #expect(try world.key(store) == [2])
    }

    // MARK: Attacks by the host

    @Test func aForgedReleaseIsInstalledWithoutSignaturesAndRefusedWithThem() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        let (pinned, store) = try world.device(host: host)
        let (believing, other) = try world.device("believing", host: host, pins: false)
        for sync in [pinned, believing] {
            #expect(await sync.sync().outcome == .installed(release: 1))
        }
        // The thief has the host, and not the keys.
        for folder in ["metadata", "changes"] {
            try FileManager.default.removeItem(atPath: host + "/" + folder)
        }
        try world.fleet.folder.writeBlueprint("es", key: 2)
        _ = try Publisher(
            folder: world.fleet.folder.path + "/content", releaseDirectory: host
        ).publish(nowSeconds: 1_900_000_000, generatedAt: "t")
        try FileManager.default.copyItem(
            atPath: world.release + "/metadata", toPath: host + "/metadata")
        #expect(await believing.sync().outcome == .installed(release: 2))
        #expect(try world.key(other) == [2])
        #expect(await pinned.sync().outcome == .upToDate)
        #expect(await pinned.sync(force: true).outcome == .upToDate)
        #expect(try world.key(store) == [0])
    }

    @Test func otherBytesUnderTheSignedNameAreRefused() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        let (sync, store) = try world.device(host: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        try SignedFleet.replace("metadata", in: host, by: world.release)
        try SignedFleet.replace("targets", in: host, by: world.release)
        try FileManager.default.removeItem(atPath: host + "/changes")
        for name in try FileManager.default.contentsOfDirectory(atPath: host + "/targets") {
            let path = host + "/targets/" + name
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            bytes[bytes.count / 2] ^= 1
            try FileManager.default.removeItem(atPath: path)
            try Data(bytes).write(to: URL(filePath: path))
        }
        #expect(await sync.sync().outcome.failure == .checksumMismatch)
        #expect(try world.key(store) == [0])
    }

    @Test func anEarlierReleaseIsRefused() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        try world.publish(key: 1)
        let (sync, _) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 2))
        let (replayed, store) = try world.device(host: host)
        #expect(await replayed.sync().outcome.failure == .rolledBack)
        #expect(await replayed.sync(force: true).outcome.failure == .rolledBack)
        #expect(try world.key(store) == [1])
    }

    @Test func aHostThatStandsStillIsNoticedWhenTheTimestampExpires() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        world.days(12)
        #expect(await sync.sync().outcome == .upToDate)
        world.days(3)
        #expect(await sync.sync().outcome.failure == .expired)
        // Use never ends.
        #expect(try world.key(store) == [0])
        #expect(try world.administration.refresh(keys: world.keys) == [.timestamp])
        #expect(await sync.sync().outcome == .upToDate)
    }

    @Test func aHostThatLosesItsSignaturesChangesNothing() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        let (sync, store) = try world.device(host: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        for part in ["metadata", "changes"] {
            try FileManager.default.removeItem(atPath: host + "/" + part)
        }
        let report = await sync.sync()
        #expect(report.outcome.failure == .notFound)
        #expect("\(report.outcome)".contains("is not signed"))
        #expect(try world.key(store) == [0])
    }

    @Test func keysOfSomebodyElseSignNothing() async throws {
        let (world, stranger) = (try SignedFleet(), try SignedFleet())
        let (sync, store) = try world.device(root: stranger.root)
        #expect(await sync.sync().outcome.failure == .untrusted)
        #expect(try store.currentGeneration() == nil)
    }

    @Test func aRootThatIsNoneIsSaid() {
        #expect(throws: TrustError.self) {
            try TrustPolicy.pinned(root: Data("{}".utf8), verifiers: .swiftCrypto)
        }
    }

    /// What an attacker put there before signatures were demanded goes at the first poll.
    @Test func aDeviceThatBeginsToPinIsFreeOfAForgery() async throws {
        let world = try SignedFleet()
        let (before, store) = try world.device(pins: false)
        #expect(await before.sync().outcome == .installed(release: 1))
        var forged = try Manifest(world.fleet.folder.read("release/manifest.json"))
        forged.release = 1 << 52
        forged.generatedAt = "2040-01-01T00:00:00Z"
        let host = try world.copy("host")
        try FileManager.default.removeItem(atPath: host + "/manifest.json")
        try Data(forged.canonicalBytes).write(to: URL(filePath: host + "/manifest.json"))
        let hour = Duration.seconds(3600)
        let (believing, _) = try world.device(host: host, pins: false, cooldown: hour)
        #expect(await believing.sync(force: true).outcome == .installed(release: 1 << 52))
        // The cooldown is one of the other source.
        let (pinned, _) = try world.device(cooldown: hour)
        #expect(await pinned.sync().outcome == .installed(release: 1))
        #expect(try store.currentGeneration()?.freshness.release == 1)
    }

    // MARK: Bundles and updates of the app

    @Test func aBundleIsTheFloorOfANewDevice() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        try world.publish(key: 1)
        let bundle = world.fleet.folder.path + "/bundle"
        _ = try BundleWriter.write(releaseDirectory: world.release, to: bundle)
        let root = try Data(contentsOf: URL(filePath: bundle + "/trust/root.json"))
        #expect(root == world.root)
        let (sync, store) = try world.device(host: host)
        try store.installBundle(ContentBundle(folder: URL(filePath: bundle)))
        #expect(await sync.sync().outcome.failure == .rolledBack)
        #expect(try world.key(store) == [1])
        // Long after its signatures have expired, the bundle is still the floor.
        world.days(400)
        #expect(await sync.sync(force: true).outcome.failure == .rolledBack)
    }

    @Test func theNewerOfThePinnedAndTheStoredRootCounts() async throws {
        let world = try SignedFleet()
        let (before, _) = try world.device()
        #expect(await before.sync().outcome == .installed(release: 1))
        _ = try world.administration.rotate(
            .timestamp, replacing: nil, adds: false, keys: world.keys)
        let second = try Data(
            contentsOf: URL(filePath: world.release + "/metadata/2.root.json"))
        let (updated, _) = try world.device(root: second)
        #expect(await updated.sync().outcome == .upToDate)
        // The app of before, on a device that has followed.
        #expect(await before.sync().outcome == .upToDate)
    }

    /// Root keys were stolen: a new version of the app pins the root of a new repository.
    @Test func aPinOfAnotherLineageEndsTheFormerOne() async throws {
        let (old, new) = (try SignedFleet(), try SignedFleet())
        let (before, store) = try old.device()
        #expect(await before.sync().outcome == .installed(release: 1))
        _ = try old.administration.rotate(
            .targets, replacing: nil, adds: false, keys: old.keys)
        #expect(await before.sync().outcome == .upToDate)
        try old.publish(key: 1)
        try new.publish(key: 2)
        let (stolen, _) = try old.device(root: new.root)
        #expect(await stolen.sync().outcome.failure == .untrusted)
        #expect(try old.key(store) == [0])
        let (updated, _) = try old.device(host: new.release, root: new.root)
        #expect(await updated.sync().outcome == .installed(release: 2))
        #expect(try old.key(store) == [2])
    }

    /// A process that began before another on the same store must not take back what that one has learned.
    @Test func theFloorOfAStoreNeverFalls() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        let files = try store.storedTrust().files
        var earlier = try TrustedMetadata(root: [UInt8](world.root), verifiers: .swiftCrypto)
        earlier.restore(
            timestamp: files[.timestamp], snapshot: files[.snapshot], targets: files[.targets])
        try world.publish(key: 1)
        #expect(await sync.sync().outcome == .installed(release: 2))
        let newest = try store.storedTrust().files
        try store.save(earlier)
        #expect(try store.storedTrust().files == newest)
        _ = try world.administration.rotate(
            .timestamp, replacing: nil, adds: false, keys: world.keys)
        #expect(await sync.sync().outcome == .upToDate)
        try store.save(earlier)
        #expect(try store.storedTrust().roots.count == 2)
        #expect(try store.storedTrust().files[.timestamp] != files[.timestamp])
    }

    /// The release directory comes back from a backup, and goes on with other content under the same numbers.
    @Test(arguments: [false, true])
    func aRestoredBackupReachesDevicesThatHaveSeenMore(isAnotherCheckout: Bool) async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        let backup = try world.copy("backup")
        let content = world.fleet.folder.path + "/content"
        try FileManager.default.copyItem(atPath: content, toPath: content + "-other")
        world.days(1)
        for key in [1, 2] { try world.publish(key: key) }
        #expect(await sync.sync().outcome == .installed(release: 3))
        try FileManager.default.removeItem(atPath: world.release)
        try FileManager.default.copyItem(atPath: backup, toPath: world.release)
        if isAnotherCheckout {
            try FileManager.default.removeItem(atPath: content)
            try FileManager.default.moveItem(atPath: content + "-other", toPath: content)
        }
        world.days(1)
        try world.publish(key: 1)
        let report = await sync.sync()
        #expect(try world.key(store) == [1], "\(report)")
        try world.publish(key: 2)
        #expect(await sync.sync().outcome.failure == nil)
        #expect(try world.key(store) == [2])
    }

    // MARK: Keys

    @Test(arguments: TrustRole.allCases)
    func aDeviceFollowsChangedKeys(of role: TrustRole) async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        let (sleeper, asleep) = try world.device("asleep")
        for each in [sync, sleeper] {
            #expect(await each.sync().outcome == .installed(release: 1))
        }
        for round in 1...3 {
            let ids = try #require(try world.administration.status())
                .roles.first { $0.role == role }?.keyIDs
            let (name, version) = try world.administration.rotate(
                role, replacing: ids?.first, adds: false, keys: world.keys)
            #expect(version == round + 1)
            #expect(name.hasPrefix(role.rawValue))
            #expect(await sync.sync().outcome == .upToDate)
            try world.publish(key: [1, 0, 2][round - 1])
            #expect(await sync.sync().outcome == .installed(release: round + 1))
        }
        #expect(await sleeper.sync().outcome == .installed(release: 4))
        #expect(try world.key(store) == [2] && world.key(asleep) == [2])
    }

    @Test func aStolenTimestampKeyRaisesVersionsOnlyUntilItIsReplaced() async throws {
        let world = try SignedFleet()
        let host = try world.copy("host")
        let (sync, _) = try world.device(host: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        let thief = try #require(
            try world.keys.load(apart: []).first { $0.name.hasPrefix("timestamp") }?.key)
        let snapshot = try world.administration.status()?.roles[2].version ?? 0
        let forged = MetadataDocument.timestamp(
            version: 1 << 50, expires: world.clock.now + 86_400, snapshotVersion: snapshot)
        try FileManager.default.removeItem(atPath: host + "/metadata/timestamp.json")
        try FileManager.default.removeItem(atPath: host + "/changes")
        try Data(forged.file([thief.sign(forged)])).write(
            to: URL(filePath: host + "/metadata/timestamp.json"))
        #expect(await sync.sync().outcome == .upToDate)
        let (mended, store) = try world.device()
        try world.publish(key: 1)
        #expect(await mended.sync().outcome.failure == .rolledBack)
        _ = try world.administration.rotate(
            .timestamp, replacing: nil, adds: false, keys: world.keys)
        #expect(await mended.sync().outcome == .installed(release: 2))
        #expect(try world.key(store) == [1])
    }

    @Test func twoOfThreeAuthorsAreEnoughAndOneIsNot() async throws {
        var plan = TrustAdministration.Plan()
        (plan.authors, plan.threshold) = (3, 2)
        let world = try SignedFleet(plan)
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        let folder = world.fleet.folder
        let authors = try world.keys.load(apart: []).map(\.name).filter { $0.hasPrefix("targets") }
        for (name, left) in [("two", 1), ("one", 2)] {
            try FileManager.default.copyItem(
                atPath: folder.path + "/keys", toPath: folder.path + "/" + name)
            for key in authors.prefix(left) { try folder.remove("\(name)/\(key).pem") }
        }
        let before = try world.served()
        let error = #expect(throws: PublishingError.self) {
            try world.publish(key: 1, keys: "one")
        }
        #expect(error?.code == .needsSignatures)
        #expect(error?.message.contains("needs 2 signatures") == true)
        #expect(try world.served() == before)
        #expect(await sync.sync().outcome == .upToDate)
        try world.publish(key: 1, keys: "two")
        #expect(await sync.sync().outcome == .installed(release: 2))
        #expect(try world.key(store) == [1])
    }

    // MARK: Stopped between manifest and timestamp

    @Test func whatAKilledPublishLeftUnsignedIsSignedByTheNext() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        let before = try world.copy("before")
        try world.publish(key: 1)
        for part in ["metadata", "targets", "changes"] {
            try SignedFleet.replace(part, in: world.release, by: before)
        }
        #expect(try world.administration.status()?.namesCurrentRelease == false)
        #expect(await sync.sync().outcome == .upToDate)
        let summary = try world.publish()
        #expect(summary.isNew && summary.release == 3)
        #expect(try world.administration.status()?.namesCurrentRelease == true)
        #expect(await sync.sync().outcome == .installed(release: 3))
        #expect(try world.key(store) == [1])
    }

    @Test func pruningKeepsWhatDevicesNeed() async throws {
        let world = try SignedFleet()
        let (sleeper, store) = try world.device()
        #expect(await sleeper.sync().outcome == .installed(release: 1))
        _ = try world.administration.rotate(
            .targets, replacing: nil, adds: false, keys: world.keys)
        for number in 0..<38 { try world.publish(key: [1, 2, 0][number % 3]) }
        _ = try world.publisher().prune(keep: 1)
        let names = try ["targets", "metadata", "changes", "releases"].map {
            try FileManager.default.contentsOfDirectory(atPath: world.release + "/" + $0)
        }
        #expect(names[0].filter { $0.hasSuffix(".json") }.count == 33)
        #expect(names[1].filter { $0.hasSuffix(".root.json") }.count == 2)
        // The timestamp, two snapshots, and the targets of all releases that can come back.
        #expect(names[1].count == 38, "\(names[1])")
        let seconds = Int(world.clock.now.timeIntervalSince1970)
        let back = try world.publisher().rollback(to: 20, nowSeconds: seconds, generatedAt: "t")
        #expect(back.release == 40)
        try world.publish(key: 2)
        #expect(names[2].count == 33 && names[3].count == 33)
        let report = await sleeper.sync()
        #expect(report.outcome == .installed(release: 41) && report.changesetProblem == nil)
        #expect(try world.key(store) == [2])
    }
}
