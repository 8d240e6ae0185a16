import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

@Suite struct HistoryTests {
    @Test func rollbackIsANewReleaseWithOldContent() throws {
        let library = try Library()
        try library.publish()
        let first = try library.manifest
        try library.folder.writeBlueprint("es", key: 1)
        try library.folder.remove("content/languages/de")
        try library.publish()
        let summary = try library.rollback(1)
        #expect(summary.release == 3)
        #expect(summary.changed.contains("blueprints/es.json"))
        let rolled = try library.manifest
        #expect(rolled.release == 3)
        #expect(rolled.languages == first.languages)
        try library.expectWhole()
        // The content folder is as it was, so the next publish brings its content again.
        #expect(try library.publish().release == 4)
        #expect(try library.manifest.languages["de"] == nil)
        try library.expectWhole()
    }

    @Test func aReleaseThatDoesNotExistCannotComeBack() throws {
        let library = try Library()
        try library.publish()
        let error = #expect(throws: PublishingError.self) { try library.rollback(7) }
        #expect(error?.code == .noSuchRelease)
        #expect(error?.message.contains("kept are 1") == true)
    }

    @Test func pruneKeepsTheLastReleasesWhole() throws {
        let library = try Library()
        for key in 0..<3 {
            try library.folder.writeBlueprint("es", key: key)
            try library.publish()
        }
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        let removed = try publisher.prune(keep: 2)
        #expect(removed.releases == [1])
        #expect(removed.objects == 1)
        try library.expectWhole()
        #expect(try library.rollback(2).release == 4)
        #expect(throws: PublishingError.self) { try library.rollback(1) }
        #expect(try publisher.prune(keep: 99) == PruneSummary(releases: [], objects: 0))
    }

    /// A publish that was killed just before its manifest became current leaves it in the history.
    @Test func pruneKeepsTheCurrentReleaseWhateverElseIsKept() throws {
        let library = try Library()
        try library.publish()
        let orphan = try Manifest(library.folder.read("release/manifest.json"))
        var later = orphan
        later.release = 9
        later.languages = [:]
        try library.folder.write(later.canonicalBytes, to: "release/releases/9/manifest.json")
        let removed = try Publisher(folder: library.content, releaseDirectory: library.release)
            .prune(keep: 1)
        #expect(removed.releases.isEmpty && removed.objects == 0)
        try library.expectWhole()
    }

    /// A publish that is killed before its manifest is in the history leaves a folder without one.
    @Test(arguments: [false, true])
    func aNumberWithoutAManifestIsNotKept(isLast: Bool) throws {
        let library = try Library()
        for key in 0..<3 {
            try library.folder.writeBlueprint("es", key: key)
            try library.publish()
        }
        try library.folder.remove("release/releases/1/manifest.json")
        let left = library.release + "/releases/" + (isLast ? "4" : "3")
        if !isLast { try library.folder.write("", to: "release/releases/2/notes.txt") }
        if isLast {
            try FileManager.default.createDirectory(
                atPath: left, withIntermediateDirectories: true)
        }
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        let error = #expect(throws: PublishingError.self) { try library.rollback(1) }
        #expect(error?.message.contains("kept are 2, 3.") == true)
        #expect(try publisher.prune(keep: 1).releases == [2])
        #expect(!library.folder.exists("release/releases/1"))
        #expect(library.folder.exists("release/releases/2") == !isLast)
        #expect(library.folder.exists("release/releases/3/manifest.json"))
        #expect(!library.folder.exists("release/releases/4"))
        // What others put there stays, and is not removed each time anew.
        #expect(try publisher.prune(keep: 1) == PruneSummary(releases: [], objects: 0))
        try library.folder.writeBlueprint("es", key: 0)
        #expect(try library.publish().release == 4)
    }

    @Test func aNumberWithoutANextOneIsRefused() throws {
        let library = try Library()
        try library.publish()
        let folder = library.release + "/releases/\(Int.max)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try library.folder.writeBlueprint("es", key: 1)
        #expect(try library.publish().release == 2)
        let manifest = try library.folder.read("release/manifest.json")
        try library.folder.write(manifest, to: "release/releases/\(Int.max)/manifest.json")
        try library.folder.writeBlueprint("es", key: 2)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("releases/\(Int.max) is of release") == true)
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        #expect(throws: PublishingError.self) { try publisher.status() }
        #expect(throws: PublishingError.self) { try library.rollback(1) }
        #expect(try library.folder.read("release/manifest.json") == manifest)
        try library.folder.remove("release/releases/\(Int.max)")
        #expect(try library.publish().release == 3)
    }

    @Test func theDifferenceIsReadableQuestionByQuestion() throws {
        let library = try Library(["es"])
        try library.publish()
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        #expect(try ReleaseDiff.pending(publisher).files.isEmpty)
        try library.folder.writeBlueprint("es", key: 1, stem: "Two?")
        let pending = try ReleaseDiff.pending(publisher)
        let expected = ReleaseDiff.QuestionChange(
            id: "es-1", kind: .changed,
            fields: [
                .init(name: "stem", old: "One?", new: "Two?"),
                .init(name: "key", old: "first", new: "other"),
            ])
        #expect(pending.files.map(\.path) == ["blueprints/es.json"])
        #expect(pending.files.first?.questions == [expected])
        try library.publish()
        #expect(
            try ReleaseDiff.between(1, and: 2, releaseDirectory: library.release).files
                == pending.files)
    }

    @Test func questionsThatCameAndWentAreNamed() {
        func blueprint(_ ids: [String], difficulty: Int = 1) -> Blueprint {
            Blueprint(
                kind: .placement, id: "es", title: "t", version: "1",
                questions: ids.map {
                    Question(
                        id: $0, type: .ordering, difficulty: difficulty, stem: "s",
                        options: [.init(id: "a", text: "x"), .init(id: "b", text: "y")],
                        correct: [1, 0])
                })
        }
        let changes = Blueprint.changes(
            from: blueprint(["a", "b"]), to: blueprint(["b", "c"], difficulty: 2))
        #expect(
            changes == [
                .init(
                    id: "b", kind: .changed, fields: [.init(name: "difficulty", old: "1", new: "2")]
                ),
                .init(id: "c", kind: .added), .init(id: "a", kind: .removed),
            ])
    }

    @Test func aBundleHasWhatAFirstStartNeeds() throws {
        let library = try Library()
        try library.publish()
        let output = library.folder.path + "/bundle"
        let written = try BundleWriter.write(releaseDirectory: library.release, to: output)
        let manifest = try library.manifest
        // Three placement tests and texts, one exam with its image, one eager asset.
        #expect(written.objects == 9)
        #expect(try library.folder.read("bundle/manifest.json") == manifest.canonicalBytes)
        #expect(throws: PublishingError.self) {
            try BundleWriter.write(releaseDirectory: library.release, to: output)
        }
        let withAudio = try BundleWriter.write(
            releaseDirectory: library.release, to: library.folder.path + "/bundle2", audio: .all)
        #expect(withAudio.objects == 10)
    }
}
