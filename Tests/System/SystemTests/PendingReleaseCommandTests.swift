import ContentModel
import DatabaseTestSupport
import Foundation
import Publishing
import SyncClient
import TestSupport
import Testing

/// Authors on several machines, by the commands that they type, and a device that follows.
@Suite struct PendingReleaseCommandTests {
    private let fleet: Fleet
    private var folders: [String] {
        ["--content", fleet.folder.path + "/content", "--release", fleet.release]
    }
    private var file: String { fleet.release + "/.underway/pending/2.json" }
    private var root: String { fleet.release + "/metadata/1.root.json" }

    /// Signs a release of two authors, each with a folder of keys of their own.
    init() throws {
        fleet = try Fleet(["es"])
        var plan = TrustAdministration.Plan()
        (plan.authors, plan.threshold) = (2, 2)
        try Self.begin(fleet, plan, now: Date())
    }

    private static func begin(
        _ fleet: Fleet, _ plan: TrustAdministration.Plan, now: Date
    ) throws {
        let all = KeyFolder(fleet.folder.path + "/all")
        _ = try TrustAdministration(releaseDirectory: fleet.release, now: now)
            .begin(keys: all, plan: plan, apart: [])
        let names = try all.load(apart: []).map(\.name)
        let authors = names.filter { $0.hasPrefix("targets") }
        let others = names.filter { $0.hasPrefix("snapshot") || $0.hasPrefix("timestamp") }
        for (name, keys) in [("ada", [authors[0]] + others), ("bea", [authors[1]])] {
            let folder = fleet.folder.path + "/" + name
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            for key in keys {
                try FileManager.default.copyItem(
                    atPath: "\(all.path)/\(key).pem", toPath: "\(folder)/\(key).pem")
            }
        }
    }

    private func keys(_ name: String) -> [String] { ["--keys", fleet.folder.path + "/" + name] }

    private func publish(_ more: [String] = []) async throws -> Tool.Result {
        try await Tool.run(["publish"] + folders + keys("ada") + more)
    }

    @Test func twoAuthorsSignByTheCommand() async throws {
        try fleet.folder.writeBlueprint("es", key: 2)
        let waiting = try await publish(["--json"])
        #expect(waiting.status == 8, "\(waiting.output)")
        #expect(waiting.output.contains("\"code\": \"pending\""), "\(waiting.output)")
        #expect(waiting.output.contains("trust sign 2.json"), "\(waiting.output)")
        let before = try Data(contentsOf: URL(filePath: file))
        let copy = fleet.folder.path + "/copy.json"
        try before.write(to: URL(filePath: copy))

        let look = try await Tool.run(["trust", "sign", copy, "--root", root])
        #expect(look.status == 0 && look.output.contains("+ third"), "\(look)")
        let unasked = try await Tool.run(["trust", "sign", copy, "--root", root] + keys("bea"))
        #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked)")
        let stranger = try await Tool.run(
            ["trust", "sign", copy, "--root", copy, "--yes"] + keys("bea"))
        #expect(stranger.status == 7 || stranger.status == 6, "\(stranger)")
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)

        let signed = try await Tool.run(
            ["trust", "sign", copy, "--root", root, "--yes"] + keys("bea"))
        #expect(signed.status == 0 && signed.output.contains("2 of 2"), "\(signed)")
        let again = try await Tool.run(
            ["trust", "sign", copy, "--root", root, "--yes"] + keys("bea"))
        #expect(again.status == 0 && again.output.contains("already"), "\(again)")
        let status = try await Tool.run(["trust", "status", "--release", fleet.release])
        #expect(status.output.contains("1 of 2"), "\(status)")

        try FileManager.default.copyItem(
            atPath: copy, toPath: fleet.release + "/.underway/pending/bea.json")
        let done = try await publish()
        #expect(done.status == 0 && done.output.contains("release 2"), "\(done)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    /// What content says is never at the beginning of a line, as are the words of the program.
    @Test func noContentPassesForWordsOfTheProgram() async throws {
        try fleet.folder.writeBlueprint("es", stem: "One?\\r\\nNo difference.\\nNo difference.")
        #expect(try await publish().status == 8)
        for command in [["trust", "sign", file, "--root", root], ["diff"] + folders] {
            let look = try await Tool.run(command)
            #expect(look.status == 0 && look.output.contains("No difference."), "\(look)")
            let lines = look.output.split(whereSeparator: \.isNewline)
            #expect(!lines.contains { $0.hasPrefix("No difference.") }, "\(look.output)")
        }
    }

    @Test func aReleaseIsDroppedByTheCommand() async throws {
        try fleet.folder.writeBlueprint("es", key: 2)
        #expect(try await publish().status == 8)
        try fleet.folder.writeBlueprint("es", key: 1)
        let stale = try await publish()
        #expect(stale.status == 7 && stale.errors.contains("trust discard"), "\(stale)")
        for status in [0, 4] as [Int32] {
            let result = try await Tool.run(["trust", "discard", "--release", fleet.release])
            #expect(result.status == status, "\(result)")
        }
        #expect(try await publish().status == 8)
    }

