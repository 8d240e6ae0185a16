import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What `publish --rollout` and `rollout` make of a release.
@Suite struct RolloutTests {
    private let library: Library

    init() throws {
        library = try Library(["es"])
        try library.publish()
    }

    private var publisher: Publisher {
        Publisher(folder: library.content, releaseDirectory: library.release)
    }

    @discardableResult
    private func publish(_ key: Int? = nil, _ change: RolloutChange? = nil) throws -> PublishSummary
    {
        if let key { try library.folder.writeBlueprint("es", key: key) }
        var publisher = publisher
        publisher.rollout = change
        return try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "t")
    }

    @discardableResult
    private func change(_ change: RolloutChange) throws -> PublishSummary {
        try publisher.changeRollout(change, nowSeconds: 2_000_000_000, generatedAt: "t")
    }

    private func manifest(_ name: String = "manifest.json") throws -> Manifest {
        try Manifest([UInt8](Data(contentsOf: URL(filePath: library.release + "/" + name))))
    }

    private func refusal(_ body: () throws -> PublishSummary) throws -> PublishingError? {
        let before = try manifest()
        let error = #expect(throws: PublishingError.self) { _ = try body() }
        #expect(try manifest() == before)
        return error
    }

    @Test func itBeginsWithTheReleaseBeforeForTheOthers() throws {
        let before = try Data(contentsOf: URL(filePath: library.release + "/manifest.json"))
        let summary = try publish(1, .set(percent: 10, minimumAppVersion: "2.1"))
        let rollout = try #require(try manifest().rollout)
        #expect(summary.release == 2 && summary.isNew)
        #expect(
            rollout
                == Rollout(
                    since: 2, percent: 10, minimumAppVersion: "2.1",
                    previous: .init(
                        release: 1, manifest: Checksum(of: [UInt8](before)), size: before.count)))
        #expect(summary.rollout == RolloutSummary(rollout))
        // The form of `--json` has it.
        let json = try JSONEncoder().encode(summary)
        #expect(try JSONDecoder().decode(PublishSummary.self, from: json) == summary)
        #expect(try publisher.status().rollout == RolloutSummary(rollout))
    }

    @Test(arguments: [false, true])
    func aFixGoesToTheSameDevices(losesIndex: Bool) throws {
        try publish(1, .set(percent: 10))
        if losesIndex {
            try FileManager.default.removeItem(atPath: library.release + "/.underway/index")
        }
        try publish(2)
        let rollout = try #require(try manifest().rollout)
        #expect(try manifest().release == 3)
        #expect(rollout.since == 2 && rollout.percent == 10 && rollout.previous.release == 1)
        #expect(try !publish().isNew, "nothing differs")
    }

    @Test func theShareIsChangedWithoutOtherContent() throws {
        try publish(1, .set(percent: 10, maximumAppVersion: "3"))
        // Not published yet, and not by this.
        try library.folder.writeBlueprint("es", key: 2)
        let wider = try change(.set(percent: 50))
        #expect(wider.release == 3 && wider.changed.isEmpty && wider.isNew)
        let (before, after) = (try manifest("releases/2/manifest.json"), try manifest())
        #expect(after.languages == before.languages && after.rollout?.percent == 50)
        #expect(after.rollout?.maximumAppVersion == "3" && after.rollout?.since == 2)
        #expect(try !change(.set(percent: 50)).isNew)
        #expect(try manifest().release == 3)
        #expect(try publisher.publications().map(\.action) == [.publish, .publish, .rollout])
        // The edit is still to be published.
        #expect(try publish().changed == ["blueprints/es.json"])
    }

    @Test func aPauseIsUndoneByResuming() throws {
        try publish(1, .set(percent: 10))
        #expect(try change(.pause).rollout?.isPaused == true)
        #expect(try !change(.pause).isNew)
        // A fix stays with the pause, and a share too.
        #expect(try publish(2).rollout?.isPaused == true)
        #expect(try change(.set(percent: 100)).rollout?.isPaused == true)
        #expect(try change(.resume).rollout == nil)
        #expect(try manifest().rollout == nil)
    }

    @Test func oneThatAllDevicesTakeSaysNothing() throws {
        try publish(1, .set(percent: 10, minimumAppVersion: "2"))
        #expect(try change(.set(percent: 100)).rollout?.minimumAppVersion == "2")
        #expect(try change(.set(percent: 100, minimumAppVersion: "")).rollout == nil)
        #expect(try manifest().rollout == nil)
        #expect(try publish(2, .set(percent: 100)).rollout == nil)
        // The next one begins anew.
        #expect(try publish(1, .set(percent: 5)).rollout?.previousRelease == 5)
    }

    @Test func goingBackIsForAllDevices() throws {
        try publish(1, .set(percent: 10))
        let back = try publisher.rollback(to: 1, nowSeconds: 2_000_000_000, generatedAt: "t")
        #expect(back.rollout == nil)
        let (before, after) = (try manifest("releases/1/manifest.json"), try manifest())
        #expect(after.rollout == nil && after.languages == before.languages)
    }

    @Test func whatCannotBeIsRefused() throws {
        #expect(try refusal { try change(.pause) }?.code == .invalidRequest)
        #expect(
            try refusal { try change(.set(percent: 10)) }?.message.contains("every device") == true)
        #expect(
            try refusal { try publish(1, .set(percent: 10, minimumAppVersion: "new")) }?.message
                .contains("numbers and dots") == true)
        #expect(try refusal { try publish(1, .set(percent: 101)) }?.code == .invalidRequest)
        #expect(
            try refusal {
                try publish(1, .set(percent: 9, minimumAppVersion: "3", maximumAppVersion: "2"))
            }?.message.contains("no version") == true)
        let first = try Library(["es"])
        var publisher = Publisher(folder: first.content, releaseDirectory: first.release)
        publisher.rollout = .set(percent: 10)
        let error = #expect(throws: PublishingError.self) {
            try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "t")
        }
        #expect(error?.message.contains("first release") == true)
    }

    @Test func withoutAnythingNewThereIsNothingToRollOut() throws {
        let summary = try publish(nil, .set(percent: 10))
        #expect(!summary.isNew && summary.rollout == nil)
        #expect(try manifest().release == 1)
    }

    @Test func theReleaseOfTheOtherDevicesIsKept() throws {
        try publish(1, .set(percent: 10))
        for percent in 11...14 { try change(.set(percent: percent)) }
        let before = try manifest("releases/1/manifest.json")
        let pruned = try publisher.prune(keep: 1)
        #expect(pruned.releases == [2, 3, 4, 5])
        #expect(try manifest("releases/1/manifest.json") == before)
        for entry in before.entries {
            let path = library.release + "/" + ReleasePath.object(entry.checksum).text
            #expect(FileManager.default.fileExists(atPath: path), "\(entry.path)")
        }
        try change(.set(percent: 100))
        #expect(try publisher.prune(keep: 1).releases == [1, 6])
    }

    @Test func aReleaseBeforeThatIsGoneIsNoticed() throws {
        try publish(1, .set(percent: 10))
        try FileManager.default.removeItem(atPath: library.release + "/releases/1/manifest.json")
        for attempt in [{ try publish(2) }, { try publish() }, { try change(.set(percent: 20)) }] {
            let error = try refusal(attempt)
            #expect(error?.code == .unreadable && error?.message.contains("releases/1") == true)
        }
        // What is said to help helps.
        #expect(try change(.set(percent: 100)).rollout == nil)
        #expect(try publish(2).isNew)
    }

    /// A pause is for what went wrong, and whatever was said before there is a way out.
    @Test func aRolloutIsStoppedAndEndedThoughTheReleaseBeforeIsGone() throws {
        try publish(1, .set(percent: 10, minimumAppVersion: "2"))
        try FileManager.default.removeItem(atPath: library.release + "/releases/1/manifest.json")
        #expect(try change(.pause).rollout?.isPaused == true)
        let error = try refusal { try publish(2) }
        #expect(
            error?.message.contains(
                "`underway rollout set 100 --min-app-version any`, then `underway rollout resume`")
                == true, "\(error?.message ?? "")")
        #expect(
            try change(.set(percent: 100, minimumAppVersion: "")).rollout?.isPaused == true)
        #expect(try change(.resume).rollout == nil)
        #expect(try publish(2).isNew)
    }

    /// Devices that have all taken part in a rollout take what follows in it, whatever the share.
    @Test func aShareOfThoseWhoAllTakePartIsRefused() throws {
        try publish(1, .set(percent: 100, minimumAppVersion: "2"))
        let error = try refusal { try publish(2, .set(percent: 10)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("with the app 2 or newer takes part") == true)
        let summary = try publish(2)
        #expect(
            summary.rollout?.sentence(of: summary.release)
                == "Release 3 goes to all devices with the app 2 or newer; the others keep what they have, and new"
                + " ones get release 1.")
        try change(.set(percent: 100, minimumAppVersion: ""))
        #expect(try publish(1, .set(percent: 10)).rollout?.percent == 10)
    }

    @Test func forAllIsNothingSpecialForTheFirstRelease() throws {
        let first = try Library(["es"])
        var publisher = Publisher(folder: first.content, releaseDirectory: first.release)
        publisher.rollout = .set(percent: 100)
        let summary = try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "t")
        #expect(summary.release == 1 && summary.rollout == nil)
    }

    // MARK: Versions of the app

    private func declare(_ version: String, _ change: (inout DecoderProfile) -> Void) throws {
        var profile = DecoderProfile.current(appVersion: version)
        profile.names["questionTypes"]?.remove("single-choice")
        change(&profile)
        try library.folder.write(profile.text, to: "content/profiles/\(version).json")
        try library.folder.write(
            "name: Test\nsupports: [profiles]\n", to: "content/underway.yaml")
    }

    /// A version that does not get the release need not be able to read it; once it gets it, it must.
    @Test func aVersionThatARolloutLeavesOutIsNotAsked() throws {
        try declare("2.0") { _ in }
        let all = try refusal { try publish(1, .set(percent: 10)) }
        #expect(all?.code == .contentErrors)
        let newer = RolloutChange.set(percent: 100, minimumAppVersion: "2.1")
        #expect(try publish(1, newer).rollout?.minimumAppVersion == "2.1")
        #expect(try publish(2).isNew)
        let lifted = try refusal { try change(.set(percent: 100, minimumAppVersion: "")) }
        #expect(lifted?.code == .contentErrors && !(lifted?.problems.isEmpty ?? true))
        // A pause asks nobody.
        #expect(try change(.pause).isNew)
        // What is gone from the folder and not published yet is still in the release.
        try library.folder.remove("content/languages/es")
        try library.folder.remove("content/exams")
        let stays = try refusal { try change(.set(percent: 100, minimumAppVersion: "")) }
        #expect(stays?.code == .contentErrors, "\(stays?.message ?? "")")
    }

    @Test func aVersionThatKnowsNoRolloutsGetsEveryRelease() throws {
        try declare("1.0") { $0.fields["manifest"]?.remove("rollout") }
        let newer = RolloutChange.set(percent: 100, minimumAppVersion: "2.1")
        #expect(try refusal { try publish(1, newer) }?.code == .contentErrors)
        // One that can read it is named all the same: it takes the release at once.
        var profile = DecoderProfile.current(appVersion: "1.0")
        profile.fields["manifest"]?.remove("rollout")
        try library.folder.write(profile.text, to: "content/profiles/1.0.json")
        let warnings = try publish(1, newer).warnings.map(\.message)
        #expect(
            warnings.contains(
                "rollouts are not known to app 1.0, which takes the release at once"),
            "\(warnings)")
        let wider = try change(.set(percent: 50)).warnings.map(\.message)
        #expect(wider.contains { $0.contains("takes the release at once") }, "\(wider)")
    }

    /// With a bundle every installation has the release at once: a share or a pause would count for nobody.
    @Test(arguments: [RolloutChange.set(percent: 10), .set(percent: 99)], [false, true])
    func aBundleRefusesAReleaseThatSomeDevicesHaveFirst(
        share: RolloutChange, isPaused: Bool
    ) throws {
        try publish(1, share)
        if isPaused { try change(.pause) }
        let output = library.folder.path + "/bundle"
        let error = #expect(throws: PublishingError.self) {
            try BundleWriter.write(releaseDirectory: library.release, to: output)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("`underway rollout set 100`") == true)
        #expect(error?.message.contains("`underway rollback 1`") == true)
        #expect(error?.message.contains("resume") == isPaused)
        #expect(!library.folder.exists("bundle"))
    }

    @Test func aBundleSaysForWhichVersionsItsReleaseIs() throws {
        try publish(1, .set(percent: 100, minimumAppVersion: "2.0"))
        let bundle = try BundleWriter.write(
            releaseDirectory: library.release, to: library.folder.path + "/bundle")
        #expect(bundle.release == 2 && bundle.rollout?.minimumAppVersion == "2.0")
    }

    /// The gate would be dropped, and no version that it left out was asked.
    @Test(arguments: [
        RolloutChange.set(percent: 10), .set(percent: 100, minimumAppVersion: "2.1"),
    ])
    func aReleaseForSomeDevicesDoesNotComeBackForAll(gate: RolloutChange) throws {
        try publish(1, gate)
        try publish(2)
        try publish(1, .set(percent: 100, minimumAppVersion: ""))
        for number in [2, 3] {
            let before = try library.folder.read("release/manifest.json")
            let error = try refusal {
                try publisher.rollback(
                    to: number, nowSeconds: 2_000_000_000, generatedAt: "t")
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("Roll back to release 1") == true, "\(error as Any)")
            #expect(error?.message.contains("--rollout") == true)
            #expect(try library.folder.read("release/manifest.json") == before)
        }
        let back = try publisher.rollback(to: 1, nowSeconds: 2_000_000_000, generatedAt: "t")
        #expect(back.isNew && back.rollout == nil)
    }
}
