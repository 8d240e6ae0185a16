import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Somebody without a key, who can write to the release directory, gets nothing signed that is not in the content folder.
@Suite struct VouchingTests {
    private let library: Library
    private let start = 1_800_000_000

    init() throws {
        library = try Library(["de", "es"])
        _ = try publish()
        _ = try TrustAdministration(
            releaseDirectory: library.release, now: Date(timeIntervalSince1970: 1_800_000_000),
            content: library.content
        ).begin(keys: KeyFolder(keys), plan: .init(), apart: [])
    }

    private var keys: String { library.folder.path + "/keys" }

    private func publisher(_ rollout: RolloutChange? = nil) -> Publisher {
        var publisher = Publisher(
            folder: library.content, releaseDirectory: library.release, keys: keys)
        publisher.rollout = rollout
        publisher.leavesPending = true
        return publisher
    }

    @discardableResult
    private func publish(key: Int? = nil, _ rollout: RolloutChange? = nil) throws
        -> PublishSummary
    {
        if let key { try library.folder.writeBlueprint("es", key: key) }
        return try publisher(rollout).publish(nowSeconds: start + 10, generatedAt: "t")
    }

    private func rollback(to release: Int) throws -> PublishSummary {
        try publisher().rollback(to: release, nowSeconds: start + 10, generatedAt: "t")
    }

    private func bytes(_ release: Int? = nil) throws -> [UInt8] {
        try library.folder.read(path(release))
    }

    private func path(_ release: Int?) -> String {
        "release/" + (release.map { "releases/\($0)/" } ?? "") + "manifest.json"
    }

    /// Puts a manifest in the place of one or two that were published.
    private func plant(_ manifest: [UInt8], _ releases: [Int?]) throws {
        for release in releases {
            try library.folder.remove(path(release))
            try library.folder.write(manifest, to: path(release))
        }
    }

    /// The current manifest with another bank under "es", whose object is there, and other members.
    private func forged(
        release: Int? = nil, rollout: Rollout? = nil, bank: Bool = true
    ) throws -> [UInt8] {
        var manifest = try Manifest(bytes())
        let other = try evilBank()
        if bank { manifest.languages["es"]?.blueprint = other }
        if let release { manifest.release = release }
        manifest.rollout = rollout
        return manifest.canonicalBytes
    }

    /// A bank that is in no content folder, as an object.
    private func evilBank() throws -> ContentReference {
        let text = String(
            decoding: try library.folder.read("release/blueprints/es.json"), as: UTF8.self)
        let bytes = Array(text.replacing("first", with: "wrong").utf8)
        let checksum = Checksum(of: bytes)
        try library.folder.write(bytes, to: "release/" + ReleasePath.object(checksum).text)
        var entry = try #require(try Manifest(self.bytes()).languages["es"]?.blueprint)
        (entry.checksum, entry.size) = (checksum, bytes.count)
        return entry
    }

    private func previous(_ manifest: [UInt8], _ release: Int) -> Rollout.Previous {
        .init(release: release, manifest: Checksum(of: manifest), size: manifest.count)
    }

