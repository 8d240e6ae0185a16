import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Objects that share a folder, of which an unchanged publish looks at one.
@Suite struct ObjectFolderTests {
    /// More assets than there are folders of objects, so that some share one.
    private static let assetCount = 300

    private func library() throws -> Library {
        let library = try Library()
        for number in 0..<Self.assetCount {
            try library.folder.write("Asset \(number).", to: "content/assets/a\(number).txt")
        }
        try library.publish()
        try library.publish()
        return library
    }

    /// The objects of the fullest folder, by their paths.
    private func sharedFolder(_ library: Library) throws -> [String] {
        let objects = try library.manifest.assets.values.map(\.checksum.hex)
        let folders = Dictionary(grouping: Set(objects)) { $0.prefix(2) }.values
        let fullest = try #require(folders.max { $0.count < $1.count })
        try #require(fullest.count > 1)
        return fullest.sorted().map { "release/objects/\($0.prefix(2))/\($0)" }
    }

    @Test func eachObjectThatIsGoneComesBack() throws {
        let library = try library()
        for object in try sharedFolder(library) {
            try library.folder.remove(object)
            let summary = try library.publish()
            #expect(summary.restored.count == 1, "\(object)")
            #expect(library.folder.exists(object), "\(object)")
        }
        try library.expectWhole()
    }

    @Test func eachObjectThatWasReplacedIsRightAgain() throws {
        let library = try library()
        for object in try sharedFolder(library) {
            try library.folder.remove(object)
            try library.folder.write("another", to: object)
            let summary = try library.publish()
            #expect(summary.restored.count == 1, "\(object)")
        }
        try library.expectWhole()
    }

    @Test func aFolderOfObjectsThatWasMovedAwayComesBack() throws {
        let library = try library()
        let objects = try sharedFolder(library)
        let folder = library.folder.url.appending(path: objects[0]).deletingLastPathComponent()
        try FileManager.default.moveItem(
            at: folder, to: library.folder.url.appending(path: "elsewhere"))
        let summary = try library.publish()
        #expect(summary.restored.count >= objects.count)
        try library.expectWhole()
    }

    /// Where the file system gives no further name, a readable name is a copy of its object.
    @Test func anObjectBesideACopyIsLookedAtItself() throws {
        let library = try library()
        // The first stays another name of its object, so that the folder is seen to be in place.
        let copied = try sharedFolder(library).dropFirst()
        for object in copied {
            let bytes = try library.folder.read(object)
            try library.folder.remove(object)
            try library.folder.write(bytes, to: object)
        }
        try library.publish()
        for object in copied {
            try library.folder.remove(object)
            #expect(try library.publish().restored.count == 1, "\(object)")
        }
        try library.expectWhole()
    }
}
