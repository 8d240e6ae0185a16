import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Somebody without the authors' keys, who can write to the release directory, puts back what was there, or links and names
/// that no publish made.
@Suite struct StolenDirectoryTests {
    private let library: Library
    private let start = 1_800_000_000

    init() throws {
        library = try Library(["de", "es"])
        _ = try publish()
        _ = try administration.begin(keys: KeyFolder(keys), plan: .init(), apart: [])
    }

    private var keys: String { library.folder.path + "/keys" }
    private var before: String { library.folder.path + "/before" }

    private var administration: TrustAdministration {
        TrustAdministration(
            releaseDirectory: library.release,
            now: Date(timeIntervalSince1970: TimeInterval(start + 10)), content: library.content)
    }

    private func publisher(_ rollout: RolloutChange? = nil) -> Publisher {
        var publisher = Publisher(
            folder: library.content, releaseDirectory: library.release, keys: keys)
        publisher.rollout = rollout
        return publisher
    }

    @discardableResult
    private func publish(key: Int? = nil, _ rollout: RolloutChange? = nil) throws
        -> PublishSummary
    {
        if let key { try library.folder.writeBlueprint("es", key: key) }
        return try publisher(rollout).publish(nowSeconds: start + 10, generatedAt: "t")
    }

    private func remember() throws {
        try FileManager.default.copyItem(atPath: library.release, toPath: before)
    }

    private func putBack() throws {
        try FileManager.default.removeItem(atPath: library.release)
        try FileManager.default.copyItem(atPath: before, toPath: library.release)
    }

    private func refused(
        _ code: PublishingError.Code, _ part: String, _ body: () throws -> PublishSummary
    ) throws {
        let manifest = try library.folder.read("release/manifest.json")
        let error = #expect(throws: PublishingError.self) { _ = try body() }
        #expect(error?.code == code, "\(error?.message ?? "")")
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        #expect(try library.folder.read("release/manifest.json") == manifest)
    }

    private func expectKey(_ key: Int) throws {
        let bank = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        #expect(bank.questions[0].correctOptionIDs == [["a", "b", "c"][key]])
        try library.expectWhole()
    }

    // MARK: What was there before

    /// What takes content from the directory takes none that devices have seen give way.
    @Test func commandsWithoutTheContentDoNotGoBack() throws {
        try publish(key: 1, .set(percent: 50))
        try remember()
        try publish(key: 2)
        try putBack()
        for change in [RolloutChange.set(percent: 100), .set(percent: 60), .pause] {
            try refused(.needsSignatures, "older than the last ones made") {
                try publisher().changeRollout(change, nowSeconds: start + 20, generatedAt: "t")
            }
        }
        var some = publisher()
        some.steps = [.announcements]
        try refused(.needsSignatures, "all of the content") {
            try some.publish(nowSeconds: start + 20, generatedAt: "t")
        }
    }

    /// Without an edit too, since devices refuse signatures that are older than those that they have.
    @Test func aPublishSignsWhatIsBehind() throws {
        try remember()
        try publish(key: 1)
        try publish(key: 0)
        try putBack()
        let summary = try publish()
        #expect(summary.isNew && summary.release == 4)
        try expectKey(0)
        #expect(try !publish().isNew)
        try administration.refresh(keys: KeyFolder(keys))
    }