    /// Whatever the moment of a kill, the release waits or is live, and the next run finishes it.
    @Test func aKilledPublishLeavesItWaitingOrLive() async throws {
        var random = SeededGenerator(seed: 7)
        let bea = try KeyFolder(fleet.folder.path + "/bea").load(apart: []).map(\.key)
        let root = try [UInt8](Data(contentsOf: URL(filePath: root)))
        var window: UInt32 = 400_000
        for run in 0..<12 {
            let number = run + 2
            try fleet.folder.writeBlueprint("es", key: [1, 2, 0][run % 3], stem: "Run \(run)?")
            #expect(try await publish().status == 8, "\(run)")
            let file = "release/.underway/pending/\(number).json"
            var review = try PendingReview(
                PendingRelease(fleet.folder.read(file), path: file), against: .root(root),
                now: Date())
            try review.sign(with: bea)
            try fleet.folder.write(review.pending.bytes, to: file)
            let result = try await Tool.run(
                ["publish"] + folders + keys("ada"),
                killedAfter: .random(in: 0...window, using: &random))
            window = result.wasKilled ? window + window / 4 : window - window / 4
            let manifest = try Manifest(fleet.folder.read("release/manifest.json"))
            let isLive = manifest.release == number
            #expect(isLive || manifest.release == number - 1, "\(run)")
            let status = try #require(
                try TrustAdministration(releaseDirectory: fleet.release, now: Date()).status())
            // Whoever does not see it yet can still finish it.
            #expect(status.namesCurrentRelease && isLive || status.pending != nil, "\(run)")
            #expect(try await publish().status == 0, "\(run)")
            let last = try TrustAdministration(releaseDirectory: fleet.release, now: Date())
                .status()
            #expect(last?.namesCurrentRelease == true && last?.pending == nil, "\(run)")
            #expect(
                try Manifest(fleet.folder.read("release/manifest.json")).release == number,
                "\(run)")
        }
    }

    @Test func aDeviceSeesAReleaseOnceBothHaveSigned() async throws {
        var plan = TrustAdministration.Plan()
        (plan.authors, plan.threshold) = (2, 2)
        let world = try SignedFleet(plan)
        let (sync, store) = try world.device()
        #expect(await sync.sync().outcome == .installed(release: 1))
        let all = try world.keys.load(apart: [])
        let author = try #require(all.first { $0.name.hasPrefix("targets") })
        let folder = world.fleet.folder
        try FileManager.default.copyItem(
            atPath: folder.path + "/keys", toPath: folder.path + "/ada")
        try folder.remove("ada/\(author.name).pem")
        try folder.writeBlueprint("es", key: 2)
        var publisher = world.publisher("ada")
        publisher.leavesPending = true
        func publish() throws -> PublishSummary {
            try publisher.publish(
                nowSeconds: Int(world.clock.now.timeIntervalSince1970),
                generatedAt: world.clock.now.formatted(.iso8601))
        }
        let error = #expect(throws: PublishingError.self) { try publish() }
        #expect(error?.code == .isPending)
        #expect(await sync.sync().outcome == .upToDate)
        // Days later, after the timestamp was signed again.
        world.days(3)
        try world.administration.refresh(keys: world.keys)
        let file = "release/.underway/pending/2.json"
        var review = try PendingReview(
            PendingRelease(folder.read(file), path: file), against: .root([UInt8](world.root)),
            now: world.clock.now)
        try review.sign(with: [author.key])
        try folder.write(review.pending.bytes, to: file)
        #expect(try publish().release == 2)
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 2) && report.changesetProblem == nil)
        #expect(try world.key(store) == [2])
        #expect(await sync.sync().outcome == .upToDate)
        // A device that was never there takes the plain way.
        let (late, lateStore) = try world.device("late")
        #expect(await late.sync().outcome == .installed(release: 2))
        #expect(try world.key(lateStore) == [2])
        try world.publish(key: 1)
        #expect(await sync.sync().outcome == .installed(release: 3))
    }
}

/// A server with the timestamp's key.
@Suite struct TimestampServiceTests {
    private func timestampKey(_ folder: String, _ role: String = "timestamp") throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first { $0.hasPrefix(role) && $0.hasSuffix(".pem") })
        return folder + "/" + name
    }

    @Test func aServerSignsWhatWasSignedYesterday() async throws {
        let fleet = try Fleet(["es"])
        let keys = fleet.folder.path + "/all"
        func administration(_ now: Date = Date()) -> TrustAdministration {
            TrustAdministration(releaseDirectory: fleet.release, now: now)
        }
        _ = try administration(Date() - 2 * 86_400)
            .begin(keys: KeyFolder(keys), plan: .init(), apart: [])
        let before = try #require(try administration().status()?.roles[1].expires)
        let server = try await Tool.Server([
            "--release", fleet.release, "--timestamp-key", timestampKey(keys),
        ])
        try await eventually("a new timestamp") {
            try administration().status()?.roles[1].expires ?? before > before
        }
        try server.kill()
        #expect(try administration().status()?.needsAttention == false)
    }

    @Test func aKeyThatCannotSignEndsTheStart() async throws {
        let fleet = try Fleet(["es"])
        let keys = fleet.folder.path + "/all"
        _ = try TrustAdministration(releaseDirectory: fleet.release, now: Date())
            .begin(keys: KeyFolder(keys), plan: .init(), apart: [])
        let key = try timestampKey(keys, "snapshot")
        let words = ["serve", "--port", "0", "--release", fleet.release, "--timestamp-key"]
        let other = try await Tool.run(words + [key])
        #expect(other.status == 7 && other.errors.contains("trust status"), "\(other)")
        let none = try await Tool.run(words + [fleet.folder.path + "/nothing.pem"])
        #expect(none.status == 6, "\(none)")
    }
}
