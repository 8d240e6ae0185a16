import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What stands in a release directory is found wrong and made right, and nothing is lost by that.
@Suite struct ReleaseMendTests {
    private static let text = String(repeating: "help and more help\n", count: 20)

    @Test(arguments: [false, true])
    func anAssetMayBeAFolderThenAFileAndBack(isGoneBetween: Bool) throws {
        let library = try Library()
        func become(_ path: String) throws {
            if library.folder.exists("content/assets/help") {
                try library.folder.remove("content/assets/help")
            }
            if isGoneBetween {
                try library.publish()
                #expect(!library.folder.exists("release/assets/help"))
            }
            try library.folder.write(Self.text, to: "content/assets/" + path)
            try library.publish()
            try library.expectWhole()
        }
        for path in ["help/deep/de.txt", "help", "help/de.txt"] { try become(path) }
        #expect(!library.folder.exists("release/assets/help/deep"))
        let release = try library.manifest.release
        _ = try library.rollback(release - (isGoneBetween ? 2 : 1))
        try library.expectWhole()
        #expect(try library.folder.text("release/assets/help") == Self.text)
        #expect(try !library.publish(verifies: true).removed.isEmpty)
        try library.expectWhole()
    }

    @Test func aForeignFileInTheWayIsNamedBeforeAnythingChanges() throws {
        let library = try Library()
        try library.publish()
        try library.folder.write("mine", to: "release/assets/help/mine.txt")
        try library.folder.write(Self.text, to: "content/assets/help")
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.message.contains("help/mine.txt stands where assets/help is") == true)
        #expect(try library.manifest.release == 1)
        #expect(try library.folder.text("release/assets/help/mine.txt") == "mine")
        try library.folder.remove("release/assets/help/mine.txt")
        #expect(try library.publish().release == 2)
        try library.expectWhole()
    }

    @Test func theBytesOfAnotherFileOverALinkAreAnEditInPlace() throws {
        let library = try Library()
        try library.publish()
        let other = try library.folder.read("release/blueprints/de.json")
        try library.folder.write(other, to: "release/blueprints/es.json")
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .drift)
        #expect(error?.message.contains("edited in place") == true)
        let checksum = try #require(try library.manifest.languages["es"]?.blueprint?.checksum)
        #expect(try ReleaseDirectory(root: library.release).isIntact(checksum))
        try library.publish(drift: .overwrite)
        try library.expectWhole()
    }

    @Test(arguments: [false, true])
    func anObjectThatIsReplacedOrGoneComesBack(isGone: Bool) throws {
        let library = try Library()
        try library.publish()
        try library.publish()
        let checksum = try #require(try library.manifest.languages["es"]?.blueprint?.checksum)
        let object = "release/objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        let bytes = try library.folder.read(object)
        try library.folder.remove(object)
        if !isGone { try library.folder.write(bytes.map { $0 ^ 1 }, to: object) }
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        #expect(try publisher.status().restored == ["blueprints/es.json"])
        let summary = try library.publish()
        #expect(summary.restored == ["blueprints/es.json"])
        #expect(!summary.isNew)
        #expect(try library.folder.read(object) == bytes)
        try library.expectWhole()
        #expect(try library.publish().restored.isEmpty)
    }

    @Test func anObjectIsOnlyWrittenWithTheBytesOfItsChecksum() throws {
        let folder = try TemporaryFolder()
        let directory = ReleaseDirectory(root: folder.path)
        let lock = try directory.open()
        defer { withExtendedLifetime(lock) {} }
        let file = BuiltFile(
            path: "audio/de/a.m4a", checksum: Checksum(of: Array("aaaa".utf8)), size: 4,
            bytes: .source("a.m4a"))
        let error = #expect(throws: PublishingError.self) {
            try directory.write(Array("bbbb".utf8), of: file, verify: false)
        }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("changed while it was read. Publish again") == true)
        #expect(try !directory.isIntact(file.checksum))
    }

    /// As a publish leaves it that is killed when its manifest is there and no name is switched.
    @Test func aKilledPublishIsFinishedAlsoWhenItsObjectsWerePruned() throws {
        let library = try Library()
        try library.publish()
        let kept = ["blueprints/es.json", "audio/de/hello.m4a", ".underway/index"]
        let before = try kept.map { try library.folder.read("release/" + $0) }
        try library.folder.writeBlueprint("es", key: 1)
        try library.folder.remove("content/languages/de/audio")
        try library.publish()
        try library.folder.remove("release/blueprints/es.json")
        for (path, bytes) in zip(kept, before) {
            try library.folder.write(bytes, to: "release/" + path)
        }
        _ = try Publisher(folder: library.content, releaseDirectory: library.release).prune(keep: 1)
        #expect(try library.publish().restored == ["blueprints/es.json"])
        #expect(!library.folder.exists("release/audio/de/hello.m4a"))
        try library.expectWhole()
    }

    @Test func adoptRefusesWhereTheSourceIsNewerToo() throws {
        let library = try Library()
        try library.publish()
        let served = "release/localizations/es.json"
        try library.folder.remove(served)
        try library.folder.write("{\"start\":\"served\"}", to: served)
        let source = "content/languages/es/localization.json"
        try library.folder.write("{\"start\": \"newer\"}", to: source)
        let error = #expect(throws: PublishingError.self) { try library.publish(drift: .adopt) }
        #expect(error?.code == .drift)
        #expect(error?.message.contains("languages/es has changed too") == true)
        #expect(try library.folder.text(source) == "{\"start\": \"newer\"}")
        #expect(try library.folder.text(served) == "{\"start\":\"served\"}")
    }

    @Test func aRememberedNumberWithoutANextOneIsRefused() throws {
        let library = try Library()
        let path = "content/" + PublisherMemory.name
        try library.folder.write("0123456789abcdef \(Int.max)\n", to: path)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("names release \(Int.max)") == true)
        try library.folder.remove(path)
        #expect(try library.publish().release == 1)
    }

    @Test func marksMatchWhenNothingChanged() throws {
        let library = try Library()
        try library.publish()
        let marks = library.release + "/" + DirectoryIdentity.path
        let before = try #require(Files.look(marks)?.stamp)
        try library.publish()
        #expect(Files.look(marks)?.stamp == before)
    }
}
