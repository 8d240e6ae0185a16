import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What is compressed, prepared or remembered beside a manifest never contradicts it.
@Suite struct CommitTests {
    private static let manifests = ["manifest.json.gz", "manifest.json.br"]

    private func holds(_ library: Library, _ sibling: String, _ plain: String) throws -> Bool {
        let encoding: ContentEncoding = sibling.hasSuffix(".gz") ? .gzip : .brotli
        return encoding.holds(
            try library.folder.read("release/" + sibling),
            try library.folder.read("release/" + plain))
    }

    private func expectMended(_ library: Library, _ siblings: [String]) throws {
        for sibling in siblings {
            let plain = String(sibling.dropLast(3))
            #expect(try holds(library, sibling, plain), "\(sibling)")
        }
        try library.expectWhole()
    }

    /// As a publish of an earlier version left them that failed, or was killed, between renames.
    private func leaveNewerSiblings(_ library: Library) throws {
        let manifest = try library.folder.read("release/manifest.json")
        let siblings = try Self.manifests.map { try library.folder.read("release/" + $0) }
        let source = try library.folder.read("content/languages/es/blueprint.yaml")
        let numbers = try library.folder.read("content/" + PublisherMemory.name)
        try library.folder.writeBlueprint("es", key: 1)
        try library.publish()
        try library.folder.write(manifest, to: "release/manifest.json")
        // A release that never became current was not noted.
        try library.folder.write(numbers, to: "content/" + PublisherMemory.name)
        try library.folder.write(source, to: "content/languages/es/blueprint.yaml")
        #expect(try siblings[0] != library.folder.read("release/" + Self.manifests[0]))
    }

    @Test func siblingsThatAreNewerThanTheManifestAreNamedAndMended() throws {
        let library = try Library()
        try library.publish()
        try leaveNewerSiblings(library)
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        #expect(try publisher.status().restored.contains("manifest.json.gz"))
        let summary = try library.publish()
        #expect(Set(summary.restored).isSuperset(of: Self.manifests))
        #expect(!summary.isNew)
        try expectMended(library, Self.manifests)
        #expect(try library.publish().restored.isEmpty)
    }

    @Test func siblingsAreMendedAlsoWhenTheContentHasErrors() throws {
        let library = try Library()
        try library.publish()
        try leaveNewerSiblings(library)
        try library.folder.writeBlueprint("es", key: 9)
        #expect(throws: PublishingError.self) { try library.publish() }
        for sibling in Self.manifests {
            #expect(try holds(library, sibling, "manifest.json"), "\(sibling)")
        }
    }

