import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// A content folder and its release, with a clock that moves ten seconds a publish.
final class Library {
    let folder: TemporaryFolder
    private(set) var now = 1_900_000_000

    init(_ languages: [String] = ["de", "en", "es"]) throws {
        folder = try TemporaryFolder()
        try folder.writeContent(languages)
    }

    var content: String { folder.path + "/content" }
    var release: String { folder.path + "/release" }

    @discardableResult
    func publish(
        steps: Set<PublishStep> = Set(PublishStep.allCases), verifies: Bool = false,
        drift: DriftPolicy = .refuse
    ) throws -> PublishSummary {
        now += 10
        return try Publisher(
            folder: content, releaseDirectory: release, steps: steps, verifies: verifies,
            driftPolicy: drift
        ).publish(nowSeconds: now, generatedAt: "t\(now)")
    }

    func rollback(_ number: Int) throws -> PublishSummary {
        now += 10
        return try Publisher(folder: content, releaseDirectory: release)
            .rollback(to: number, nowSeconds: now, generatedAt: "t\(now)")
    }

    var manifest: Manifest {
        get throws { try Manifest(folder.read("release/manifest.json")) }
    }

    /// Every object of the current manifest is there and right, and every readable name too.
    func expectWhole(_ comment: Comment? = nil) throws {
        let directory = ReleaseDirectory(root: release)
        let bytes = try folder.read("release/manifest.json")
        let manifest = try Manifest(bytes)
        #expect(manifest.canonicalBytes == bytes, comment)
        for file in ManifestAssembly.units(of: manifest).values.flatMap(\.files) {
            #expect(try directory.isIntact(file.checksum), comment)
            #expect(Checksum(of: try folder.read("release/" + file.path)) == file.checksum, comment)
        }
        let kept = try folder.read("release/releases/\(manifest.release)/manifest.json")
        #expect(kept == bytes, comment)
    }
}

@Suite struct PublisherTests {
    @Test func aFolderBecomesAWholeRelease() throws {
        let library = try Library()
        let summary = try library.publish()
        #expect(summary.release == 1)
        #expect(summary.isNew)
        #expect(summary.blueprints == 4)
        try library.expectWhole()
        let manifest = try library.manifest
        #expect(manifest.languages.keys.sorted() == ["de", "en", "es"])
        #expect(manifest.languages["de"]?.audio?.files.map(\.name) == ["hello.m4a"])
        #expect(manifest.exams["int/demo"]?.media?.files.map(\.name) == ["one.svg"])
        #expect(manifest.exams["int/demo"]?.contentUpdatedAt == "t1900000010")
        #expect(manifest.assets["later.bin"]?.fetchClass == .onDemand)
        #expect(manifest.assets["links.json"]?.fetchClass == .eager)
        let blueprint = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        #expect(blueprint.questions.count == 3)
    }

    @Test func nothingNewMakesNoRelease() throws {
        let library = try Library()
        try library.publish()
        let before = try library.folder.read("release/manifest.json")
        let summary = try library.publish()
        #expect(!summary.isNew && summary.release == 1 && summary.changed.isEmpty)
        #expect(try library.folder.read("release/manifest.json") == before)
        #expect(try library.publish(verifies: true).isNew == false)
    }

    @Test func onlyWhatChangedIsBuiltAndWritten() throws {
        let library = try Library()
        try library.publish()
        try library.folder.writeBlueprint("es", key: 1)
        let summary = try library.publish()
        #expect(summary.unitsBuilt == 1)
        #expect(summary.objectsWritten == 1)
        #expect(summary.changed == ["blueprints/es.json"])
        #expect(try library.manifest.release == 2)
        try library.expectWhole()
    }

