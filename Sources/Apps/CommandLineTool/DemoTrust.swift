import ContentModel
import Foundation
import OfflineStorage
import Publishing
import SignatureVerification
import SyncClient
import Workflows

/// The scene of signed releases: the host is taken over, and only the device that pins a root notices.
struct DemoTrust {
    let story: DemoStory
    let bank: QuestionFilter.Bank
    let releaseURL: URL

    /// Plays the scene.
    ///
    /// - Throws: An error of any of its steps, also when a device takes what it should refuse.
    func play() async throws {
        let keys = KeyFolder(story.root.appending(path: "keys").path)
        let root = try TrustAdministration(releaseDirectory: story.release.path, now: Date())
            .begin(keys: keys, plan: .init(), apart: [story.content.path])
        Console.say("underway trust init --keys \(keys.path)")
        let transport = HTTPTransport()
        defer { transport.close() }
        let pinned = try story.device(
            "pinned", transport, releaseURL,
            .pinned(root: Data(contentsOf: URL(filePath: root)), verifiers: .swiftCrypto))
        let believing = try story.device("believing", transport, releaseURL, .unsigned)
        let first = await pinned.sync.sync(force: true)
        Console.say("a device that pins the root: \(first.text)")
        _ = await believing.sync.sync(force: true)
        let before = try key(pinned.store)

        let forged = try await forge()
        _ = await believing.sync.sync(force: true)
        let report = await pinned.sync.sync()
        guard try key(believing.store) == forged, try key(pinned.store) == before else {
            throw SyncError(.serverError, "The devices do not have the keys that they should.")
        }
        Console.say(
            "somebody takes the host over and publishes a forged key: without a root a device has the key"
                + " \"\(forged)\" now")
        Console.say(
            Console.styled(
                "with the root it keeps \"\(before)\" (sync: \(report.text))", .green))

        let summary = try await story.publish(keys: keys.path)
        let mended = await pinned.sync.sync()
        guard mended.outcome == .installed(release: summary.release),
            mended.changesetProblem == nil
        else {
            throw SyncError(.serverError, "The signed release did not arrive: \(mended.text)")
        }
        let tally = mended.tally
        Console.say(
            Console.styled(
                "underway publish --keys: release \(summary.release) is signed, and taken at the next"
                    + " poll: \(Console.count(tally.requests, "request")), \(tally.bodyBytes) bytes with all"
                    + " signatures",
                .green))
    }

    /// Returns the key of the first question with a single right answer, as it is labelled.
    private func key(_ store: OfflineStore) throws -> String {
        try store.blueprint(bank).value.questions.first { $0.type == .singleChoice }?.keyLabel ?? ""
    }

    /// Publishes another key as somebody who may write to the host and has no keys.
    ///
    /// - Returns: The forged key.
    private func forge() async throws -> String {
        let files = FileManager.default
        let forgery = story.root.appending(path: "forgery")
        try? files.removeItem(at: forgery)
        try files.copyItem(at: story.content, to: forgery)
        let question = try story.store.blueprint(bank).value.questions
            .first { $0.type == .singleChoice }
        let spoiled = try DemoStory.spoil(question, of: bank.name, in: forgery)
        // The publisher refuses to leave a signed release unsigned; a thief does not ask.
        let signed = ["metadata", "changes"].map { folder in
            (story.release.appending(path: folder), story.root.appending(path: "\(folder)-aside"))
        }
        for (folder, aside) in signed { try files.moveItem(at: folder, to: aside) }
        defer { for (folder, aside) in signed { try? files.moveItem(at: aside, to: folder) } }
        _ = try await story.run(ReleaseChange(.publish), content: forgery)
        return spoiled.keyLabel
    }
}
