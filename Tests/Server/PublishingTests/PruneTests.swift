import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What `prune` may touch: the release, and nothing beside or behind it.
@Suite struct PruneTests {
    private let library: Library

    init() throws {
        library = try Library(["es"])
        for key in 0..<3 {
            try library.folder.writeBlueprint("es", key: key)
            try library.publish()
        }
    }

    private func prune(_ release: String? = nil) throws -> PruneSummary {
        try Publisher(folder: library.content, releaseDirectory: release ?? library.release).prune(
            keep: 1)
    }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: library.folder.path).sorted()
    }

    /// Moves a part of the release away and puts a link to it in its place.
    private func link(_ part: String) throws {
        let (path, elsewhere) = (library.release + "/" + part, library.folder.path + "/elsewhere")
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: elsewhere)
    }

    private func refused(_ release: String? = nil) throws -> PublishingError? {
        let before = try names()
        let error = #expect(throws: PublishingError.self) { try prune(release) }
        #expect(try names() == before)
        return error
    }

    @Test(arguments: ["objects", "releases", "releases/1", ".underway", "shard"])
    func aLinkOutOfTheReleaseIsNotFollowed(part: String) throws {
        let first = try #require(
            try FileManager.default.contentsOfDirectory(atPath: library.release + "/objects").first)
        let part = part == "shard" ? "objects/" + first : part
        try link(part)
        let error = try refused()
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(library.release + "/\(part) is a link") == true)
    }

    @Test func aFolderOfOtherThingsIsNotEmptied() throws {
        let name = String(repeating: "a", count: 64)
        try library.folder.write("mine", to: "photos/objects/aa/" + name)
        try library.folder.write("mine", to: "photos/releases/1/manifest.json")
        #expect(try refused(library.folder.path + "/photos")?.code == .invalidRequest)
        #expect(try refused(library.content)?.code == .invalidRequest)
    }

    @Test(arguments: [nil, "", "{}"])
    func withoutACurrentReleaseNothingIsUnused(manifest: String?) throws {
        try library.folder.remove("release/manifest.json")
        if let manifest { try library.folder.write(manifest, to: "release/manifest.json") }
        let error = try refused()
        #expect(error?.code == .noSuchRelease || error?.code == .unreadable)
    }

    @Test func theCurrentReleaseStaysWholeWithoutItsKeptManifest() throws {
        try library.folder.remove("release/releases/3")
        #expect(try prune().releases == [1])
        for file in ManifestAssembly.units(of: try library.manifest).values.flatMap(\.files) {
            #expect(try ReleaseDirectory(root: library.release).isIntact(file.checksum))
        }
    }

    @Test func whatCannotBeRemovedIsNamedAndNotCounted() throws {
        let used = try library.manifest
        let old = try Manifest(library.folder.read("release/releases/1/manifest.json"))
        let checksum = try #require(old.languages["es"]?.blueprint?.checksum)
        #expect(used.languages["es"]?.blueprint?.checksum != checksum)
        let object = "objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        // A folder takes the place of a file that no one may remove.
        try library.folder.remove("release/" + object)
        try library.folder.write("mine", to: "release/\(object)/mine.txt")
        let error = #expect(throws: PublishingError.self) { try prune() }
        #expect(error?.code == .unwritable)
        #expect(error?.message.contains("\(object) cannot be removed") == true)
        #expect(error?.message.contains("Removed before: 0 of the old releases") == true)
        #expect(error?.message.contains("Release 3 is untouched and still live") == true)
        for number in 1...3 {
            #expect(library.folder.exists("release/releases/\(number)/manifest.json"))
        }
        try library.folder.remove("release/" + object)
        #expect(try prune().releases == [1, 2])
        try library.expectWhole()
    }

    @Test func whatIsNoObjectStays() throws {
        let zeros = String(repeating: "0", count: 64)
        let foreign = [
            "objects/README", "objects/aa/notes.txt", "objects/photos/\(zeros)",
            "objects/aa/\(zeros)", "objects/00/\(zeros).orig", "releases/001/manifest.json",
        ]
        for path in foreign { try library.folder.write("mine", to: "release/" + path) }
        try library.folder.write("old", to: "release/objects/00/" + zeros)
        let removed = try prune()
        #expect(removed.releases == [1, 2] && removed.objects == 3)
        for path in foreign {
            #expect(try library.folder.text("release/" + path) == "mine", "\(path)")
        }
        try library.expectWhole()
    }
}
