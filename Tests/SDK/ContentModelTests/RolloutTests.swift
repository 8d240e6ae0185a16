import TestSupport
import Testing

@testable import ContentModel

/// Which devices take a release that is being rolled out.
@Suite struct RolloutTests {
    private static let before = Rollout.Previous(
        release: 6, manifest: Checksum(of: [1]), size: 100)

    private func rollout(_ percent: Int, since: Int = 7) -> Rollout {
        Rollout(since: since, percent: percent, previous: Self.before)
    }

    private static func seeds(_ count: Int, _ seed: UInt64 = 19) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }

    private func takers(_ rollout: Rollout, _ seeds: [[UInt8]]) -> Set<[UInt8]> {
        Set(
            seeds.filter {
                rollout.obstacle(place: rollout.place(of: $0), appVersion: "1") == nil
            })
    }

    @Test(arguments: [0, 1, 10, 50, 99, 100])
    func theShareOfDevicesIsAsAskedFor(percent: Int) {
        let seeds = Self.seeds(20_000)
        let count = Double(takers(rollout(percent), seeds).count)
        let (share, n) = (Double(percent) / 100, Double(seeds.count))
        // Five standard deviations of the binomial distribution.
        #expect(
            abs(count - share * n) <= 5 * (share * (1 - share) * n).squareRoot(),
            "\(count), seed 19")
    }

    @Test func aLargerShareAddsDevicesAndLosesNone() {
        let seeds = Self.seeds(2_000)
        var had: Set<[UInt8]> = []
        for percent in stride(from: 0, through: 100, by: 5) {
            let have = takers(rollout(percent), seeds)
            #expect(have.isSuperset(of: had), "\(percent) %, seed 19")
            had = have
        }
        #expect(had.count == seeds.count)
    }

    @Test func eachRolloutDrawsOtherDevices() {
        let seeds = Self.seeds(5_000)
        let both = takers(rollout(10), seeds).intersection(takers(rollout(10, since: 8), seeds))
        // One in a hundred by chance.
        #expect((20...90).contains(both.count), "\(both.count), seed 19")
    }

    @Test func placesAreTheSameOnEachPlatform() {
        // SHA-256 of "seed/7" and of "seed/8", by sha256sum and bc.
        #expect(rollout(1).place(of: Array("seed".utf8)) == 2_923)
        #expect(rollout(1, since: 8).place(of: Array("seed".utf8)) == 5_458)
    }

    @Test func thePlaceJustBehindTheShareIsNotInIt() {
        #expect(rollout(10).obstacle(place: 999, appVersion: "1") == nil)
        #expect(rollout(10).obstacle(place: 1_000, appVersion: "1") == .share(percent: 10))
        #expect(rollout(0).obstacle(place: 0, appVersion: "1") == .share(percent: 0))
        #expect(rollout(100).obstacle(place: 9_999, appVersion: "1") == nil)
    }

    @Test(arguments: [
        ("2.0.9", false), ("2.1", true), ("2.1 (312)", true), ("2.10", true), ("3.0", true),
        ("3.0.1", false), ("underway 12 34", false), ("", false),
    ])
    func versionsOfTheAppAreCompared(version: String, takes: Bool) {
        var rollout = rollout(100)
        (rollout.minimumAppVersion, rollout.maximumAppVersion) = ("2.1", "3")
        let obstacle = rollout.obstacle(place: 0, appVersion: version)
        #expect((obstacle == nil) == takes)
        #expect(takes || obstacle == .appVersion)
    }

    @Test func aPausedOneTakesNobodyMore() {
        var paused = rollout(100)
        paused.isPaused = true
        #expect(paused.obstacle(place: 0, appVersion: "1") == .paused)
        // Who has a release of it gets what follows, but for versions of the app that cannot have it.
        #expect(paused.obstacle(place: nil, appVersion: "1") == nil)
        #expect(rollout(0).obstacle(place: nil, appVersion: "1") == nil)
        var later = paused
        later.minimumAppVersion = "2"
        #expect(later.obstacle(place: nil, appVersion: "1") == .appVersion)
        #expect(!paused.isComplete && rollout(100).isComplete && !rollout(99).isComplete)
        paused.isPaused = false
        paused.minimumAppVersion = "1"
        #expect(!paused.isComplete)
    }

    // MARK: In a manifest

    private static let hex = String(repeating: "ab", count: 32)
    private static let previous = "{\"release\":6,\"sha256\":\"\(hex)\",\"size\":9}"

    private func read(_ rollout: String) throws(ManifestError) -> Manifest {
        try ReleaseReader.manifest(
            Array(
                "{\"languages\":{},\"release\":9,\"rollout\":\(rollout),\"schemaVersion\":2}".utf8)
        ).manifest
    }

    @Test func aConditionOfALaterVersionHoldsTheReleaseBack() throws {
        let manifest = try read(
            "{\"since\":7,\"percent\":100,\"previous\":\(Self.previous),\"countries\":[\"at\"]}")
        #expect(manifest.rollout?.obstacle(place: 0, appVersion: "9") == .appVersion)
        let known = try read("{\"since\":7,\"percent\":100,\"previous\":\(Self.previous)}")
        #expect(known.rollout?.obstacle(place: 0, appVersion: "9") == nil)
    }

    /// A device that cannot read for whom a release is does not take it.
    @Test(arguments: [
        "[]", "{}", "\"all\"", "{\"since\":7,\"percent\":10}",
        "{\"since\":7,\"percent\":\"10\",\"previous\":\(previous)}",
        "{\"since\":7,\"percent\":-1,\"previous\":\(previous)}",
        "{\"since\":7,\"percent\":101,\"previous\":\(previous)}",
        "{\"since\":6,\"percent\":10,\"previous\":\(previous)}",
        "{\"since\":7,\"percent\":10,\"paused\":1,\"previous\":\(previous)}",
        "{\"since\":7,\"percent\":10,\"previous\":{\"release\":0,\"sha256\":\"\(hex)\",\"size\":9}}",
        "{\"since\":7,\"percent\":10,\"previous\":{\"release\":6,\"sha256\":\"../x\",\"size\":9}}",
        "{\"since\":7,\"percent\":10,\"previous\":{\"release\":6,\"sha256\":\"\(hex)\",\"size\":0}}",
        "{\"since\":7,\"percent\":10,\"previous\":{\"release\":6,\"sha256\":\"\(hex)\",\"size\":99999999}}",
        "{\"since\":7,\"percent\":10,\"minimumAppVersion\":\"new\",\"previous\":\(previous)}",
        "{\"since\":7,\"percent\":10,\"minimumAppVersion\":\"3\",\"maximumAppVersion\":\"2\",\"previous\":\(previous)}",
    ])
    func aRolloutThatCannotBeReadMakesTheManifestUnusable(text: String) {
        #expect(throws: ManifestError.self) { try read(text) }
    }

    @Test func itNamesNoDocument() throws {
        let manifest = Manifest(release: 7, rollout: rollout(10))
        #expect(manifest.entries.isEmpty && manifest.isEmpty)
        // Changesets count these (`ManifestOrdinals`).
        #expect(!String(decoding: manifest.canonicalBytes, as: UTF8.self).contains("\"sha256:"))
    }
}
