import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What a publish writes lies at the paths of the manifest's entries, and nothing lies elsewhere.
@Suite struct PublishedPathTests {
    private func files(of library: Library) throws -> Set<String> {
        let manager = FileManager.default
        return Set(
            try manager.subpathsOfDirectory(atPath: library.release).filter { path in
                var isFolder: ObjCBool = false
                return !path.hasPrefix(".underway")
                    && manager.fileExists(
                        atPath: library.release + "/" + path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }

    private func expectPathsOfEntries(_ library: Library, releases: [Int]) throws {
        let files = try files(of: library)
        let manifest = try library.manifest
        var expected: Set<ReleasePath> = [.manifest]
        expected.formUnion(releases.compactMap { ReleasePath.history(release: $0) })
        expected.formUnion(manifest.entries.map(\.path))
        expected.formUnion(manifest.entries.map { .object($0.checksum) })
        var plain: Set<ReleasePath> = []
        for file in files {
            let isSibling = ReleasePath.Packing.split(file).map { files.contains($0.plain) }
            if isSibling == true { continue }
            plain.insert(try #require(ReleasePath(file), "\(file)"))
        }
        #expect(plain == expected)
        #expect(Set(plain.map(\.text)).isSubset(of: files))
    }

    @Test func eachPathThatAPublishWritesIsThatOfAnEntry() throws {
        let library = try Library()
        try library.folder.write("packed", to: "content/assets/deep/one.json.gz")
        try library.folder.write("clip", to: "content/languages/es/audio/a/\u{FC}.m4a")
        try library.publish()
        try expectPathsOfEntries(library, releases: [1])
        #expect(try Set(library.manifest.entries.map(\.kind)).count == 6)
    }

    @Test func pruneLeavesThePathsOfTheEntriesThatAreLeft() throws {
        let library = try Library(["es"])
        for key in 0..<3 {
            try library.folder.writeBlueprint("es", key: key)
            try library.publish()
        }
        let result = try Publisher(folder: library.content, releaseDirectory: library.release)
            .prune(keep: 1)
        #expect(result.releases == [1, 2] && result.objects == 2)
        try expectPathsOfEntries(library, releases: [3])
    }
}
