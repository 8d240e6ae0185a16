import ContentModel
import Foundation
import OfflineStorage
import Publishing
import SignatureVerification
import SyncClient
import Workflows

/// The scene of a rollout: a fix goes to half of the devices first, is paused, and then reaches all.
struct DemoRollout {
    private typealias Device = (sync: ContentSync, store: OfflineStore)

    let story: DemoStory
    let releaseURL: URL
    private static let deviceCount = 4

    /// Plays the scene.
    ///
    /// - Throws: An error of any of its steps, also when a device has a release that is not for it.
    func play() async throws {
        let transport = HTTPTransport()
        defer { transport.close() }
        let root = try Data(contentsOf: story.release.appending(path: "metadata/1.root.json"))
        let devices = try (1...Self.deviceCount).map {
            try story.device(
                "rollout \($0)", transport, releaseURL,
                .pinned(root: root, verifiers: .swiftCrypto))
        }
        let before = try await releases(devices)
        try story.editTitle()
        let begun = try await story.publish(keys: keys, rollout: .set(percent: 50))
        let first = try await releases(devices)
        Console.say(
            "underway publish --rollout 50: release \(begun.release) is on"
                + " \(first.count { $0 == begun.release }) of \(devices.count) devices, each by a random place of"
                + " its own; the others have release \(before.max() ?? 0)")
        try await change(.pause)
        // Who has it also takes what follows, which is the same content.
        let since = begun.release
        guard try await releases(devices).map({ $0 >= since }) == first.map({ $0 >= since }) else {
            throw SyncError(.serverError, "A device got a release whose rollout is paused.")
        }
        Console.say("underway rollout pause: nobody else gets it")
        try await change(.resume)
        let all = try await change(.set(percent: 100))
        guard try await releases(devices).allSatisfy({ $0 == all.release }) else {
            throw SyncError(.serverError, "A device did not get the release that is for all.")
        }
        Console.say(
            Console.styled(
                "underway rollout set 100: all \(devices.count) devices have it", .green))
    }

    private var keys: String { story.root.appending(path: "keys").path }

    @discardableResult
    private func change(_ change: RolloutChange) async throws -> PublishSummary {
        try await story.run(ReleaseChange(.rollOut(change)), keys)
    }

    /// Lets each device ask, and returns the release that it has then.
    private func releases(_ devices: [Device]) async throws -> [Int] {
        var releases: [Int] = []
        for device in devices {
            let report = await device.sync.sync()
            if case .failed(let error) = report.outcome { throw error }
            releases.append(try device.store.currentGeneration()?.freshness.release ?? 0)
        }
        return releases
    }
}
