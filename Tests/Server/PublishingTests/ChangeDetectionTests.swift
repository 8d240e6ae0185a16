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
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        _ = try publisher.publish(
            nowSeconds: Int(Date().timeIntervalSince1970), generatedAt: "now")
        let index = try #require(ReleaseDirectory(root: library.release).readIndex())
        #expect(index.units["blueprints/es"]?.sources == [])
        #expect(index.listings.count == 0)
        #expect(try publisher.status().unitsBuilt == 9)
    }

    /// A language that the index knows is not looked at closely; everything else is found as if nothing
    /// were known.
    @Test func aScanThatKnowsAnIndexFindsWhatAFreshOneFinds() throws {
        let library = try Library()
        // More languages than one core scans at a time.
        for number in 0..<600 { try library.folder.writeBlueprint("l\(number)") }
        try library.folder.write("notes", to: "content/languages/l0/notes.txt")
        try library.folder.write("sound", to: "content/languages/l1/audio/deep/a.mp3")
        try library.publish()
        var generator = SeededGenerator(seed: 4)
        for round in 0..<8 {
            let index = try #require(ReleaseDirectory(root: library.release).readIndex())
            let number = Int.random(in: 2..<600, using: &generator)
            switch round {
            case 0: break
            case 1: try library.folder.write("sound", to: "content/languages/l1/audio/deep/b.mp3")
            case 2: try library.folder.remove("content/languages/l1/audio/deep")
            case 3: try library.folder.remove("content/languages/l\(number)")
            case 4: try library.folder.writeBlueprint("m\(number)")
            case 5: try library.folder.writeBlueprint("l\(number)", stem: "Other?")
            case 6: try library.folder.write("x", to: "content/languages/l\(number)/notes.txt")
            default: try library.folder.write("x", to: "content/languages/loose.txt")
            }
            let scan = try ContentFolder(root: library.content, known: index)
            let fresh = try ContentFolder(root: library.content)
            let unchanged = Set(scan.unchanged.joined())
            #expect(unchanged.count > 500 && scan.unitCount == fresh.units.count)
            let seen = Dictionary(scan.units.map { ($0.key, $0.sources) }, uniquingKeysWith: { $1 })
            for unit in fresh.units {
                #expect(scan.unit(unit.key)?.sources == unit.sources, "\(unit.key), round \(round)")
                let position = index.units.position(
                    of: IndexedUnit.recordKey(unit.step, unit.name))
                let isKnown = position.map { unchanged.contains($0) } ?? false
                #expect(isKnown != (seen[unit.key] != nil), "\(unit.key), round \(round)")
            }
            #expect(scan.problems.sorted() == fresh.problems.sorted())
            #expect(scan.listings == fresh.listings, "round \(round)")
            try library.publish()
        }
    }
}
