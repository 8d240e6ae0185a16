import Foundation
import TestSupport
import Testing

@testable import RemoteAssets

@Suite struct AssetFileTests {
    private func attributes(_ version: String = "1") -> AssetAttributes {
        AssetAttributes(
            appVersion: version, tag: AssetTag(entityTag: "\"e\"", checksum: "sha256:00"))
    }

    @Test(arguments: [true, false])
    func writtenAndReadBackIsTheSame(extended: Bool) throws {
        let file = try AssetFixture().file(extended: extended)
        #expect(file.read() == nil)
        try file.write(Data("one".utf8), attributes())
        let found = try #require(file.read())
        #expect(found.data == Data("one".utf8) && found.attributes == attributes())
        file.remove()
        #expect(file.read() == nil)
    }

    private func modes(_ file: AssetFile) throws -> [Int] {
        let manager = FileManager.default
        let folder = file.url.deletingLastPathComponent()
        let files = try manager.contentsOfDirectory(atPath: folder.path)
            .map { folder.appending(path: $0).path }
        return try (files + [folder.path]).map { path in
            let attributes = try manager.attributesOfItem(atPath: path)
            return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
        }
    }

    @Test(arguments: [true, false])
    func nobodyElseCanReadAnAsset(extended: Bool) throws {
        let fixture = try AssetFixture()
        let file = try fixture.file(extended: extended)
        try file.write(Data("one".utf8), attributes())
        #expect(try modes(file).allSatisfy { $0 & 0o077 == 0 })
    }

    @Test func bytesWithoutAttributesCountAsNone() throws {
        let fixture = try AssetFixture()
        try fixture.folder.write("copied by a stranger", to: "kept/a/text.txt")
        #expect(try fixture.file().read() == nil)
        #expect(try fixture.open().current == "bundled")
    }

    /// What a crash leaves at each step of a write where there are no extended attributes.
    @Test(arguments: ["attributes removed", "bytes replaced", "attributes damaged"])
    func aCrashInTheMiddleCostsADownloadAndNothingElse(step: String) async throws {
        let fixture = try AssetFixture()
        try fixture.file(extended: false).write(Data("old".utf8), attributes())
        switch step {
        case "attributes removed": try fixture.folder.remove("kept/a/.text.txt.attributes")
        case "bytes replaced":
            try fixture.folder.remove("kept/a/.text.txt.attributes")
            try fixture.folder.write("new", to: "kept/a/text.txt")
        default: try fixture.folder.write("{\"appVer", to: "kept/a/.text.txt.attributes")
        }
        fixture.source.serve("new")
        let asset = try fixture.open(extended: false)
        #expect(asset.current == "bundled" && asset.tag == nil)
        #expect(await asset.refresh() == .replaced)
        #expect(try fixture.open(extended: false).current == "new")
    }

    /// A reset to the app's own file removes the kept one; a crash may come before or between.
    @Test(arguments: ["before", "bytes removed", "attributes removed"], [true, false])
    func aCrashWhileTheAppVersionChangesEndsWithTheNewFile(step: String, extended: Bool) throws {
        let fixture = try AssetFixture()
        try fixture.file(extended: extended).write(Data("of 1".utf8), attributes())
        if step == "bytes removed" { try fixture.folder.remove("kept/a/text.txt") }
        if step == "attributes removed", !extended {
            try fixture.folder.remove("kept/a/.text.txt.attributes")
        }
        for _ in 0..<2 {
            let asset = try fixture.open(appVersion: "2", bundled: "of 2", extended: extended)
            #expect(asset.current == "of 2" && asset.source == .bundled)
        }
        // Going back to version 1 does not bring back what version 2 discarded.
        #expect(try fixture.open(extended: extended).current == "bundled")
    }

    @Test func leftoversOfCrashesAreRemovedAfterAnHour() throws {
        let fixture = try AssetFixture()
        try fixture.folder.write("half", to: "kept/a/.text.txt.part-1")
        let file = try fixture.file()
        file.removeLeftovers(now: Date())
        #expect(try fixture.names() == [".text.txt.part-1"])
        file.removeLeftovers(now: Date() + 3700)
        #expect(try fixture.names() == [])
    }

    @Test func anAttributeThatIsTooLongGoesIntoTheSideFile() throws {
        let fixture = try AssetFixture()
        let long = AssetAttributes(
            appVersion: "1", tag: AssetTag(entityTag: String(repeating: "e", count: 100_000)))
        try fixture.file().write(Data("x".utf8), long)
        #expect(try fixture.file().read()?.attributes == long)
        try fixture.file().write(Data("y".utf8), attributes())
        #expect(try fixture.file().read()?.attributes == attributes())
        #expect(try fixture.names() == ["text.txt"])
    }

    /// A file system in memory, which on many machines has no attributes of users.
    @Test func aFileSystemWithoutAttributesWorks() async throws {
        let memory = URL(fileURLWithPath: "/dev/shm/underway-test-\(UUID().uuidString)")
        guard FileManager.default.isWritableFile(atPath: "/dev/shm") else {
            print("SKIPPED: there is no /dev/shm")
            return
        }
        defer { try? FileManager.default.removeItem(at: memory) }
        let file = try AssetFile(name: "x", folder: memory)
        try file.write(Data("one".utf8), attributes())
        #expect(file.read()?.attributes == attributes())
        let names = try FileManager.default.contentsOfDirectory(atPath: memory.path).sorted()
        if names == ["x"] { print("NOTE: /dev/shm has extended attributes here") }
        #expect(names == ["x"] || names == [".x.attributes", "x"])
    }

    @Test(arguments: ["", "../a", "a/../b", "/a", "a//b", ".hidden", "a/.b", "a\0b"])
    func aNameThatCouldLeadOutIsRefused(name: String) {
        #expect(throws: AssetError.self) {
            try AssetFile(name: name, folder: URL(fileURLWithPath: "/tmp"))
        }
    }
}