    @Test(arguments: manifests, ["gone", "empty", "truncated", "longer", "garbage"])
    func aManifestSiblingThatIsDamagedComesBack(sibling: String, damage: String) throws {
        let library = try Library()
        try library.publish()
        let path = "release/" + sibling
        let bytes = try library.folder.read(path)
        switch damage {
        case "gone": try library.folder.remove(path)
        case "empty": try library.folder.write("", to: path)
        case "truncated": try library.folder.write(Array(bytes.dropLast(5)), to: path)
        case "longer": try library.folder.write(bytes + [0], to: path)
        default: try library.folder.write("garbage", to: path)
        }
        #expect(
            try Publisher(folder: library.content, releaseDirectory: library.release).status()
                .restored
                == [sibling])
        #expect(try library.publish().restored == [sibling])
        try expectMended(library, Self.manifests)
    }

    @Test(arguments: [false, true])
    func verifyMendsTheSiblingsOfObjectsAndNames(isMissing: Bool) throws {
        let library = try Library()
        try library.publish()
        let checksum = try #require(try library.manifest.languages["es"]?.blueprint?.checksum)
        let siblings = ["gz", "br"].flatMap {
            ["blueprints/es.json.\($0)", "\(Self.object(checksum)).\($0)"]
        }
        for sibling in siblings {
            try library.folder.remove("release/" + sibling)
            if !isMissing { try library.folder.write("damaged", to: "release/" + sibling) }
        }
        let summary = try library.publish(verifies: true)
        #expect(summary.restored == ["blueprints/es.json"])
        #expect(!summary.isNew)
        try expectMended(library, siblings)
        #expect(try library.publish(verifies: true).restored.isEmpty)
    }

    /// All that is lost with the folders of objects comes back, in the same forms.
    @Test(arguments: [false, true])
    func aLostObjectComesBackWithItsCompressedForms(isWhole: Bool) throws {
        let library = try Library()
        try library.publish()
        let checksum = try #require(try library.manifest.languages["es"]?.blueprint?.checksum)
        let object = Self.object(checksum)
        let siblings = ["gz", "br"].flatMap { ["blueprints/es.json.\($0)", "\(object).\($0)"] }
        try library.folder.remove(
            isWhole ? "release/objects" : "release/objects/\(checksum.hex.prefix(2))")
        let summary = try library.publish()
        #expect(summary.restored.contains("blueprints/es.json") && !summary.isNew)
        try expectMended(library, siblings)
        #expect(try library.publish(verifies: true).restored.isEmpty)
    }

    private static func object(_ checksum: Checksum) -> String {
        "objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
    }

    @Test func whatKilledRunsLeftIsRemoved() throws {
        let library = try Library()
        try library.publish()
        for path in ["release/.underway/temporary/7", "release/.underway-mine"] {
            try library.folder.write("left", to: path)
        }
        try library.publish()
        #expect(!library.folder.exists("release/.underway/temporary"))
        #expect(library.folder.exists("release/.underway-mine"))
    }

    @Test func aReleaseDirectoryThatIsLostGoesOnAfterItsNumbers() throws {
        let library = try Library()
        for key in [0, 1, 2] {
            try library.folder.writeBlueprint("es", key: key)
            try library.publish()
        }
        try library.folder.remove("release")
        let summary = try library.publish()
        #expect(summary.continuedAfter == 3)
        #expect(summary.release == 4)
        try library.expectWhole()
        try library.folder.writeBlueprint("es", key: 0)
        #expect(try library.publish().continuedAfter == nil)
    }

    @Test func aReleaseDirectoryFromAnOldBackupGoesOnAfterItsNumbers() throws {
        let library = try Library()
        try library.publish()
        let backup = library.folder.path + "/backup"
        try FileManager.default.copyItem(atPath: library.release, toPath: backup)
        for key in [1, 2] {
            try library.folder.writeBlueprint("es", key: key)
            try library.publish()
        }
        try library.folder.remove("release")
        try FileManager.default.moveItem(atPath: backup, toPath: library.release)
        let summary = try library.publish()
        #expect(summary.continuedAfter == 3)
        #expect(summary.release == 4)
        try library.expectWhole()
    }

    @Test func aReleaseDirectoryFromAnOldBackupIsPublishedAnewEvenWithTheSameContent() throws {
        let library = try Library(["es"])
        let backup = library.folder.path + "/backup"
        for key in 0..<5 {
            try library.folder.writeBlueprint("es", key: key % 2)
            try library.publish()
            if key == 1 {
                try FileManager.default.copyItem(atPath: library.release, toPath: backup)
            }
        }
        try library.folder.writeBlueprint("es", key: 1)
        try library.folder.remove("release")
        try FileManager.default.moveItem(atPath: backup, toPath: library.release)
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        let status = try publisher.status()
        #expect(status.release == 2 && status.isNew && status.continuedAfter == 5)
        let summary = try library.publish()
        #expect(summary.release == 6 && summary.isNew && summary.continuedAfter == 5)
        try library.expectWhole()
        let again = try library.publish()
        #expect(again.release == 6 && !again.isNew && again.continuedAfter == nil)
    }

    @Test func theNumberThatIsRememberedNeverGoesDown() throws {
        let library = try Library(["es"])
        var numbers = PublisherMemory(folder: library.content)
        numbers.note(5, of: "a", folder: library.content)
        var other = PublisherMemory(folder: library.content)
        other.note(9, of: "b", folder: library.content)
        // What another publish noted meanwhile stays.
        numbers.note(2, of: "a", folder: library.content)
        numbers.note(6, of: "a", folder: library.content)
        #expect(PublisherMemory(folder: library.content).numbers == ["a": 6, "b": 9])
    }

    @Test func twoReleaseDirectoriesOfOneFolderCountApart() throws {
        let library = try Library()
        try library.publish()
        let other = Publisher(
            folder: library.content, releaseDirectory: library.folder.path + "/other")
        #expect(try other.publish(nowSeconds: 1, generatedAt: "t").continuedAfter == 1)
        for key in [1, 2] {
            try library.folder.writeBlueprint("es", key: key)
            #expect(try library.publish().continuedAfter == nil)
            #expect(try other.publish(nowSeconds: 1, generatedAt: "t").continuedAfter == nil)
        }
        #expect(try library.manifest.release == 3)
    }

    @Test(arguments: ["garbage", "a -1\nb x\n c\n", "\u{0}"])
    func numbersThatCannotBeReadAreNoObstacle(text: String) throws {
        let library = try Library()
        try library.folder.write(text, to: "content/" + PublisherMemory.name)
        #expect(try library.publish().release == 1)
        #expect(PublisherMemory(folder: library.content).numbers.values.max() == 1)
    }

    @Test func theMarksAreReadBackAsTheyWereWritten() throws {
        let library = try Library()
        try library.publish()
        let marks = ReleaseDirectory(root: library.release).readMarks()
        #expect(marks.siblings.count == 2)
        #expect(DirectoryIdentity(marks.bytes) == marks)
        #expect(DirectoryIdentity(Array("underway-marks 2\nid 0123456789abcdef\n".utf8)) == nil)
    }
}
