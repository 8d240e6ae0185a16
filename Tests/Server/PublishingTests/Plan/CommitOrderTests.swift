import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// A commit that fails at one of its steps has not taken any of those that follow.
@Suite struct CommitOrderTests {
    private let library: Library
    private let records = [
        ReleaseIndex.path, DirectoryIdentity.path, PublicationLog.path, "blueprints/es.json",
    ]

    init() throws {
        library = try Library(["es"])
        try library.publish()
        try library.folder.writeBlueprint("es", key: 1)
    }

    /// Plans a release, whose objects are there, and lets `sabotage` happen before it is carried out.
    private func commit(after sabotage: (ReleasePlan) throws -> Void) throws -> ReleaseCommit {
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        let directory = ReleaseDirectory(root: library.release)
        let lock = try directory.open()
        defer { withExtendedLifetime(lock) {} }
        var run = try PublishRun(publisher, directory: directory)
        var plan = try run.plan(
            .init(action: .publish, publisher: publisher, generatedAt: "t"), now: 2_000_000_000)
        try run.prepareObjects(of: &plan)
        #expect(plan.outcome == .release(2) && plan.links.map(\.path) == ["blueprints/es.json"])
        try sabotage(plan)
        #expect(throws: PublishingError.self) {
            try run.commit.run(
                plan, over: run.baseline, now: 2_000_000_000, memory: library.content)
        }
        run.commit.clear()
        return run.commit
    }

    private func bytes() throws -> [[UInt8]] {
        try records.map { try library.folder.read("release/" + $0) }
            + [library.folder.read("content/" + PublisherMemory.name)]
    }

    /// Names, index, marks, the record of publications and the memory follow the manifest.
    @Test func nothingFollowsAManifestThatIsNotSwitched() throws {
        let before = try bytes()
        let commit = try commit { _ in
            // No file takes the place of a folder with something in it.
            try library.folder.remove("release/manifest.json")
            try library.folder.write("x", to: "release/manifest.json/x")
        }
        #expect(try bytes() == before)
        #expect(commit.progress == .withoutSiblings)
        #expect(!library.folder.exists("release/releases/2"))
    }

    @Test func noManifestIsSwitchedBeforeItsObjectsAreThere() throws {
        let before = try bytes()
        let manifest = try library.folder.read("release/manifest.json")
        let commit = try commit { plan in
            for file in plan.links {
                try library.folder.remove("release/" + ReleasePath.object(file.checksum).text)
            }
        }
        #expect(try library.folder.read("release/manifest.json") == manifest)
        #expect(try bytes() == before)
        #expect(commit.progress == .untouched)
    }

    /// What a plan needs and nobody has any more is a refusal, not a release.
    @Test func anObjectThatCannotBeMadeIsARefusal() throws {
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        let directory = ReleaseDirectory(root: library.release)
        var run = try PublishRun(publisher, directory: directory)
        var plan = try run.plan(
            .init(action: .publish, publisher: publisher, generatedAt: "t"), now: 2_000_000_000)
        run.content.writtenObjects = []
        for file in plan.links {
            let object = ReleasePath.object(file.checksum)
            for path in object.withSiblings { try? library.folder.remove("release/" + path.text) }
        }
        try library.folder.writeBlueprint("es", key: 2)
        let error = #expect(throws: PublishingError.self) { try run.prepareObjects(of: &plan) }
        #expect(error?.message.contains("missing or damaged") == true)
    }

    /// Also where a publish would have something to mend, edits to refuse and a release to make.
    @Test func aLookWritesNothing() throws {
        try library.folder.remove("release/manifest.json.gz")
        try library.folder.remove("release/blueprints/es.json")
        try library.folder.write("edited", to: "release/blueprints/es.json")
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        func stamps() throws -> [String: FileStamp?] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: library.folder.path)
            return Dictionary(
                uniqueKeysWithValues: paths.map {
                    ($0, Files.look(library.folder.path + "/" + $0)?.stamp)
                })
        }
        let before = try stamps()
        let status = try publisher.status()
        #expect(status.isNew && status.drifted == ["blueprints/es.json"])
        #expect(try PublishPreview(publisher).summary.changed == ["blueprints/es.json"])
        #expect(try stamps() == before)
    }
}
