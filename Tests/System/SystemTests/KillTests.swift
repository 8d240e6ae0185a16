import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServiceAPI
import SyncClient
import TestSupport
import Testing

/// The program is killed at random moments; whatever it was doing, what was there stays whole.
@Suite(.serialized) struct KillTests {
    /// `script/nightly` kills 200 runs of each kind.
    private static let kills = TestRun.count("UNDERWAY_KILLS", orElse: 60)
    private static let runsMax = 1000
    private let languages = ["da", "de", "en", "es", "fi", "fr"]

    /// How long a whole run takes, so that the kills fall inside it.
    private func duration(of arguments: [String]) async throws -> UInt32 {
        let result = try await Tool.run(arguments)
        #expect(result.status == 0, "\(result.errors)")
        return UInt32(result.duration / .microseconds(1))
    }

    /// The kills follow the speed of the machine: later after one that hit, earlier after one
    /// that came too late.
    private static func next(_ window: UInt32, _ wasKilled: Bool) -> UInt32 {
        wasKilled ? window + window / 20 : max(5_000, window - window / 8)
    }

    private func expectWhole(_ release: String, _ comment: Comment) throws -> Int {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: release + "/manifest.json")))
        let manifest = try Manifest(bytes)
        for document in manifest.eagerDocuments {
            let path = release + "/" + ContentRoutes.object(document.checksum)
            let object = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(Checksum(of: object) == document.checksum, comment)
        }
        return manifest.release
    }

    @Test func aPublishThatIsKilledLeavesTheReleaseWhole() async throws {
        let fleet = try Fleet(languages)
        let arguments = [
            "publish", "--content", fleet.folder.path + "/content", "--release", fleet.release,
        ]
        try fleet.folder.writeBlueprint("es", key: 1)
        let whole = try await duration(of: arguments)
        var random = SeededGenerator(seed: 1)
        var killed = 0
        var window = whole
        var runs = 0
        var release = 0
        for run in 0..<Self.runsMax where killed < Self.kills {
            runs += 1
            for language in languages.shuffled(using: &random).prefix(3) {
                try fleet.folder.writeBlueprint(
                    language, key: run % 3, stem: "Run \(run) of \(language)?")
            }
            let result = try await Tool.run(
                arguments, killedAfter: .random(in: 0...window, using: &random))
            if result.wasKilled { killed += 1 }
            window = Self.next(window, result.wasKilled)
            let found = try expectWhole(fleet.release, "run \(run)")
            #expect(found >= release, "run \(run)")
            release = found
        }
        print("publish: \(killed) of \(runs) runs were killed, \(whole) µs a whole run")
        #expect(killed == Self.kills)
        let last = try await Tool.run(arguments)
        #expect(last.status == 0, "\(last.errors)")
        #expect(try expectWhole(fleet.release, "the end") >= release)
        #expect(
            try ReleaseDiff.pending(
                Publisher(folder: fleet.folder.path + "/content", releaseDirectory: fleet.release)
            ).files.isEmpty)
        #expect(try await Tool.run(["prune", "--keep", "1"] + arguments.dropFirst()).status == 0)
        _ = try expectWhole(fleet.release, "pruned")
    }

    /// A publish that signs, a change of its rollout and a refresh are killed; after each a device that pins the root, one
    /// that is new and one without a root find a release that is whole and signed.
    @Test func aSignedPublishThatIsKilledLeavesDevicesARelease() async throws {
        // The program signs by the clock of this machine; a schedule keeps whole seconds exactly.
        let world = try SignedFleet(
            clock: StoryClock(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())))
        let folder = world.fleet.folder
        let publish = [
            "publish", "--content", folder.path + "/content", "--release", world.release,
            "--keys", world.keys.path,
        ]
        let others = [
            ["trust", "refresh"] + publish.suffix(4),
            ["rollout", "set", "100"] + publish.dropFirst(), publish + ["--rollout", "90"],
        ]
        try folder.writeBlueprint("es", key: 1)
        let whole = try await duration(of: publish)
        let (pinned, store) = try world.device("pinned")
        let (believing, _) = try world.device("believing", pins: false)
        var random = SeededGenerator(seed: 19)
        var (killed, runs, release) = (0, 0, 0)
        var window = whole
        while killed < Self.kills, runs < Self.runsMax {
            runs += 1
            try folder.writeBlueprint("es", key: runs % 3, stem: "Run \(runs)?")
            let arguments = runs % 4 == 3 ? others.randomElement(using: &random) : publish
            let result = try await Tool.run(
                arguments ?? publish, killedAfter: .random(in: 0...window, using: &random))
            if result.wasKilled { killed += 1 }
            if arguments == publish { window = Self.next(window, result.wasKilled) }
            for sync in [pinned, believing] {
                let report = await sync.sync()
                if case .failed(let error) = report.outcome {
                    Issue.record("run \(runs), seed 19: \(error)")
                }
                #expect(report.changesetProblem == nil, "run \(runs), seed 19")
            }
            let found = try #require(try store.currentGeneration()).freshness.release
            #expect(found >= release, "run \(runs), seed 19")
            release = found
            if runs % 10 == 0 {
                let (new, _) = try world.device("new \(runs)")
                guard case .installed = await new.sync().outcome else {
                    Issue.record("a new device got nothing after run \(runs), seed 19")
                    continue
                }
            }
        }
        print("signed: \(killed) of \(runs) runs were killed, \(whole) µs a whole run")
        #expect(killed == Self.kills)
        let last = try await Tool.run(publish + ["--rollout", "100"])
        #expect(last.status == 0, "\(last)")
        let end = await pinned.sync()
        #expect(
            try world.key(store) == [runs % 3],
            "\(end.outcome), \(String(describing: end.heldRelease)), \(last.output)")
        #expect(try await Tool.run(["trust", "status", "--release", world.release]).status == 0)
    }

    @Test func aSyncThatIsKilledLeavesTheDeviceWhole() async throws {
        let fleet = try Fleet(languages)
        let languages = languages
        try await withServer(fleet.release) { url in
            let arguments = ["sync", url, "--force", "--store", fleet.folder.path + "/store"]
            let whole = try await duration(of: arguments)
            var random = SeededGenerator(seed: 2)
            var killed = 0
            var window = whole
            var runs = 0
            for run in 0..<Self.runsMax where killed < Self.kills {
                runs += 1
                for language in languages.shuffled(using: &random).prefix(3) {
                    try fleet.folder.writeBlueprint(
                        language, key: run % 3, stem: "Run \(run) of \(language)?")
                }
                try fleet.publish()
                let result = try await Tool.run(
                    arguments, killedAfter: .random(in: 0...window, using: &random))
                if result.wasKilled { killed += 1 }
                window = Self.next(window, result.wasKilled)
                let store = try fleet.store()
                #expect(try store.damagedBlobs().isEmpty, "run \(run)")
                let manifest = try #require(try store.currentManifest()).manifest
                for language in languages {
                    let answer = try store.blueprint(.placement(language: language))
                    #expect(
                        Checksum(of: answer.value.json.canonicalBytes)
                            == manifest.languages[language]?.blueprint?.checksum, "run \(run)")
                    #expect(!answer.freshness.isFallback, "run \(run)")
                }
            }
            print("sync: \(killed) of \(runs) runs were killed, \(whole) µs a whole run")
            #expect(killed == Self.kills)
            let last = try await Tool.run(arguments)
            #expect(last.status == 0, "\(last.errors)")
            let published = try Manifest(fleet.folder.read("release/manifest.json"))
            #expect(try fleet.store().currentManifest()?.manifest == published)
        }
    }

    @Test func aFullDiskStopsAPublishAndHarmsNothing() async throws {
        let fleet = try Fleet(["es"])
        let arguments = [
            "publish", "--content", fleet.folder.path + "/content", "--release", fleet.release,
        ]
        try fleet.folder.write(
            [UInt8](repeating: 7, count: 100_000), to: "content/assets/later.bin")
        let result = try await Tool.run(arguments, fileKilobytesMax: 40)
        #expect(result.status == 6)
        #expect(result.errors.contains("cannot be written"))
        #expect(result.errors.contains("untouched"))
        #expect(try expectWhole(fleet.release, "full") == 1)
        #expect(try await Tool.run(arguments).status == 0)
        #expect(try expectWhole(fleet.release, "after") == 2)
    }

    @Test func aFullDiskStopsASyncAndHarmsNothing() async throws {
        let fleet = try Fleet(["es"])
        try await withServer(fleet.release) { url in
            let arguments = ["sync", url, "--force", "--store", fleet.folder.path + "/store"]
            #expect(try await Tool.run(arguments).status == 0)
            try fleet.folder.write(
                [UInt8](repeating: 7, count: 900_000), to: "content/assets/large.bin")
            try fleet.edit(key: 2)
            for kilobytes in [200, 400] {
                let result = try await Tool.run(arguments, fileKilobytesMax: kilobytes)
                #expect(result.status == 6, "\(kilobytes) kB: \(result.errors)")
                #expect(try fleet.key(fleet.store()) == [0])
            }
            #expect(try await Tool.run(arguments).status == 0)
            #expect(try fleet.key(fleet.store()) == [2])
        }
    }

    @Test func twoProcessesOnOneStoreAgree() async throws {
        let fleet = try Fleet(languages)
        try await withServer(fleet.release) { url in
            let arguments = ["sync", url, "--force", "--store", fleet.folder.path + "/store"]
            for key in [1, 2, 0, 1] {
                try fleet.edit(key: key)
                try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<3 {
                        group.addTask { try await Tool.run(arguments).status }
                    }
                    for try await status in group { #expect(status == 0) }
                }
                #expect(try fleet.key(fleet.store()) == [key])
            }
        }
    }
}