    /// The sizes and times are equal, so only the inode tells the files apart.
    @Test func aSourceThatWasReplacedByAnotherOfEqualSizeAndTimeIsSeen() throws {
        let library = try Library()
        try library.publish()
        let path = library.content + "/languages/es/blueprint.yaml"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        try library.folder.writeBlueprint("es", key: 2)
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(attributes[.modificationDate])], ofItemAtPath: path)
        #expect(try library.publish().changed == ["blueprints/es.json"])
    }

    @Test func aLanguageThatGoesIsRemoved() throws {
        let library = try Library()
        try library.publish()
        try library.folder.remove("content/languages/es")
        let summary = try library.publish()
        #expect(summary.removed == ["blueprints/es.json", "localizations/es.json"])
        #expect(!library.folder.exists("release/blueprints/es.json"))
        #expect(try library.manifest.languages["es"] == nil)
        try library.expectWhole()
    }

    @Test func contentWithErrorsIsNotPublished() throws {
        let library = try Library()
        try library.publish()
        let before = try library.folder.read("release/manifest.json")
        try library.folder.writeBlueprint("es", key: 9)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .contentErrors)
        #expect(error?.problems.map(\.rule) == [.keyOutOfRange])
        #expect(try library.folder.read("release/manifest.json") == before)
        try library.folder.writeBlueprint("es", key: 1)
        #expect(try library.publish().release == 2)
    }

    @Test func aFolderWithoutSettingsIsNoContentFolder() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: PublishingError.self) {
            try Publisher(folder: folder.path, releaseDirectory: folder.path + "/r")
                .publish(nowSeconds: 1, generatedAt: "")
        }
        #expect(error?.message.contains("underway init") == true)
        #expect(!folder.exists("r"))
    }

    /// Each step owns its paths: building blueprints never touches audio, and so on.
    @Test(arguments: PublishStep.allCases)
    func aStepLeavesWhatItDoesNotOwnAlone(step: PublishStep) throws {
        let library = try Library()
        try library.publish()
        let before = try library.manifest
        // Everything changes, but only one step runs.
        try library.folder.writeBlueprint("de", key: 1)
        try library.folder.write(
            "{\"start\": \"new\"}", to: "content/languages/de/localization.json")
        try library.folder.write("other clip", to: "content/languages/de/audio/hello.m4a")
        try library.folder.write("<svg/>", to: "content/exams/int/demo/media/one.svg")
        try library.folder.write("{}", to: "content/assets/links.json")
        try library.folder.write(
            "identifier: 1\ntype: information\ntexts: { en: { title: T, content: C } }\n",
            to: "content/announcements/one.yaml")
        try library.publish(steps: [step])
        let after = try library.manifest
        #expect(
            (after.languages["de"]?.blueprint != before.languages["de"]?.blueprint)
                == (step == .blueprints))
        #expect(
            (after.languages["de"]?.localization != before.languages["de"]?.localization)
                == (step == .localizations))
        #expect((after.languages["de"]?.audio != before.languages["de"]?.audio) == (step == .audio))
        #expect((after.exams != before.exams) == (step == .exams))
        #expect((after.assets != before.assets) == (step == .assets))
        #expect((after.announcements != before.announcements) == (step == .announcements))
        try library.expectWhole()
        // What was left alone is published by the next full run.
        #expect(try library.publish().isNew)
        #expect(try library.manifest.languages["de"]?.audio != before.languages["de"]?.audio)
    }

    @Test func textFilesStandReadyCompressed() throws {
        let library = try Library()
        try library.publish()
        for ending in ["gz", "br"] {
            #expect(library.folder.exists("release/blueprints/es.json.\(ending)"))
            #expect(library.folder.exists("release/manifest.json.\(ending)"))
        }
        #expect(!library.folder.exists("release/audio/de/hello.m4a.gz"))
        let gzip = try library.folder.read("release/blueprints/es.json.gz")
        #expect(gzip.prefix(2) == [0x1F, 0x8B])
    }

    /// nginx makes its ETag of whole seconds and size; rsync compares the same two.
    @Test func twoVersionsOfAFileNeverShareSizeAndSecond() throws {
        let library = try Library()
        var seen: [String: Set<String>] = [:]
        for key in [0, 1, 2, 0, 1] {
            try library.folder.writeBlueprint("es", key: key)
            _ = try Publisher(folder: library.content, releaseDirectory: library.release)
                .publish(nowSeconds: 1_900_000_000, generatedAt: "same")
            for path in ["manifest.json", "manifest.json.gz", "blueprints/es.json"] {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: library.release + "/" + path)
                let date = try #require(attributes[.modificationDate] as? Date)
                let mark = "\(Int(date.timeIntervalSince1970))"
                seen[path, default: []].insert(mark)
            }
        }
        #expect(seen["manifest.json"]?.count == 5)
        #expect(seen["manifest.json.gz"]?.count == 5)
        #expect(seen["blueprints/es.json"]?.count == 3)
    }

    @Test func twoPublishersDoNotMeet() throws {
        let library = try Library()
        try library.publish()
        let lock = try ReleaseDirectory(root: library.release).open()
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .busy)
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: ["gone", "truncated", "garbage"])
    func withoutItsIndexAPublishReadsEverythingAgain(damage: String) throws {
        let library = try Library()
        try library.publish()
        let index = "release/" + ReleaseIndex.path
        switch damage {
        case "gone": try library.folder.remove(index)
        case "truncated":
            try library.folder.write(Array(library.folder.read(index).dropLast(9)), to: index)
        default: try library.folder.write("garbage", to: index)
        }
        let summary = try library.publish()
        #expect(!summary.isNew)
        #expect(summary.unitsBuilt == summary.unitsTotal)
        try library.expectWhole()
    }

    @Test func theIndexIsReadBackAsItWasWritten() throws {
        let library = try Library()
        try library.publish()
        let index = try #require(ReleaseDirectory(root: library.release).readIndex())
        #expect(ReleaseIndex(index.bytes) == index)
        #expect(index.units.count == 9)
    }

    @Test func verifyRestoresADamagedObject() throws {
        let library = try Library()
        try library.publish()
        let checksum = try #require(try library.manifest.languages["es"]?.blueprint?.checksum)
        let object = "release/objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        try library.folder.remove(object)
        try library.folder.write("damaged", to: object)
        try library.publish(verifies: true)
        try library.expectWhole()
    }

    @Test func linksInTheContentFolderAreRefused() throws {
        let library = try Library()
        try FileManager.default.createSymbolicLink(
            atPath: library.content + "/assets/passwd", withDestinationPath: "/etc/passwd")
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.problems.map(\.rule) == [.unsafePath])
    }
}
