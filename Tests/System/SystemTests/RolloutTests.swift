import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServerTestSupport
import ServiceAPI
import Synchronization
import TestSupport
import Testing

@testable import SyncClient

/// A release that goes to a part of the devices first, as those devices and the others see it.
@Suite struct RolloutTests {
    private let world: SignedFleet

    init() throws { world = try SignedFleet() }

    /// A device whose place in each rollout that begins with one of the releases is within, or behind, a share.
    private func device(
        _ name: String, isAmong percent: Int, takes: Bool, of since: ClosedRange<Int> = 2...9,
        pins: Bool = true, appVersion: String = "0.1.0", transport: (any Transport)? = nil
    ) throws -> (sync: ContentSync, store: OfflineStore) {
        let device = try world.device(
            name, pins: pins, transport: transport, appVersion: appVersion)
        let before = Rollout.Previous(release: 1, manifest: Checksum(of: []), size: 1)
        let seed = (0...).lazy.map { "\(name) \($0)" }.first { seed in
            since.allSatisfy {
                let rollout = Rollout(since: $0, percent: percent, previous: before)
                let place = rollout.place(of: Array(seed.utf8))
                return (rollout.obstacle(place: place, appVersion: "1") == nil) == takes
            }
        }
        try device.store.set(ContentSync.seedName, try #require(seed))
        return device
    }

    @Test(arguments: [true, false])
    func theFirstDevicesTakeItAndTheOthersStay(pins: Bool) async throws {
        let first = try device("first", isAmong: 50, takes: true, pins: pins)
        let other = try device("other", isAmong: 50, takes: false, pins: pins)
        for device in [first, other] {
            #expect(await device.sync.sync().outcome == .installed(release: 1))
        }
        try world.publish(key: 1, rollout: .set(percent: 50))
        let taken = await first.sync.sync()
        #expect(taken.outcome == .installed(release: 2) && taken.heldRelease == nil)
        #expect(try world.key(first.store) == [1])

        let held = await other.sync.sync()
        #expect(held.outcome == .upToDate && held.isSigned == pins)
        #expect(held.heldRelease?.release == 2)
        #expect(held.heldRelease?.obstacle == .share(percent: 50))
        #expect(held.tally.blueprints == 0 && held.changesetProblem == nil)
        #expect(try world.key(other.store) == [0])
        #expect(await other.sync.installed()?.obstacle == .rollout)
        #expect(await first.sync.installed()?.obstacle == nil)
        // The next polls have a condition, and still know why.
        for _ in 0..<2 {
            let poll = await other.sync.sync()
            #expect(poll.outcome == .upToDate && poll.heldRelease == held.heldRelease)
            #expect(poll.tally.requests == 1 && poll.tally.bodyBytes == 0)
        }
        // A full check comes to the same.
        let full = await other.sync.sync(force: true)
        #expect(full.outcome == .upToDate && full.heldRelease == held.heldRelease)

        // A fix goes to the device that has the release, and to no other.
        world.days(1)
        try world.publish(key: 2)
        #expect(await first.sync.sync().outcome == .installed(release: 3))
        #expect(await other.sync.sync().heldRelease?.release == 3)
        #expect(try world.key(first.store) == [2] && world.key(other.store) == [0])

        try world.roll(.set(percent: 100))
        let now = await other.sync.sync()
        #expect(now.outcome == .installed(release: 4) && now.heldRelease == nil)
        #expect(now.changesetProblem == nil && now.tally.requests == (pins ? 1 : 2))
        #expect(try world.key(other.store) == [2])
        #expect(await other.sync.installed()?.obstacle == nil)
    }

    @Test(arguments: [true, false])
    func aNewDeviceGetsTheReleaseBefore(pins: Bool) async throws {
        try world.publish(key: 1, rollout: .set(percent: 50))
        let other = try device("other", isAmong: 50, takes: false, pins: pins)
        let report = await other.sync.sync()
        #expect(report.outcome == .installed(release: 1))
        #expect(report.heldRelease?.release == 2)
        #expect(try world.key(other.store) == [0])
        // The first changeset has a tag of its own.
        #expect(await other.sync.sync().outcome == .upToDate)
        let poll = await other.sync.sync()
        #expect(poll.outcome == .upToDate && poll.tally.requests == 1)
        #expect(poll.tally.bodyBytes == 0 && poll.heldRelease?.release == 2)
        try world.roll(.set(percent: 100))
        #expect(await other.sync.sync().outcome == .installed(release: 3))
    }

    @Test(arguments: [true, false])
    func aPausedReleaseKeepsTheOnesBeforeServing(pins: Bool) async throws {
        let first = try device("first", isAmong: 50, takes: true, pins: pins)
        let late = try device("late", isAmong: 50, takes: true, pins: pins)
        for device in [first, late] {
            #expect(await device.sync.sync().outcome == .installed(release: 1))
        }
        try world.publish(key: 1, rollout: .set(percent: 50))
        #expect(await first.sync.sync().outcome == .installed(release: 2))
        try world.roll(.pause)
        // Who has it keeps it; who does not does not get it, and neither does a new device.
        #expect(await first.sync.sync().outcome == .installed(release: 3))
        #expect(try world.key(first.store) == [1])
        #expect(await late.sync.sync().heldRelease?.obstacle == .paused)
        let new = try device("new", isAmong: 50, takes: true, pins: pins)
        #expect(await new.sync.sync().outcome == .installed(release: 1))
        for device in [late, new] { #expect(try world.key(device.store) == [0]) }
        // A fix reaches who has the mistake, and nobody else.
        try world.publish(key: 2)
        #expect(await first.sync.sync().outcome == .installed(release: 4))
        #expect(await late.sync.sync().heldRelease?.release == 4)
        try world.roll(.resume)
        for device in [first, late, new] {
            #expect(await device.sync.sync().outcome == .installed(release: 5))
            #expect(try world.key(device.store) == [2])
        }
        // A rollback reaches all of them.
        let back = try world.publisher().rollback(
            to: 1, nowSeconds: Int(world.clock.now.timeIntervalSince1970), generatedAt: "t")
        for device in [first, late, new] {
            let report = await device.sync.sync()
            #expect(report.outcome == .installed(release: back.release))
            #expect(try world.key(device.store) == [0])
        }
    }

    /// A host without changesets is asked for the metadata alone, and the release before has a changeset however old it is.
    @Test func whoIsLeftOutFetchesNoManifestAtEachPoll() async throws {
        try world.publish(key: 1, rollout: .set(percent: 50))
        let host = try world.copy("host")
        try FileManager.default.removeItem(atPath: host + "/changes")
        let transport = CountingTransport(InProcessTransport(InProcessRouter(release: host)))
        let other = try device("other", isAmong: 50, takes: false, transport: transport)
        #expect(await other.sync.sync().outcome == .installed(release: 1))
        _ = transport.takePaths()
        for day in 1...3 {
            world.days(1)
            _ = try world.administration.refresh(keys: world.keys)
            try SignedFleet.replace("metadata", in: host, by: world.release)
            let poll = await other.sync.sync()
            #expect(poll.outcome == .upToDate && poll.heldRelease?.release == 2, "day \(day)")
            let asked = transport.takePaths()
            #expect(!asked.contains { $0.contains("manifest.json") }, "\(asked)")
        }
        for key in 0..<34 { try world.publish(key: key % 3) }
        let changes = try world.fleet.folder.read("release/changes/1")
        #expect(try Changeset(changes).to == 36)
        #expect(!world.fleet.folder.exists("release/changes/2"))
    }

    @Test func whoHasTheReleaseGetsItsFixesWhateverTheShareIs() async throws {
        let first = try device("first", isAmong: 50, takes: true)
        try world.publish(key: 1, rollout: .set(percent: 50))
        #expect(await first.sync.sync().outcome == .installed(release: 2))
        try world.roll(.set(percent: 0))
        try world.publish(key: 2)
        #expect(await first.sync.sync().outcome == .installed(release: 4))
        #expect(try world.key(first.store) == [2])
    }

    @Test(arguments: [true, false])
    func anUpdatedAppAsksAgain(pins: Bool) async throws {
        let old = try device("phone", isAmong: 100, takes: true, pins: pins, appVersion: "2.0 (41)")
        #expect(await old.sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1, rollout: .set(percent: 100, minimumAppVersion: "2.1"))
        #expect(await old.sync.sync().heldRelease?.obstacle == .appVersion)
        #expect(try world.key(old.store) == [0])
        let updated = try world.device("phone", pins: pins, appVersion: "2.1 (42)")
        let report = await updated.sync.sync()
        #expect(report.outcome == .installed(release: 2) && report.heldRelease == nil)
        #expect(try world.key(updated.store) == [1])
    }

    /// The release before is as signed as the one that names it.
    @Test func aForgedReleaseBeforeIsRefused() async throws {
        try world.publish(key: 1, rollout: .set(percent: 50))
        let host = try world.copy("host")
        let other = try world.device("other", host: host)
        try other.store.set(ContentSync.seedName, "x")
        let path = host + "/releases/1/manifest.json"
        let forged = try Manifest(
            [UInt8](Data(contentsOf: URL(filePath: host + "/manifest.json"))))
        try world.roll(.set(percent: 0))
        for name in ["metadata", "targets", "manifest.json", "changes"] {
            try SignedFleet.replace(name, in: host, by: world.release)
        }
        let bytes = Manifest(
            release: 1, languages: forged.languages, exams: forged.exams, assets: forged.assets
        ).canonicalBytes
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        for file in [path, path + ".gz", path + ".br"] {
            try? FileManager.default.removeItem(atPath: file)
        }
        try Data(bytes).write(to: URL(filePath: path))
        guard case .failed(let error) = await other.sync.sync().outcome else {
            Issue.record("a forged manifest was taken")
            return
        }
        #expect([.checksumMismatch, .badManifest, .wrongLength].contains(error.code), "\(error)")
        #expect(try other.store.currentGeneration() == nil)
    }

    /// A host that says what no publisher says: nothing is believed of it but for whom the release is.
    @Test(arguments: [(99, 1), (2, 1), (9, 8)])
    func aRolloutOfTheFutureHarmsNothing(since: Int, previous: Int) async throws {
        let (sync, store) = try world.device("phone", pins: false)
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        let host = try world.copy("host")
        let path = host + "/manifest.json"
        var manifest = try Manifest([UInt8](Data(contentsOf: URL(filePath: path))))
        manifest.rollout = Rollout(
            since: since, percent: 0,
            previous: .init(release: previous, manifest: Checksum(of: [1]), size: 100))
        for file in [path, path + ".gz", path + ".br"] {
            try? FileManager.default.removeItem(atPath: file)
        }
        try Data(manifest.canonicalBytes).write(to: URL(filePath: path))
        let (again, _) = try world.device("phone", host: host, pins: false)
        let report = await again.sync()
        if previous == 1 {
            #expect(report.outcome == .upToDate && report.heldRelease?.release == 2)
        } else {
            // The host does not have the release that it names.
            guard case .failed(let error) = report.outcome else {
                Issue.record("\(report)")
                return
            }
            #expect(error.code == .notFound, "\(error)")
        }
        #expect(try world.key(store) == [0])
    }

    /// The release before says the number by which it is named.
    @Test func aReleaseBeforeOfAnotherNumberIsRefused() async throws {
        let (sync, store) = try world.device(
            "new", host: try hostWhoseReleaseBeforeIs(7), pins: false)
        guard case .failed(let error) = await sync.sync().outcome else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == .badManifest, "\(error)")
        #expect(try store.currentGeneration() == nil)
        let (again, _) = try world.device(
            "other", host: try hostWhoseReleaseBeforeIs(1), pins: false)
        #expect(await again.sync().outcome == .installed(release: 1))
    }

    /// A host without signatures, whose newest release goes to nobody, and the one before has some number.
    private func hostWhoseReleaseBeforeIs(_ number: Int) throws -> String {
        let host = try world.copy("host \(number)")
        let (path, former) = (host + "/manifest.json", host + "/releases/1/manifest.json")
        var manifest = try Manifest([UInt8](Data(contentsOf: URL(filePath: path))))
        manifest.release = number
        let before = manifest.canonicalBytes
        manifest.release = 2
        manifest.rollout = Rollout(
            since: 2, percent: 0,
            previous: .init(release: 1, manifest: Checksum(of: before), size: before.count))
        for file in [path, former].flatMap({ [$0, $0 + ".gz", $0 + ".br"] }) {
            try? FileManager.default.removeItem(atPath: file)
        }
        try Data(before).write(to: URL(filePath: former))
        try Data(manifest.canonicalBytes).write(to: URL(filePath: path))
        return host
    }

    @Test func aPlaceIsDrawnOnceAndIsOneDevicesOwn() async throws {
        let phone = try world.device("phone")
        let tablet = try world.device("tablet")
        try world.publish(key: 1, rollout: .set(percent: 0))
        var seeds: Set<String> = []
        for device in [phone, tablet, phone] {
            #expect(await device.sync.sync(force: true).heldRelease != nil)
            seeds.insert(try #require(try device.store.setting(ContentSync.seedName)))
        }
        #expect(seeds.count == 2 && seeds.allSatisfy { $0.utf8.count >= 32 })
    }

    // MARK: As it is typed

    @Test func theCommandsSayWhoHasWhat() async throws {
        let folder = world.fleet.folder.path
        let folders = ["--content", folder + "/content", "--release", folder + "/release"]
        let signed = folders + ["--keys", folder + "/keys"]
        try world.fleet.folder.writeBlueprint("es", key: 1)
        let begun = try await Tool.run(["publish", "--rollout", "10"] + signed)
        #expect(
            begun.output.contains(
                "Release 2 goes to 10 % of the devices; the others have release 1."), "\(begun)")
        let wider = try await Tool.run(
            ["rollout", "set", "25", "--min-app-version", "2.1"] + signed)
        #expect(
            wider.output.hasPrefix(
                "Release 3 goes to 25 % of the devices with the app 2.1 or newer and to those that have a release"
                    + " from 2 on; the others keep what they have, and new ones get release 1."),
            "\(wider)")
        let again = try await Tool.run(["rollout", "set", "25"] + signed)
        #expect(again.output.hasPrefix("Nothing changed; release 3 stays.\n"), "\(again)")
        let paused = try await Tool.run(["rollout", "pause"] + signed)
        #expect(paused.output.contains("PAUSED: nobody else gets it"), "\(paused)")
        let status = try await Tool.run(["rollout", "status", "--json"] + folders)
        let json = try JSONSerialization.jsonObject(with: Data(status.output.utf8))
        let rollout = (json as? [String: Any])?["rollout"] as? [String: Any]
        #expect(rollout?["percent"] as? Int == 25 && rollout?["isPaused"] as? Bool == true)
        #expect(try await Tool.run(["status"] + folders).output.contains("PAUSED"))
        let history = try await Tool.run(["history", "--release", folder + "/release"])
        #expect(
            history.output.hasSuffix("  rollout  to 25 % with the app 2.1 or newer, paused\n"),
            "\(history)")
        let set = try await Tool.run(["rollout", "set", "30", "--min-app-version", ""] + signed)
        #expect(set.status == 64 && set.errors.contains("or \"any\""), "\(set)")
        let lone = try await Tool.run(["publish", "--min-app-version", "2.1"] + signed)
        #expect(lone.status == 64 && lone.errors.contains("--rollout 100"), "\(lone)")
        let bundle = try await Tool.run(
            ["bundle", folder + "/bundle", "--release", folder + "/release"])
        #expect(bundle.status != 0 && bundle.errors.contains("Nothing was written"), "\(bundle)")
        let back = try await Tool.run(["rollback", "3"] + signed)
        #expect(back.status != 0 && back.errors.contains("Roll back to release 1"), "\(back)")
        let end = try await Tool.run(
            ["rollout", "set", "100", "--min-app-version", "any"] + signed)
        #expect(end.status == 0 && end.output.contains("PAUSED"), "\(end)")
        let all = try await Tool.run(["rollout", "resume"] + signed)
        #expect(all.output == "Release 6 goes to every device.\n", "\(all)")
        let nothing = try await Tool.run(["rollout", "pause"] + signed)
        #expect(nothing.status == 64 || nothing.status == 7, "\(nothing)")
        #expect(nothing.errors.contains("every device already"), "\(nothing)")
        let tooMuch = try await Tool.run(["rollout", "set", "101"] + signed)
        #expect(tooMuch.status == 64 && tooMuch.errors.contains("0 to 100"), "\(tooMuch)")
        let unsigned = try await Tool.run(["publish", "--rollout", "101"] + folders)
        #expect(unsigned.status == 64, "\(unsigned)")
    }
}

/// Notes what is asked for.
private final class CountingTransport: Transport {
    private let transport: InProcessTransport
    private let paths = Mutex<[String]>([])

    init(_ transport: InProcessTransport) { self.transport = transport }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        paths.withLock { $0.append(request.url.path) }
        return try await transport.send(request)
    }

    /// What was asked for since the last call.
    func takePaths() -> [String] {
        paths.withLock { paths in
            defer { paths = [] }
            return paths
        }
    }
}