    /// The same release with an older timestamp: neither a number nor the content tells.
    @Test func aPublishSignsAReleaseWhoseTimestampIsBehind() throws {
        try publish(key: 1)
        try remember()
        try administration.refresh(keys: KeyFolder(keys))
        try putBack()
        #expect(throws: PublishingError.self) {
            try administration.refresh(keys: KeyFolder(keys))
        }
        let summary = try publish()
        #expect(summary.isNew && summary.release == 3)
        try expectKey(1)
        try administration.refresh(keys: KeyFolder(keys))
        #expect(try !publish().isNew)
    }

    /// A rollout is not forgotten with the directory: its release would go to all devices by a correction of anything else.
    @Test(arguments: ["before it", "its signatures"])
    func aRolloutThatIsLostIsAskedFor(lost: String) throws {
        let first = try library.folder.read("release/manifest.json")
        try remember()
        try publish(key: 1, .set(percent: 0))
        try administration.refresh(keys: KeyFolder(keys))
        if lost == "before it" {
            try putBack()
        } else {
            for name in try FileManager.default.contentsOfDirectory(
                atPath: library.release + "/metadata") where name.contains("targets")
            {
                try library.folder.remove("release/metadata/" + name)
            }
            try library.folder.remove("release/manifest.json")
            try library.folder.write(first, to: "release/manifest.json")
        }
        try library.folder.writeBlueprint("de", key: 2)
        try refused(.needsSignatures, "--rollout 100") { try publish() }
        try refused(.needsSignatures, "--rollout 100") { try publish(.set(percent: 10)) }
        // What is said to help helps.
        #expect(try publish(key: 0, .set(percent: 100)).rollout == nil)
        try expectKey(0)
        #expect(try publish(key: 2).rollout == nil)
    }

    // MARK: Names and links

    @Test(arguments: [1 << 53 - 2, 1 << 53 - 1, 1 << 31, 2_000_000])
    func aReleaseThatNobodySignedUsesUpNoNumbers(number: Int) throws {
        let manifest = try library.folder.read("release/manifest.json")
        try library.folder.write("x", to: "release/releases/\(number)/manifest.json")
        #expect(try publish(key: 1).release == 2)
        // Nor where signatures are lost.
        try library.folder.remove("release/" + ReleasePath.target(Checksum(of: manifest)).text)
        let name = try Checksum(of: library.folder.read("release/manifest.json"))
        try library.folder.remove("release/" + ReleasePath.target(name).text)
        try library.folder.remove("release/.underway/index")
        #expect(try publish(key: 2).release < 10)
        try expectKey(2)
    }

    @Test(arguments: [".underway/temporary", ".underway", "objects", "releases"])
    func nothingIsRemovedOrMadeBehindALink(folder: String) throws {
        let path = library.release + "/" + folder
        let others = try FileManager.default.contentsOfDirectory(atPath: keys).sorted()
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.moveItem(atPath: path, toPath: library.folder.path + "/aside")
        }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: keys)
        for command in ["refresh", "rotate", "discard", "publish"] {
            let error = #expect(throws: PublishingError.self, "\(command)") {
                switch command {
                case "refresh": _ = try administration.refresh(keys: KeyFolder(keys))
                case "rotate":
                    _ = try administration.rotate(
                        .timestamp, replacing: nil, adds: false, keys: KeyFolder(keys))
                case "discard": _ = try administration.discardPending()
                default: _ = try publish(key: 1)
                }
            }
            #expect(
                error?.code == .invalidRequest || error?.code == .noSuchRelease,
                "\(command): \(error?.message ?? "")")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys).sorted() == others)
    }

    // MARK: The seal

    /// A key that serves the timestamp lies with the host, and former keys may be anywhere.
    @Test(arguments: [TrustRole.timestamp, .snapshot, .root])
    func onlyAuthorsSealAnIndex(role: TrustRole) throws {
        try publish(key: 1)
        let directory = ReleaseDirectory(root: library.release)
        let trust = try #require(try ReleaseTrust(directory))
        let all = try KeyFolder(keys).load(apart: []).map(\.key)
        let sealed = IndexSeal.Sealed(of: directory)
        #expect(sealed?.index(by: IndexSeal(all, trust)) != nil)
        #expect(sealed?.index(by: nil) == nil)
        let ids = trust.trusted.keyIDs(of: role)
        #expect(IndexSeal(all.filter { ids.contains($0.id) }, trust) == nil)
        _ = try administration.rotate(
            .targets, replacing: nil, adds: false, keys: KeyFolder(keys))
        let next = try #require(try ReleaseTrust(directory))
        let present = try KeyFolder(keys).load(apart: []).map(\.key)
        #expect(present.count > all.count)
        #expect(sealed?.index(by: IndexSeal(present, next)) == nil)
        #expect(IndexSeal(all, next) == nil)
    }

    /// Of two authors' keys at hand none is enough.
    @Test func eachAuthorAtHandSealsAnIndex() throws {
        _ = try administration.rotate(
            .targets, replacing: nil, adds: true, keys: KeyFolder(keys))
        let directory = ReleaseDirectory(root: library.release)
        let trust = try #require(try ReleaseTrust(directory))
        let all = try KeyFolder(keys).load(apart: []).map(\.key)
        let authors = all.filter { trust.trusted.keyIDs(of: .targets).contains($0.id) }
        #expect(authors.count == 2)
        let index = try library.folder.read("release/" + ReleaseIndex.path)
        func write(_ keys: [SigningKey]) throws -> IndexSeal.Sealed {
            let text = try #require(IndexSeal(keys, trust)).text(of: index)
            try library.folder.write(text, to: "release/" + IndexSeal.path)
            return try #require(IndexSeal.Sealed(of: directory))
        }
        for author in authors {
            #expect(try write([author]).index(by: IndexSeal(all, trust)) == nil)
            #expect(try write([author]).index(by: IndexSeal([author], trust)) != nil)
        }
        let sealed = try write(all)
        #expect(sealed.index(by: IndexSeal(all, trust)) != nil)
        #expect(sealed.index(by: IndexSeal([authors[1]], trust)) != nil)
    }

    // MARK: What is read twice, and memory

    @Test func rootsAreReadOnce() throws {
        let directory = ReleaseDirectory(root: library.release)
        let trust = try #require(try ReleaseTrust(directory))
        let other = try Library(["fr"])
        try other.publish()
        _ = try TrustAdministration(
            releaseDirectory: other.release, now: Date(timeIntervalSince1970: 1_800_000_000)
        ).begin(keys: KeyFolder(other.folder.path + "/keys"), plan: .init(), apart: [])
        let theirs = try #require(try ReleaseTrust(ReleaseDirectory(root: other.release)))
        let targets = try #require(theirs.trusted.file(.targets))
        try library.folder.write(
            targets.bytes, to: "release/metadata/\(targets.version + 50).targets.json")
        try library.folder.write(
            try other.folder.read("release/metadata/1.root.json"),
            to: "release/metadata/1.root.json")
        #expect(!trust.hasSigned(try Checksum(of: other.folder.read("release/manifest.json"))))
        #expect(trust.hasSigned(try Checksum(of: library.folder.read("release/manifest.json"))))
    }

    @Test func theContentFolderWritesDownDigitsAlone() throws {
        let marks = try library.folder.text("release/" + DirectoryIdentity.path)
        let id = try #require(DirectoryIdentity(Array(marks.utf8))).identity
        let long =
            "e" + String(repeating: "\u{301}", count: 40_000) + String(repeating: "x", count: 15)
        for other in [long, "0123456789abcdeF", "0123456789abcde:", "０123456789abcdef"] {
            #expect(DirectoryIdentity(Array(marks.replacing(id, with: other).utf8)) == nil)
        }
        try library.folder.write(
            String(repeating: "0123456789abcdef 1\n", count: 4000),
            to: "content/" + PublisherMemory.name)
        try refused(.unreadable, PublisherMemory.name) { try publish(key: 1) }
        let error = #expect(throws: PublishingError.self) {
            try administration.refresh(keys: KeyFolder(keys))
        }
        #expect(error?.message.contains(PublisherMemory.name) == true)
    }

    @Test func aBundleIsOfTheRootThatTheAppPins() throws {
        let output = library.folder.path + "/bundle"
        let root = try library.folder.read("release/metadata/1.root.json")
        _ = try administration.rotate(
            .timestamp, replacing: nil, adds: false, keys: KeyFolder(keys))
        let second = try library.folder.read("release/metadata/2.root.json")
        for root in [root, second] {
            _ = try BundleWriter.write(releaseDirectory: library.release, to: output, root: root)
            try library.folder.remove("bundle")
        }
        let other = try Library(["fr"])
        try other.publish()
        for _ in 0..<2 {
            let error = #expect(throws: PublishingError.self) {
                try BundleWriter.write(releaseDirectory: other.release, to: output, root: root)
            }
            #expect(error?.code == .needsSignatures)
            #expect(!library.folder.exists("bundle"))
            _ = try? TrustAdministration(
                releaseDirectory: other.release, now: Date(timeIntervalSince1970: 1_800_000_000)
            ).begin(keys: KeyFolder(other.folder.path + "/keys"), plan: .init(), apart: [])
        }
    }
}
