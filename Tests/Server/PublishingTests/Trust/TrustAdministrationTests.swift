import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// The signing of a release directory.
@Suite struct TrustAdministrationTests {
    private let library: Library
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        library = try Library(["es"])
        try library.publish()
    }

    private func administration(days: Double = 0) -> TrustAdministration {
        TrustAdministration(releaseDirectory: library.release, now: now + days * 86_400)
    }

    private var keys: KeyFolder { KeyFolder(library.folder.path + "/keys") }

    private func begin(_ plan: TrustAdministration.Plan = .init()) throws {
        _ = try administration().begin(keys: keys, plan: plan, apart: [])
    }

    @Test func aSignedReleaseIsNotPublishedWithoutKeys() throws {
        try begin()
        let before = try library.folder.read("release/manifest.json")
        try library.folder.writeBlueprint("es", key: 2)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .needsSignatures)
        #expect(error?.message.contains("--keys") == true)
        #expect(try library.folder.read("release/manifest.json") == before)
    }

    @Test func itIsBegunOnce() throws {
        try begin()
        let error = #expect(throws: PublishingError.self) {
            try administration().begin(
                keys: KeyFolder(library.folder.path + "/others"), plan: .init(), apart: [])
        }
        #expect(error?.code == .invalidRequest)
        #expect(!library.folder.exists("others"))
    }

    @Test func plansThatNobodyCanFulfilAreRefused() throws {
        for (authors, threshold) in [(0, 1), (1, 2), (1, 0), (9, 1)] {
            var plan = TrustAdministration.Plan()
            (plan.authors, plan.threshold) = (authors, threshold)
            let error = #expect(throws: PublishingError.self) { try begin(plan) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(!library.folder.exists("keys"))
    }

    @Test func theStatusSaysWhatIsToBeSigned() throws {
        #expect(try administration().status() == nil)
        try begin()
        let status = try #require(try administration().status())
        #expect(!status.needsAttention)
        #expect(status.roles.map(\.role) == TrustRole.allCases)
        #expect(status.roles.map(\.keyIDs.count) == [2, 1, 1, 1])
        for (days, short) in [
            (9.0, []), (11, [TrustRole.timestamp]), (61, [.timestamp, .snapshot]),
            (310, [.timestamp, .snapshot, .targets]), (560, TrustRole.allCases),
        ] {
            let later = try #require(try administration(days: days).status())
            #expect(
                Set(later.roles.filter(\.needsAttention).map(\.role)) == Set(short), "\(days)")
        }
    }

    @Test func whatExpiresSoonIsSignedAgainWithTheKeysAtHand() throws {
        try begin()
        #expect(try administration(days: 5).refresh(keys: keys) == [.timestamp])
        #expect(try administration(days: 70).refresh(keys: keys) == [.snapshot, .timestamp])
        #expect(
            try administration(days: 320).refresh(keys: keys) == [.targets, .snapshot, .timestamp])
        #expect(
            try administration(days: 600).refresh(keys: keys).contains(.root))
        #expect(try administration(days: 600).status()?.needsAttention == false)
    }

    /// A folder with the keys of some roles alone.
    private func folder(_ name: String, _ roles: [TrustRole]) throws -> KeyFolder {
        let path = library.folder.path + "/" + name
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        for entry in try keys.load(apart: [])
        where roles.contains(where: { entry.name.hasPrefix($0.rawValue) }) {
            try FileManager.default.copyItem(
                atPath: "\(keys.path)/\(entry.name).pem", toPath: "\(path)/\(entry.name).pem")
        }
        return KeyFolder(path)
    }

    private func version(_ role: TrustRole) throws -> Int? {
        try administration().status()?.roles.first { $0.role == role }?.version
    }

    @Test func aServerNeedsTheTimestampsKeyAlone() throws {
        try begin()
        let server = try folder("server", [.timestamp])
        #expect(try administration(days: 12).refresh(keys: server) == [.timestamp])
        #expect(try administration(days: 70).refresh(keys: server) == [.timestamp])
        // The snapshot has expired: no timestamp makes it newer.
        let error = #expect(throws: PublishingError.self) {
            try administration(days: 95).refresh(keys: server)
        }
        #expect(error?.code == .needsSignatures)
    }

    @Test func anExpiredRootIsSaidAndRenewed() throws {
        try begin()
        try library.folder.writeBlueprint("es", key: 2)
        var publisher = Publisher(
            folder: library.content, releaseDirectory: library.release)
        publisher.keys = keys.path
        let late = now + 800 * 86_400
        let error = #expect(throws: PublishingError.self) {
            try publisher.publish(
                nowSeconds: Int(late.timeIntervalSince1970), generatedAt: "t")
        }
        #expect(error?.code == .rootExpired)
        #expect(try administration(days: 800).refresh(keys: keys).contains(.root))
        let summary = try publisher.publish(
            nowSeconds: Int(late.timeIntervalSince1970), generatedAt: "t")
        #expect(summary.isNew)
        #expect(try administration(days: 800).status()?.needsAttention == false)
    }

    @Test func aKeyIsNamedByTheBeginningOfItsId() throws {
        try begin()
        let error = #expect(throws: PublishingError.self) {
            try administration().rotate(.root, replacing: nil, adds: false, keys: keys)
        }
        #expect(error?.code == .invalidRequest && error?.message.contains("--replace") == true)
        let ids = try #require(try administration().status()).roles[0].keyIDs
        _ = try administration().rotate(
            .root, replacing: String(ids[0].prefix(10)), adds: false, keys: keys)
        let next = try #require(try administration().status()).roles[0].keyIDs
        #expect(!next.contains(ids[0]) && next.contains(ids[1]) && next.count == 2)
        _ = try administration().rotate(.targets, replacing: nil, adds: true, keys: keys)
        #expect(try administration().status()?.roles.last?.keyIDs.count == 2)
    }

    @Test func withoutEnoughKeysNothingIsRotated() throws {
        try begin()
        let others = try folder("others", [.targets, .snapshot, .timestamp])
        let error = #expect(throws: PublishingError.self) {
            try administration().rotate(.targets, replacing: nil, adds: false, keys: others)
        }
        #expect(error?.code == .needsSignatures)
        #expect(try others.load(apart: []).count == 3)
        #expect(!library.folder.exists("release/metadata/2.root.json"))
    }

    @Test func rootKeysChangeTheRootByThemselves() throws {
        try begin()
        let drawer = try folder("drawer", [.root])
        let before = try TrustRole.allCases.map { try version($0) }
        let ids = try #require(try administration().status()).roles[0].keyIDs
        _ = try administration().rotate(
            .root, replacing: ids[0], adds: false, keys: drawer)
        let after = try TrustRole.allCases.map { try version($0) }
        #expect(after[0] == 2 && after.dropFirst() == before.dropFirst())
        #expect(try administration(days: 600).refresh(keys: drawer) == [.root])
        #expect(try version(.root) == 3 && version(.targets) == before[3])
    }

    @Test func aManifestThatSomebodyPutThereIsNotSigned() throws {
        try begin()
        let signed = try library.folder.read("release/manifest.json")
        var forged = try Manifest(signed)
        forged.release = 9
        try FileManager.default.removeItem(atPath: library.release + "/manifest.json")
        try library.folder.write(forged.canonicalBytes, to: "release/manifest.json")
        for attempt in 0..<2 {
            let error = #expect(throws: PublishingError.self) {
                if attempt == 0 {
                    try administration(days: 320).refresh(keys: keys)
                } else {
                    _ = try administration().rotate(
                        .timestamp, replacing: nil, adds: false, keys: keys)
                }
            }
            #expect(error?.code == .needsSignatures)
            #expect(error?.message.contains("publish --keys") == true)
        }
        #expect(!library.folder.exists("release/metadata/2.root.json"))
        #expect(try administration().status()?.namesCurrentRelease == false)
    }

    @Test func aManifestThatNoPublishLeftIsNotSignedFirst() throws {
        var forged = try Manifest(library.folder.read("release/manifest.json"))
        forged.generatedAt = "2020-01-01T00:00:00Z"
        try FileManager.default.removeItem(atPath: library.release + "/manifest.json")
        try library.folder.write(forged.canonicalBytes, to: "release/manifest.json")
        let error = #expect(throws: PublishingError.self) { try begin() }
        #expect(error?.code == .drift)
        #expect(!library.folder.exists("keys") && !library.folder.exists("release/metadata"))
    }

    /// Names and numbers that somebody else put among the metadata neither end the program nor all signing.
    @Test(arguments: [
        ("9223372036854775807.targets.json", "{}"), ("9007199254740992.snapshot.json", "{}"),
        ("timestamp.json", "{\"signed\":{\"version\":9223372036854775807}}"),
        ("timestamp.json", "{\"signed\":{\"version\":9007199254740991}}"),
        ("timestamp.json", "no JSON"), ("1.snapshot.json.gz", "x"), ("notes.txt", "x"),
    ])
    func strangeFilesAmongMetadataAreNoFloor(name: String, text: String) throws {
        try begin()
        try? FileManager.default.removeItem(atPath: library.release + "/metadata/" + name)
        try library.folder.write(text, to: "release/metadata/" + name)
        #expect(try administration(days: 1).refresh(keys: keys).last == .timestamp)
        _ = try administration(days: 1).rotate(
            .timestamp, replacing: nil, adds: false, keys: keys)
        #expect(try administration(days: 1).status()?.needsAttention == false)
        #expect(try (version(.timestamp) ?? .max) < 1 << 31)
    }

    @Test func aLostRootIsSaidByEveryCommand() throws {
        try begin()
        for _ in 0..<2 {
            _ = try administration().rotate(
                .timestamp, replacing: nil, adds: false, keys: keys)
        }
        for lost in [2, 1] {
            try FileManager.default.removeItem(
                atPath: "\(library.release)/metadata/\(lost).root.json")
            var publisher = Publisher(folder: library.content, releaseDirectory: library.release)
            publisher.keys = keys.path
            try library.folder.writeBlueprint("es", key: lost)
            for step in 0..<4 {
                let error = #expect(throws: PublishingError.self) {
                    switch step {
                    case 0: _ = try administration().status()
                    case 1: try administration().refresh(keys: keys)
                    case 2:
                        _ = try administration().rotate(
                            .timestamp, replacing: nil, adds: false, keys: keys)
                    default:
                        _ = try publisher.publish(nowSeconds: 1_800_000_000, generatedAt: "t")
                    }
                }
                #expect(error?.code == .unreadable)
                #expect(error?.message.contains("\(lost).root.json is missing") == true)
            }
        }
        let error = #expect(throws: PublishingError.self) { try begin() }
        #expect(error?.code == .invalidRequest)
    }

    @Test func whatTheTimestampNamesIsNotPruned() throws {
        try begin()
        // Two publishes that were killed before their timestamp.
        for version in [900_001, 900_002] {
            for role in ["snapshot", "targets"] {
                try library.folder.write("{}", to: "release/metadata/\(version).\(role).json")
            }
        }
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        _ = try publisher.prune(keep: 1)
        #expect(try administration().status()?.needsAttention == false)
    }

    @Test func aRefreshMendsTheManifestUnderItsSignedName() throws {
        try begin()
        let target = try #require(
            try FileManager.default.contentsOfDirectory(atPath: library.release + "/targets")
                .first { $0.hasSuffix(".json") })
        try FileManager.default.removeItem(atPath: library.release + "/targets/" + target)
        try library.folder.write("{}", to: "release/targets/" + target)
        #expect(try administration().status()?.namesCurrentRelease == false)
        try administration().refresh(keys: keys)
        #expect(try administration().status()?.namesCurrentRelease == true)
        #expect(
            try library.folder.read("release/targets/" + target)
                == library.folder.read("release/manifest.json"))
    }

    @Test func aReleaseThatIsNotThereIsNoUnsignedOne() {
        let error = #expect(throws: PublishingError.self) {
            try TrustAdministration(releaseDirectory: library.folder.path + "/nowhere", now: now)
                .status()
        }
        #expect(error?.code == .noSuchRelease)
    }

    @Test func aReleaseThatLostItsMetadataIsNoUnsignedOne() throws {
        try begin()
        try library.folder.remove("release/metadata")
        let error = #expect(throws: PublishingError.self) { try administration().status() }
        #expect(error?.code == .unreadable)
        let bundle = library.folder.path + "/bundle"
        #expect(throws: PublishingError.self) {
            try BundleWriter.write(releaseDirectory: library.release, to: bundle)
        }
        #expect(!library.folder.exists("bundle"))
    }

    /// A file that is there and cannot be read is neither gone nor left out without a word.
    @Test func whatCannotBeReadStopsAPublish() throws {
        try begin()
        let publisher = Publisher(
            folder: library.content, releaseDirectory: library.release,
            keys: library.folder.path + "/keys")
        func publish(_ stem: String) throws -> PublishSummary {
            try library.folder.writeBlueprint("es", stem: stem)
            return try publisher.publish(nowSeconds: 1_800_000_010, generatedAt: "t")
        }
        /// With more bytes than are ever read; they take no room.
        func fill(_ path: String) throws {
            let file = try FileHandle(forWritingTo: library.folder.url.appending(path: path))
            try file.truncate(atOffset: UInt64(ContentLimits.fileBytesMax + 1))
        }
        #expect(try publish("Two?").release == 2)
        let path = "releases/1/manifest.json"
        let manifest = try library.folder.read("release/" + path)
        try library.folder.remove("release/" + path)
        try library.folder.write("", to: "release/" + path)
        try fill("release/" + path)
        let error = #expect(throws: PublishingError.self) { try publish("Three?") }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains(path) == true)
        #expect(error?.message.contains("Release 2 is untouched") == true)
        try library.folder.remove("release/" + path)
        try library.folder.write(manifest, to: "release/" + path)
        #expect(try publish("Three?").release == 3)
        #expect(library.folder.exists("release/changes/1"))
        try library.folder.remove("release/" + path)
        #expect(try publish("Four?").release == 4)
        #expect(!library.folder.exists("release/changes/1"))
        let checksum = Checksum(of: [])
        let object = "release/" + ReleasePath.object(checksum).text
        try library.folder.write("", to: object)
        let directory = ReleaseDirectory(root: library.release)
        #expect(try directory.object(checksum).isEmpty)
        try fill(object)
        let unread = #expect(throws: PublishingError.self) { try directory.object(checksum) }
        #expect(unread?.code == .unreadable)
        try library.folder.remove(object)
        let gone = #expect(throws: PublishingError.self) { try directory.object(checksum) }
        #expect(gone?.code == .noSuchRelease)
    }

    @Test func damagedMetadataAreNamed() throws {
        try begin()
        try FileManager.default.removeItem(atPath: library.release + "/metadata/1.root.json")
        try library.folder.write("{}", to: "release/metadata/1.root.json")
        let error = #expect(throws: PublishingError.self) { try administration().status() }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("metadata/1.root.json") == true)
    }
}
