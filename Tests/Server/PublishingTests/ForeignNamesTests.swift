import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What others put where a release has its names is neither replaced nor removed in silence.
@Suite struct ForeignNamesTests {
    private static let text = String(repeating: "new and more new\n", count: 20)
    private static let name = "release/assets/new.txt"

    private let library: Library

    init() throws {
        library = try Library(["es"])
        try library.publish()
    }

    private func status() throws -> PublishSummary {
        try Publisher(folder: library.content, releaseDirectory: library.release).status()
    }

    @Test(arguments: ["new.txt", "new.txt.gz", "new.txt.br"])
    func aForeignFileUnderANewNameIsRefusedOrDiscarded(foreign: String) throws {
        try library.folder.write("mine", to: "release/assets/" + foreign)
        try library.folder.write(Self.text, to: "content/assets/new.txt")
        #expect(try status().drifted == ["assets/" + foreign])
        for policy in [DriftPolicy.refuse, .adopt] {
            let error = #expect(throws: PublishingError.self) {
                try library.publish(drift: policy)
            }
            #expect(error?.code == .drift)
            #expect(error?.message.contains("\n  assets/\(foreign)\n") == true)
        }
        #expect(try library.folder.text("release/assets/" + foreign) == "mine")
        #expect(try library.manifest.release == 1)
        let summary = try library.publish(drift: .overwrite)
        #expect(summary.drifted == ["assets/" + foreign] && summary.release == 2)
        #expect(try library.folder.text(Self.name) == Self.text)
        #expect(try library.folder.text("release/assets/" + foreign) != "mine")
        try library.expectWhole()
        #expect(try library.publish().drifted.isEmpty)
    }

    @Test func aRollbackRefusesToo() throws {
        try library.folder.write(Self.text, to: "content/assets/new.txt")
        try library.publish()
        try library.folder.remove("content/assets/new.txt")
        try library.publish()
        try library.folder.write("mine", to: Self.name)
        let error = #expect(throws: PublishingError.self) { try library.rollback(2) }
        #expect(error?.code == .drift)
        #expect(try library.folder.text(Self.name) == "mine")
    }

    @Test func equalBytesAreNoneOfOthers() throws {
        try library.folder.write(Self.text, to: Self.name)
        try library.folder.write(Self.text, to: "content/assets/new.txt")
        #expect(try status().drifted.isEmpty)
        #expect(try library.publish().drifted.isEmpty)
        try library.expectWhole()
    }

    @Test func aLinkUnderANewNameIsRefused() throws {
        try library.folder.write("mine", to: "mine.txt")
        try FileManager.default.createSymbolicLink(
            atPath: library.folder.path + "/" + Self.name,
            withDestinationPath: library.folder.path + "/mine.txt")
        try library.folder.write(Self.text, to: "content/assets/new.txt")
        #expect(throws: PublishingError.self) { try library.publish() }
        try library.publish(drift: .overwrite)
        #expect(try library.folder.text("mine.txt") == "mine")
        try library.expectWhole()
    }

    // MARK: Folders that are links

    private func files(_ folder: String) throws -> [String: [UInt8]] {
        let path = library.folder.path + "/" + folder
        let names = try FileManager.default.subpathsOfDirectory(atPath: path)
        let files = names.filter { !$0.isEmpty }.compactMap { name in
            (try? library.folder.read(folder + "/" + name)).map { (name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    @Test(arguments: ["assets", "media/int", "blueprints"], ["changed", "removed", "unchanged"])
    func nothingIsWrittenOrRemovedBehindALink(part: String, change: String) throws {
        let (path, elsewhere) = (library.release + "/" + part, library.folder.path + "/elsewhere")
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        let before = try files("elsewhere")
        switch (part, change) {
        case ("blueprints", "changed"): try library.folder.writeBlueprint("es", key: 1)
        case (_, "changed"): try library.folder.write("{}", to: "content/assets/links.json")
        case ("assets", "removed"): try library.folder.remove("content/assets/links.json")
        case ("blueprints", "removed"): try library.folder.remove("content/languages/es")
        case (_, "removed"): try library.folder.remove("content/exams/int")
        default: break
        }
        for run in [{ try library.publish() }, status, { try library.rollback(1) }] {
            let error = #expect(throws: PublishingError.self) { try run() }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("\(path) is a link") == true)
        }
        #expect(try files("elsewhere") == before)
        #expect(try library.manifest.release == 1)
    }

    @Test func aNewFolderMayNotBeALinkEither() throws {
        try library.folder.write("mine", to: "elsewhere/mine.txt")
        try FileManager.default.createSymbolicLink(
            atPath: library.release + "/assets/deep",
            withDestinationPath: library.folder.path + "/elsewhere")
        #expect(try library.publish().foreign == ["assets/deep"])
        try library.folder.write(Self.text, to: "content/assets/deep/new.txt")
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.message.contains("assets/deep is a link") == true)
        #expect(try files("elsewhere").keys.sorted() == ["mine.txt"])
    }
}
