import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServerTestSupport
import ServiceAPI
import SignatureVerification
import SyncClient
import TestSupport
import Testing

/// Changesets lead to exactly the release that was signed, or are not used.
@Suite struct ChangesetTests {
    private func manifest(_ world: SignedFleet, _ release: Int) throws -> [UInt8] {
        try world.fleet.folder.read("release/releases/\(release)/manifest.json")
    }

    private func object(_ world: SignedFleet, _ checksum: Checksum) -> [UInt8]? {
        FileManager.default.contents(
            atPath: "\(world.release)/objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        ).map { [UInt8]($0) }
    }

    private func changeset(_ world: SignedFleet, from release: Int) throws -> Changeset {
        try Changeset(world.fleet.folder.read("release/changes/\(release)"))
    }

    /// Releases that add, change, remove and bring back documents; from each of them to the newest.
    @Test(arguments: [UInt64.random(in: 0..<1_000_000), 7])
    func eachLeadsToTheNewestReleaseByteForByte(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let world = try SignedFleet()
        let folder = world.fleet.folder
        let languages = ["es", "de", "en", "fr", "ar"]
        for _ in 0..<12 {
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                let language = languages.randomElement(using: &chance) ?? "es"
                let path = "content/languages/\(language)"
                switch Int.random(in: 0..<4, using: &chance) {
                case 0 where language != "es" && folder.exists(path): try folder.remove(path)
                case 1 where folder.exists(path):
                    try folder.write(
                        "{\"start\": \"\(UInt32.random(in: 0...99, using: &chance))\"}",
                        to: path + "/localization.json")
                default:
                    try folder.writeBlueprint(language, key: Int.random(in: 0..<3, using: &chance))
                }
            }
            try world.publish()
            let newest = try #require(
                Manifest(folder.read("release/manifest.json")).release as Int?)
            for release in 1..<newest {
                let changeset = try changeset(world, from: release)
                #expect(changeset.from == release && changeset.to == newest)
                let result = try ChangesetBody.rebuild(
                    changeset, base: manifest(world, release)
                ) { object(world, $0) }
                #expect(try result.manifest == manifest(world, newest), "seed \(seed)")
                for (checksum, bytes) in result.objects {
                    #expect(object(world, checksum) == bytes)
                }
            }
        }
    }

    @Test func aDeviceFarBehindCatchesUpWithOneRequest() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        for number in 0..<20 { try world.publish(key: [1, 2, 0][number % 3]) }
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 21) && report.changesetProblem == nil)
        #expect(report.tally.requests == 1 && report.tally.bodyBytes < 600)
        #expect(try world.key(store) == [2])
    }

    /// Text that DEFLATE cannot shorten to the limit of a changeset is fetched by itself, and so is what devices fetch on
    /// demand, of which they have no base.
    @Test func whatIsTooLongOrFetchedOnDemandIsLeftOut() async throws {
        let world = try SignedFleet()
        let folder = world.fleet.folder
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        var chance = SeededGenerator(seed: 5)
        let digits = Array("0123456789abcdef".utf8)
        let text = (0..<700_000).map { _ in digits[Int.random(in: 0..<16, using: &chance)] }
        try folder.write(
            "{\"start\": \"\(String(decoding: text, as: UTF8.self))\"}",
            to: "content/languages/es/localization.json")
        try folder.write([1, 2, 3, 4], to: "content/languages/es/audio/one.m4a")
        try world.publish(key: 1)
        let first = await sync.sync()
        #expect(first.outcome == .installed(release: 2) && first.changesetProblem == nil)
        #expect(try folder.read("release/changes/1").count < 4096)
        // The changeset, and the texts.
        #expect(first.tally.requests == 2)
        #expect(try world.key(store) == [1])
        // A device that never fetched the clip gets its successor's name all the same.
        try folder.write([5, 6, 7, 8], to: "content/languages/es/audio/one.m4a")
        try world.publish(key: 2)
        let second = await sync.sync()
        #expect(second.outcome == .installed(release: 3) && second.changesetProblem == nil)
        #expect(second.tally.requests == 1)
        let files = try await sync.files(.audio(language: "es"))
        #expect(try files.map { [UInt8](try Data(contentsOf: $0.value)) }.contains([5, 6, 7, 8]))
    }

    /// A clip that goes beside a bank that is edited stands where the bank's predecessor could be looked for.
    @Test func aBankIsNeverBuiltOnAClipThatDevicesLack() async throws {
        let world = try SignedFleet()
        let folder = world.fleet.folder
        try folder.write([1, 2, 3, 4], to: "content/languages/es/audio/one.m4a")
        try world.publish(key: 1)
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 2))
        try folder.remove("content/languages/es/audio")
        try world.publish(key: 2)
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 3) && report.changesetProblem == nil)
        #expect(report.tally.requests == 1)
        #expect(try world.key(store) == [2])
    }

    /// Who is behind a change of keys gets the roots between, one request each, and uses the changeset.
    @Test(arguments: TrustRole.allCases.map { [$0] } + [TrustRole.allCases])
    func aChangedKeyCostsOneRequestARoot(roles: [TrustRole]) async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        let (idle, _) = try world.device("idle")
        for each in [sync, idle] { #expect(await each.sync().outcome == .installed(release: 1)) }
        var rootBytes = 0
        for (index, role) in roles.enumerated() {
            world.days(1)
            let replaced = try #require(try world.administration.status()).roles
                .first { $0.role == role }?.keyIDs.first
            _ = try world.administration.rotate(
                role, replacing: replaced, adds: false, keys: world.keys)
            rootBytes += try world.fleet.folder.read(
                "release/metadata/\(index + 2).root.json"
            ).count
        }
        // Without another release, too.
        let poll = await idle.sync()
        #expect(poll.outcome == .upToDate && poll.changesetProblem == nil, "\(poll)")
        #expect(poll.tally.requests == 1 + roles.count)
        #expect(poll.tally.bodyBytes < rootBytes + 512)

        try world.publish(key: 1)
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 2) && report.changesetProblem == nil)
        #expect(report.tally.requests == 1 + roles.count && report.tally.blueprints == 1)
        #expect(report.tally.bodyBytes < rootBytes + 600, "\(report.tally)")
        #expect(try world.key(store) == [1])
        let next = await sync.sync()
        #expect(next.outcome == .upToDate && next.tally.requests == 1)
    }

    /// A root that the host does not have, or that devices do not follow: the plain way tells, and nothing is taken.
    @Test(arguments: ["missing", "forged"])
    func aChangesetUnderAnUnknownRootIsNotUsed(what: String) async throws {
        let (world, stranger) = (try SignedFleet(), try SignedFleet())
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        for each in [world, stranger] {
            _ = try each.administration.rotate(
                .timestamp, replacing: nil, adds: false, keys: each.keys)
        }
        try world.publish(key: 1)
        let path = world.release + "/metadata/2.root.json"
        try FileManager.default.removeItem(atPath: path)
        if what == "forged" {
            try FileManager.default.copyItem(
                atPath: stranger.release + "/metadata/2.root.json", toPath: path)
        }
        let report = await sync.sync()
        guard case .failed(let error) = report.outcome else {
            Issue.record("it did not fail: \(report)")
            return
        }
        #expect(error.code == .untrusted && report.changesetProblem != nil)
        #expect(try world.key(store) == [0])
    }

    /// A copy of the host that is behind answers whoever does not insist.
    @Test func aCopyOfTheHostThatIsBehindIsPassed() async throws {
        let world = try SignedFleet()
        let edge = try world.copy("edge")
        let (first, _) = try world.device()
        #expect(await first.sync().outcome == .installed(release: 1))
        world.days(1)
        try world.administration.refresh(keys: world.keys)
        #expect(await first.sync().outcome == .upToDate)
        let (sync, _) = try world.device(
            transport: StaleEdge(
                host: InProcessTransport(InProcessRouter(release: world.release)),
                edge: InProcessTransport(InProcessRouter(release: edge))))
        let report = await sync.sync()
        #expect(report.outcome == .upToDate && report.changesetProblem == nil)
        #expect(report.tally.requests == 2)
    }

    /// A publish that was killed before it removed old names leaves one that leads to the release before.
    @Test func aPublishWithoutNewsRemovesWhatLeadsElsewhere() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        let former = try world.fleet.folder.read("release/changes/1")
        try world.publish(key: 2)
        let newest = try world.fleet.folder.read("release/changes/1")
        func put(_ bytes: [UInt8], _ name: String) throws {
            let path = world.release + "/changes/" + name
            try? FileManager.default.removeItem(atPath: path)
            try Data(bytes).write(to: URL(filePath: path))
        }
        // To the release before, under another name, and of no use.
        for (bytes, name) in [(former, "1"), (newest, "7"), ([1, 2], "8")] { try put(bytes, name) }
        for keys in ["keys", nil] {
            let summary = try world.publish(keys: keys)
            #expect(!summary.isNew && summary.release == 3)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: world.release + "/changes")
            #expect(names.sorted() == ["2", "3"])
            try put(former, "1")
        }
        _ = try world.publish()
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 3) && report.changesetProblem == nil)
        #expect(try world.key(store) == [2])
    }

    // MARK: One way must not hide the other

    @Test func onlyTheChangesetIsWhole() async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        for part in ["objects", "targets", "blueprints", "metadata"] {
            try FileManager.default.removeItem(atPath: world.release + "/" + part)
        }
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 2) && report.changesetProblem == nil)
        #expect(try world.key(store) == [1])
    }

    @Test(arguments: ["damaged", "empty", "missing", "of another release", "of another manifest"])
    func whereTheChangesetIsNotTheRestIsEnough(what: String) async throws {
        let world = try SignedFleet()
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        let path = world.release + "/changes/1"
        var bytes = try world.fleet.folder.read("release/changes/1")
        switch what {
        case "damaged": bytes[bytes.count - 2] ^= 0x55
        case "empty": bytes = []
        case "of another release": bytes[4] = 2
        default: break
        }
        try FileManager.default.removeItem(atPath: path)
        if what != "missing" { try Data(bytes).write(to: URL(filePath: path)) }
        if what == "of another manifest" {
            let checksum = try #require(
                store.currentManifest()?.manifest.languages["es"]?.blueprint?.checksum)
            try store.stage([1, 2, 3], as: checksum)
        }
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 2))
        #expect((report.changesetProblem == nil) == (what == "missing"), "\(report)")
        #expect(try world.key(store) == [1])
        if what == "missing" {
            // It is not asked for at each poll.
            try FileManager.default.removeItem(atPath: world.release + "/changes")
            _ = await sync.sync()
            #expect(await sync.sync().tally.requests == 2)
            world.days(8)
            // The weekly check takes the plain way; the next one asks again.
            _ = await sync.sync(force: true)
            #expect(await sync.sync().tally.requests >= 3)
        }
    }

    /// Each byte of a changeset is altered in twelve ways: nothing but the signed release ever results.
    @Test func noAlteredChangesetLeadsToOtherContent() throws {
        let world = try SignedFleet()
        try world.publish(key: 1)
        let base = try manifest(world, 1)
        let newest = try manifest(world, 2)
        let bytes = try world.fleet.folder.read("release/changes/1")
        let root = try TrustedMetadata(root: [UInt8](world.root), verifiers: .swiftCrypto)
        var chance = SeededGenerator(seed: 3)
        var accepted = 0
        func take(_ bytes: [UInt8]) throws -> [UInt8] {
            let changeset = try Changeset(bytes)
            guard changeset.from == 1, changeset.rootVersion == 1 else {
                throw ChangesetError.damaged("")
            }
            var trusted = root
            let timestamp = try changeset.timestamp(after: trusted)
            try trusted.update(timestamp: timestamp, startedAt: world.clock.now)
            let snapshot = try changeset.snapshot(after: trusted) ?? []
            try trusted.update(snapshot: snapshot, startedAt: world.clock.now)
            let result = try ChangesetBody.rebuild(changeset, base: base) { object(world, $0) }
            let targets =
                try changeset.targets(
                    after: trusted, manifest: Checksum(of: result.manifest),
                    length: result.manifest.count) ?? []
            try trusted.update(targets: targets, startedAt: world.clock.now)
            return result.manifest
        }
        #expect(try take(bytes) == newest)
        for place in bytes.indices {
            for _ in 0..<12 {
                var altered = bytes
                altered[place] = UInt8.random(in: 0...255, using: &chance)
                guard altered != bytes, let manifest = try? take(altered) else { continue }
                accepted += 1
                #expect(manifest == newest, "byte \(place)")
            }
            if let manifest = try? take(Array(bytes.prefix(place))) {
                Issue.record("\(place) bytes lead to \(manifest.count)")
            }
        }
        // Unused bits of DEFLATE may be altered; what results is the same.
        #expect(accepted < 40)
    }
}

/// A host behind a cache that is older, which is passed by `Cache-Control: no-cache` alone.
private struct StaleEdge: Transport {
    let host: InProcessTransport
    let edge: InProcessTransport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await request.headers["Cache-Control"] == "no-cache"
            ? host.send(request) : edge.send(request)
    }
}