    /// What is signed now is what the content folder has.
    private func expectOwn(key: Int, rollout: Int? = nil) throws {
        let trust = try #require(try ReleaseTrust(ReleaseDirectory(root: library.release)))
        let manifest = try Manifest(bytes())
        #expect(trust.names(Checksum(of: try bytes())))
        let bank = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        #expect(bank.questions[0].correctOptionIDs == [["a", "b", "c"][key]])
        #expect(bank.questions[0].options[0].text == "first")
        #expect(
            manifest.languages["es"]?.blueprint?.checksum
                == Checksum(of: try library.folder.read("release/blueprints/es.json")))
        #expect(manifest.rollout?.percent == rollout)
        try library.expectWhole()
    }

    private func refusal(
        _ code: PublishingError.Code, _ body: () throws -> PublishSummary
    ) throws -> String {
        let directory = ReleaseDirectory(root: library.release)
        let before = try ReleaseTrust(directory)?.trusted.file(.timestamp)?.bytes
        let error = #expect(throws: PublishingError.self) { _ = try body() }
        #expect(error?.code == code, "\(error?.message ?? "")")
        #expect(try ReleaseTrust(directory)?.trusted.file(.timestamp)?.bytes == before)
        return error?.message ?? ""
    }

    // MARK: Rollouts

    @Test func aRolloutBeginsAfterTheSignedRelease() throws {
        let signed = try bytes()
        try plant(forged(), [1])
        #expect(try publish(key: 2, .set(percent: 10)).release == 2)
        #expect(try Manifest(bytes()).rollout?.previous == previous(signed, 1))
        #expect(try bytes(1) == signed)
        try plant(forged(), [1])
        let message = try refusal(.unreadable) { try publish(key: 1) }
        #expect(message.contains("releases/1/manifest.json"), "\(message)")
    }

    @Test(arguments: [false, true])
    func aRolloutThatNobodySignedIsNotGoneOnWith(edits: Bool) throws {
        let evil = try forged(release: 20)
        try library.folder.write(evil, to: path(20))
        let rollout = Rollout(since: 21, percent: 0, previous: previous(evil, 20))
        try plant(forged(rollout: rollout, bank: false), [nil, 1])
        let message = try refusal(.needsSignatures) { try publish(key: edits ? 2 : nil) }
        #expect(message.contains("--rollout 100"), "\(message)")
        // What is said to help helps.
        #expect(try publish(.set(percent: 100)).release == 21)
        try expectOwn(key: edits ? 2 : 0)
    }

    @Test func aRolloutIsChangedOnlyWhereItIsSigned() throws {
        try publish(key: 2, .set(percent: 10))
        var manifest = try Manifest(bytes())
        manifest.rollout?.percent = 90
        try plant(manifest.canonicalBytes, [nil, 2])
        for change in [RolloutChange.set(percent: 20), .pause] {
            _ = try refusal(.needsSignatures) {
                try publisher().changeRollout(change, nowSeconds: start + 20, generatedAt: "t")
            }
        }
        try publish(.set(percent: 10))
        try expectOwn(key: 2, rollout: 10)
    }

    @Test func aFixOfARolloutLeadsTheOthersWhereItsBeginDid() throws {
        let signed = try bytes()
        try publish(key: 2, .set(percent: 10))
        try library.folder.remove("release/.underway/index")
        try publish(key: 1)
        #expect(try Manifest(bytes()).rollout?.previous == previous(signed, 1))
        try expectOwn(key: 1, rollout: 10)
    }

    // MARK: Manifest and index

    @Test func membersOfAManifestThatNobodySignedAreNotSigned() throws {
        let text = String(decoding: try bytes(), as: UTF8.self)
        try plant(Array("\(text.dropLast()),\"zukunft\":{\"u\":\"x\"}}".utf8), [nil, 1])
        #expect(try publish().release == 2)
        #expect(!String(decoding: try bytes(), as: UTF8.self).contains("zukunft"))
        try expectOwn(key: 0)
    }

    @Test(arguments: [false, true])
    func anIndexThatSaysOtherThanTheSignaturesIsNotBelieved(edits: Bool) throws {
        let evil = try evilBank()
        let file = "release/" + ReleaseIndex.path
        var index = try #require(ReleaseIndex(library.folder.read(file)))
        var unit = try #require(index.units[.blueprints, "es"])
        unit.fragment = evil.json.canonicalBytes
        index.units[.blueprints, "es"] = unit
        try library.folder.write(index.bytes, to: file)
        if edits { try library.folder.writeBlueprint("de", key: 1) }
        try publish()
        try expectOwn(key: 0)
        #expect(try publish().isNew == false)
    }

    /// What is not read is taken from the release that was signed.
    @Test func stepsThatAreNotReadAreAsTheyWereSigned() throws {
        try plant(forged(), [nil, 1])
        var publisher = publisher()
        publisher.steps = [.announcements]
        let summary = try publisher.publish(nowSeconds: start + 10, generatedAt: "t")
        #expect(summary.isNew && summary.release == 2)
        try expectOwn(key: 0)
    }

    /// An index that leaves out what the author wrote, or says of an edit that it is published.
    @Test(arguments: ["listing", "sources", "path"])
    func anIndexThatNobodySealedIsNotBelieved(part: String) throws {
        try publish(key: 1)
        let file = "release/" + ReleaseIndex.path
        var index = try #require(ReleaseIndex(library.folder.read(file)))
        switch part {
        case "listing":
            for var listing in Array(index.listings) where !listing.names.isEmpty {
                listing.names.removeAll { $0.contains("es") }
                index.listings[listing.recordKey] = listing
            }
        case "sources":
            try library.folder.writeBlueprint("es", key: 2)
            let sources = try ContentFolder(root: library.content, known: nil).units
                .first { $0.key == IndexedUnit.key(.blueprints, "es") }?.sources
            index.units[.blueprints, "es"]?.sources = try #require(sources)
        default:
            var unit = try #require(index.units[.blueprints, "es"])
            unit.files.append(
                IndexedFile(
                    path: "../content/languages/es/planted.json",
                    checksum: try evilBank().checksum, size: 1, stamp: nil))
            index.units[.blueprints, "es"] = unit
        }
        try library.folder.write(index.bytes, to: file)
        try library.folder.writeBlueprint("de", key: 1)
        // Without keys nothing is signed; nothing is made elsewhere either.
        _ = try? Publisher(folder: library.content, releaseDirectory: library.release)
            .publish(nowSeconds: start + 10, generatedAt: "t")
        #expect(!library.folder.exists("content/languages/es/planted.json"))
        try publish()
        #expect(!library.folder.exists("content/languages/es/planted.json"))
        try expectOwn(key: part == "sources" ? 2 : 1)
        #expect(try Manifest(bytes()).languages.count == 2)
        // Now it is sealed, and nothing is read again.
        #expect(try publish().unitsBuilt <= 2)
    }

    /// As after a publish that was killed between its manifest and its signatures.
    @Test func whatStandsUnsignedGivesWayToANewRelease() throws {
        let before = library.folder.path + "/before"
        try FileManager.default.copyItem(
            atPath: library.release + "/metadata", toPath: before)
        try publish(key: 2)
        try library.folder.remove("release/metadata")
        try FileManager.default.moveItem(
            atPath: before, toPath: library.release + "/metadata")
        let summary = try publish()
        #expect(summary.isNew && summary.release == 3)
        try expectOwn(key: 2)
        #expect(try !publish().isNew)
    }

    /// A name that anybody can make is no floor for versions, and versions go on after those that were signed.
    @Test func versionsFollowWhatWasSignedAndTheTime() throws {
        let before = library.folder.path + "/before"
        try FileManager.default.copyItem(atPath: library.release, toPath: before)
        func version() throws -> Int {
            let trust = try ReleaseTrust(ReleaseDirectory(root: library.release))
            return try #require(trust?.trusted.file(.targets)).version
        }
        try publish(key: 1)
        let first = try version()
        // The same second, in a directory that has forgotten it.
        try replaceRelease(by: before)
        try publish(key: 2)
        #expect(try version() > first)
        try library.folder.write(
            Array("{}".utf8), to: "release/metadata/2147483647.snapshot.json")
        try publish(key: 1)
        #expect(try version() < first + 100)
        try expectOwn(key: 1)
    }

    /// Neither are former signatures renewed, nor is a release that was taken back given to those that a rollout leaves out.
    @Test func formerSignaturesAreNotRenewed() throws {
        let before = library.folder.path + "/before"
        try FileManager.default.copyItem(atPath: library.release, toPath: before)
        try publish(key: 1)
        try replaceRelease(by: before)
        try library.folder.remove("release/.underway")
        let error = #expect(throws: PublishingError.self) {
            try administration().refresh(keys: KeyFolder(keys))
        }
        #expect(error?.message.contains("older than the last ones made") == true)
        _ = try refusal(.needsSignatures) { try publish(key: 2, .set(percent: 10)) }
        try publish()
        try expectOwn(key: 2)
        #expect(try publish(key: 1, .set(percent: 10)).rollout?.percent == 10)
    }

    @Test func copiesOfTheManifestAreMended() throws {
        try publish(key: 1)
        let manifest = try bytes()
        let target = "release/" + ReleasePath.target(Checksum(of: manifest)).text
        try plant(Array(manifest.reversed()), [2])
        try library.folder.remove(target)
        let summary = try publish()
        #expect(!summary.isNew && summary.restored.count == 2)
        #expect(try bytes(2) == manifest)
        #expect(try library.folder.read(target) == manifest)
    }

    @Test func nothingIsWrittenThroughLinks() throws {
        let elsewhere = library.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(
            atPath: elsewhere, withIntermediateDirectories: false)
        for folder in ["changes", "metadata"] {
            let path = library.release + "/" + folder
            try FileManager.default.moveItem(atPath: path, toPath: path + "-before")
            if folder == "metadata" {
                try FileManager.default.copyItem(
                    atPath: path + "-before", toPath: elsewhere + "/metadata")
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: elsewhere + "/metadata")
            } else {
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: elsewhere)
            }
            let names = try FileManager.default.subpathsOfDirectory(atPath: elsewhere)
            let error = #expect(throws: PublishingError.self) { try publish(key: 2) }
            #expect(error?.message.contains("is a link") == true, "\(error?.message ?? "")")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: elsewhere) == names)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + "-before", toPath: path)
        }
        try publish(key: 2)
        try expectOwn(key: 2)
    }

    /// A file system stores times that no number of nanoseconds has.
    @Test func aTimeFarAheadEndsNothing() throws {
        let path = library.release + "/manifest.json"
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 9_300_000_000)], ofItemAtPath: path)
        try publish(key: 2)
        try expectOwn(key: 2)
    }

    // MARK: The way back

    @Test func aReleaseComesBackOnlyAsItWasSigned() throws {
        let first = try bytes()
        for key in [1, 2, 1] { try publish(key: key) }
        try plant(forged(release: 1), [1])
        let message = try refusal(.needsSignatures) { try rollback(to: 1) }
        #expect(message.contains("it was changed"), "\(message)")
        // Another release that was signed is not that one.
        try plant(bytes(3), [1])
        #expect(try refusal(.noSuchRelease) { try rollback(to: 1) }.contains("release 3"))
        try plant(first, [1])
        _ = try publisher().prune(keep: 5)
        #expect(try rollback(to: 1).release == 5)
        try expectOwn(key: 0)
        // Keys that were stolen vouch for nothing any more.
        _ = try TrustAdministration(
            releaseDirectory: library.release,
            now: Date(timeIntervalSince1970: TimeInterval(start + 10))
        ).rotate(.targets, replacing: nil, adds: false, keys: KeyFolder(keys))
        #expect(try refusal(.needsSignatures) { try rollback(to: 3) }.contains("with git"))
        try publish(key: 1)
        try expectOwn(key: 1)
    }

    // MARK: Releases that wait

    /// Whoever plants a release that waits chooses neither what devices get nor which of them.
    @Test(arguments: [true, false])
    func aRolloutThatNobodyAskedForIsNotFinished(leadsElsewhere: Bool) throws {
        let directory = ReleaseDirectory(root: library.release)
        let trust = try #require(try ReleaseTrust(directory))
        let evil = try forged()
        var manifest = try Manifest(bytes())
        manifest.release = 2
        manifest.generatedAt = "t"
        manifest.rollout = Rollout(
            since: 2, percent: 0, previous: previous(leadsElsewhere ? evil : try bytes(), 1))
        let signing = ReleaseSigning(
            trust, keys: try KeyFolder(keys).load(apart: []).map(\.key),
            now: Date(timeIntervalSince1970: TimeInterval(start + 10)))
        let pending = try signing.pending(
            ManifestFile(manifest.canonicalBytes, release: 2, rollout: manifest.rollout))
        try PendingFolder(of: directory).save(pending, isNew: true)
        _ = try refusal(.pendingIsStale) { try publish() }
        _ = try TrustAdministration(
            releaseDirectory: library.release, now: Date(timeIntervalSince1970: 1_800_000_010)
        ).discardPending()
        #expect(try publish().release == 1)
        try expectOwn(key: 0)
    }

    // MARK: Backups

    private func administration() -> TrustAdministration {
        TrustAdministration(
            releaseDirectory: library.release,
            now: Date(timeIntervalSince1970: TimeInterval(start + 20)), content: library.content)
    }

    private func replaceRelease(by backup: String) throws {
        try library.folder.remove("release")
        try FileManager.default.copyItem(atPath: backup, toPath: library.release)
    }

    private func expectStopped(_ root: Int) throws {
        let attempts: [() throws -> Void] = [
            { try publish(key: 2) }, { _ = try administration().status() },
            { _ = try publisher().status() },
            { _ = try administration().refresh(keys: KeyFolder(keys)) },
            {
                _ = try administration().rotate(
                    .timestamp, replacing: nil, adds: false, keys: KeyFolder(keys))
            },
            {
                _ = try administration().begin(
                    keys: KeyFolder(library.folder.path + "/others"), plan: .init(), apart: [])
            },
            { try publisher().checkIsSigned() },
        ]
        for (number, attempt) in attempts.enumerated() where root == 1 || number < 5 {
            let error = #expect(throws: PublishingError.self) { try attempt() }
            #expect(
                error?.code == .unreadable && error?.message.contains("\(root).root.json") == true,
                "\(number): \(error?.message ?? "")")
        }
        #expect(!library.folder.exists("others"))
    }

    /// Signing with former keys, or new ones, would look well, and no device would follow.
    @Test(arguments: [true, false])
    func aReleaseFromBeforeItsNewestRootIsNotSigned(isSigned: Bool) throws {
        let (backup, newest) = (library.folder.path + "/backup", library.folder.path + "/newest")
        try FileManager.default.copyItem(atPath: library.release, toPath: backup)
        if isSigned {
            for role in [TrustRole.targets, .timestamp] {
                _ = try administration().rotate(
                    role, replacing: nil, adds: false, keys: KeyFolder(keys))
            }
        } else {
            try publish(key: 1)
            try FileManager.default.removeItem(atPath: backup + "/metadata")
        }
        try FileManager.default.moveItem(atPath: library.release, toPath: newest)
        try FileManager.default.copyItem(atPath: backup, toPath: library.release)
        try expectStopped(isSigned ? 3 : 1)
        // What is said to help helps.
        try FileManager.default.createDirectory(
            atPath: library.release + "/metadata", withIntermediateDirectories: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: newest + "/metadata")
        for name in names where name.hasSuffix("root.json") {
            try? FileManager.default.removeItem(atPath: library.release + "/metadata/" + name)
            try FileManager.default.copyItem(
                atPath: newest + "/metadata/" + name,
                toPath: library.release + "/metadata/" + name)
        }
        try publish(key: 2)
        try expectOwn(key: 2)
        #expect(try administration().status()?.namesCurrentRelease == true)
    }

    /// A directory that is lost is not begun again by accident.
    @Test func aSecondFirstRootIsAsked() throws {
        try library.folder.remove("release")
        let error = #expect(throws: PublishingError.self) { try publisher().checkIsSigned() }
        #expect(error?.message.contains("fetch it") == true)
        _ = try Publisher(folder: library.content, releaseDirectory: library.release)
            .publish(nowSeconds: start + 10, generatedAt: "t")
        let others = KeyFolder(library.folder.path + "/others")
        let refusal = #expect(throws: PublishingError.self) {
            try administration().begin(keys: others, plan: .init(), apart: [])
        }
        #expect(refusal?.message.contains("--new-root") == true)
        var plan = TrustAdministration.Plan()
        plan.beginsAnew = true
        _ = try administration().begin(keys: others, plan: plan, apart: [])
    }

    @Test func keysOfTwoBeginningsAreNotMixed() throws {
        let other = try Library(["es"])
        try other.publish()
        let error = #expect(throws: PublishingError.self) {
            try TrustAdministration(releaseDirectory: other.release, now: Date())
                .begin(keys: KeyFolder(keys), plan: .init(), apart: [])
        }
        #expect(error?.code == .invalidRequest && error?.message.contains(keys) == true)
        #expect(!other.folder.exists("release/metadata"))
    }
}
