import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What an edit leaves to be seen when its author, or a tool, hides all that can be hidden.
@Suite struct ChangeDetectionTests {
    /// Writes other bytes of the same length into the same file and puts its time back.
    private func editInvisibly(_ path: String, _ word: String, _ other: String) throws {
        let before = try #require(Files.look(path)?.stamp)
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let edited = text.replacingOccurrences(of: word, with: other)
        #expect(edited != text)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data(edited.utf8))
        try handle.close()
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(time)], ofItemAtPath: path)
        let after = try #require(Files.look(path)?.stamp)
        #expect((after.size, after.inode) == (before.size, before.inode))
        #expect(after.modified / 1_000_000_000 == before.modified / 1_000_000_000)
        #expect(after.changed > before.changed)
    }

    /// Gives a file a time of modification that a file system stores without rounding.
    private func age(_ path: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: path)
    }

    @Test func aSourceThatWasEditedInPlaceWithItsTimePutBackIsSeen() throws {
        let library = try Library()
        let path = library.content + "/languages/es/blueprint.yaml"
        try age(path)
        try library.publish()
        try editInvisibly(path, "One?", "Two?")
        #expect(try library.publish().changed == ["blueprints/es.json"])
        try library.expectWhole()
    }

    @Test func aServedFileThatWasEditedInPlaceWithItsTimePutBackIsDrift() throws {
        let library = try Library()
        try library.publish()
        try editInvisibly(library.release + "/blueprints/es.json", "One?", "Two?")
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .drift)
        #expect(try library.publish(drift: .overwrite).drifted == ["blueprints/es.json"])
        try library.expectWhole()
    }

    /// The clock of file systems moves in steps: what changed in the step in which it was read could
    /// change again unseen, whatever its time of modification says.
    @Test func aSourceThatChangedJustNowIsReadAgain() throws {
        let library = try Library()
        try age(library.content + "/languages/es/blueprint.yaml")
        let publisher = Publisher(folder: library.content, release: library.release)
        _ = try publisher.publish(
            nowSeconds: Int(Date().timeIntervalSince1970), generatedAt: "now")
        let index = try #require(ReleaseDirectory(root: library.release).readIndex())
        #expect(index.units["blueprints/es"]?.sources == [])
        #expect(index.listings.isEmpty)
        #expect(try publisher.status().unitsBuilt == 9)
    }

    @Test func aScanThatKnowsListingsFindsWhatAFreshOneFinds() throws {
        let folder = try TemporaryFolder()
        let root = folder.path + "/content"
        // More languages than one core scans at a time.
        try folder.writeContent((0..<600).map { "l\($0)" })
        var known: [String: FolderListing] = [:]
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5 {
            let number = Int.random(in: 1..<600, using: &generator)
            try folder.remove("content/languages/l\(number)")
            try folder.writeBlueprint("m\(number)")
            try folder.write("", to: "content/languages/l0/notes\(number).txt")
            let scan = try ContentFolder(root: root, known: known)
            let fresh = try ContentFolder(root: root)
            #expect(scan.units.map(\.key) == fresh.units.map(\.key))
            #expect(scan.units.map(\.sources) == fresh.units.map(\.sources))
            #expect(scan.problems == fresh.problems)
            #expect(scan.listings == fresh.listings)
            known = scan.listings
        }
        #expect(known["languages/l0"]?.names.count == 8)
    }
}
