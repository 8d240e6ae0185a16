import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What stands under readable names that the current release does not have.
@Suite struct StrayFilesTests {
    private static let text = String(repeating: "help and more help\n", count: 20)
    private static let names = ["assets/help.txt", "assets/help.txt.br", "assets/help.txt.gz"]

    private let library: Library

    init() throws {
        library = try Library(["es"])
        try library.folder.write(Self.text, to: "content/assets/help.txt")
        try library.publish()
    }

    /// Copies as a backup that is put back does.
    private func files(_ names: [String]) throws -> [(String, [UInt8])] {
        try names.map { ("release/" + $0, try library.folder.read("release/" + $0)) }
    }

    private func restore(_ files: [(String, [UInt8])]) throws {
        for (path, bytes) in files { try library.folder.write(bytes, to: path) }
    }

    private func removeHelp() throws -> [(String, [UInt8])] {
        let backup = try files(Self.names)
        try library.folder.remove("content/assets/help.txt")
        #expect(try library.publish().removed == ["assets/help.txt"])
        for (path, _) in backup { #expect(!library.folder.exists(path)) }
        return backup
    }

    private var status: PublishSummary {
        get throws {
            try Publisher(folder: library.content, releaseDirectory: library.release).status()
        }
    }

    @Test(arguments: [false, true])
    func namesThatABackupBringsBackAreRemovedAgain(verifies: Bool) throws {
        try restore(removeHelp())
        #expect(try status.revived == Self.names)
        let summary = try library.publish(verifies: verifies)
        #expect(summary.revived == Self.names && summary.foreign.isEmpty && !summary.isNew)
        for name in Self.names { #expect(!library.folder.exists("release/" + name)) }
        try library.expectWhole()
        #expect(try library.publish().revived.isEmpty)
    }

    /// `rsync -t`, `cp -a` and `tar` set the time of the folder back when its files are there.
    @Test func namesInAFolderWhoseTimeWasPutBackAreFound() throws {
        let backup = try removeHelp()
        try library.publish()
        try restore(backup)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000)],
            ofItemAtPath: library.release + "/assets")
        #expect(try status.revived == Self.names)
        #expect(try library.publish().revived == Self.names)
    }

    @Test func aFileInAFolderThatWasEmptyIsFound() throws {
        let notes = library.release + "/assets/notes"
        try FileManager.default.createDirectory(
            atPath: notes + "/deep", withIntermediateDirectories: true)
        #expect(try library.publish().foreign.isEmpty)
        #expect(try library.publish().foreign.isEmpty)
        try library.folder.write("mine", to: "release/assets/notes/deep/mine.txt")
        #expect(try status.foreign == ["assets/notes/deep/mine.txt"])
        #expect(try library.publish().foreign == ["assets/notes/deep/mine.txt"])
    }

    @Test func aWholeFolderThatComesBackGoesWithItsFiles() throws {
        let backup = try files(
            ["blueprints/es.json", "blueprints/es.json.gz", "audio/es/hello.m4a"]
                .filter { library.folder.exists("release/" + $0) })
        try library.folder.writeBlueprint("de", key: 1)
        try library.folder.remove("content/languages/es")
        try library.publish()
        try restore(backup)
        #expect(try library.publish().revived.count == backup.count)
        #expect(!library.folder.exists("release/blueprints/es.json"))
        #expect(!library.folder.exists("release/audio/es"))
    }

    @Test func whatWasEditedOrIsForeignIsNamedAndStays() throws {
        var backup = try removeHelp()
        backup[0].1.append(0x21)
        try restore(backup)
        try library.folder.write("mine", to: "release/assets/notes/mine.txt")
        try FileManager.default.createSymbolicLink(
            atPath: library.release + "/assets/link", withDestinationPath: library.content)
        // Outside the folders of a release nothing is looked at.
        try library.folder.write("all", to: "release/robots.txt")
        let summary = try library.publish()
        #expect(summary.revived == ["assets/help.txt.br", "assets/help.txt.gz"])
        #expect(summary.foreign == ["assets/help.txt", "assets/link", "assets/notes/mine.txt"])
        #expect(try library.folder.text("release/assets/help.txt") == Self.text + "!")
        #expect(try library.folder.text("release/assets/notes/mine.txt") == "mine")
        #expect(try status.foreign == summary.foreign)
    }

    @Test func aRollbackTakesTheNamesThatItNeeds() throws {
        try restore(removeHelp())
        let summary = try library.rollback(1)
        #expect(summary.revived.isEmpty && summary.foreign.isEmpty)
        #expect(try library.folder.text("release/assets/help.txt") == Self.text)
        try library.expectWhole()
    }

    /// `a.txt` is served with `a.txt.gz` beside it, which may be the name of another asset later.
    @Test(arguments: [("gz", true), ("br", true), ("gz", false), ("br", false)])
    func aNameMayBecomeThatOfACompressedForm(ending: String, isKilled: Bool) throws {
        let index = try library.folder.read("release/" + ReleaseIndex.path)
        let before = try files(Self.names)
        func become(_ name: String) throws {
            try library.folder.remove("content/assets/help.txt")
            try library.folder.write(Self.text, to: "content/assets/" + name)
        }
        try become("help.txt." + ending)
        try library.publish()
        if isKilled {
            // As after the switch of the manifest, before that of the names.
            try library.folder.remove("release/assets/help.txt." + ending)
            try restore(before)
            try library.folder.write(index, to: "release/" + ReleaseIndex.path)
            try library.publish()
        }
        try library.expectWhole()
        #expect(!library.folder.exists("release/assets/help.txt"))
        try library.folder.remove("content/assets/help.txt." + ending)
        try library.folder.write(Self.text, to: "content/assets/help.txt")
        try library.publish()
        try library.expectWhole()
        for name in Self.names { #expect(library.folder.exists("release/" + name)) }
        _ = try library.rollback(2)
        try library.expectWhole()
        #expect(try library.publish().isNew)
        try library.expectWhole()
        let kept = try library.publish()
        #expect(kept.restored.isEmpty && kept.foreign.isEmpty && kept.revived.isEmpty)
    }
}
