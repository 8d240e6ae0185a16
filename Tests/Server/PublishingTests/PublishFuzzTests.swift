import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Content folders with random names and damaged documents: `check` and `publish` say the same, neither
/// crashes, and what goes live is read by a device as a whole.
///
/// `UNDERWAY_PUBLISH_FUZZ` sets how many folders, 60 without it (`script/nightly`: 5,000);
/// `UNDERWAY_SEED` repeats a run.
@Suite struct PublishFuzzTests {
    private static let count = TestRun.count("UNDERWAY_PUBLISH_FUZZ", orElse: UInt64(60))

    private static let documents = [
        "underway.yaml", "assets.yaml", "assets/links.json", "languages/es/blueprint.yaml",
        "languages/es/localization.json", "exams/int/demo/exam.yaml",
        "exams/int/demo/questions.yaml", "announcements/one.yaml",
    ]

    @Test func randomFoldersAreReportedOrPublishedWhole() throws {
        let seed = TestRun.seed(of: "PublishFuzzTests")
        var published = 0
        for round in 0..<Self.count {
            // Each round can be repeated alone: its seed is that of the run, moved on.
            let comment = Comment(rawValue: "UNDERWAY_SEED=\(seed + round) UNDERWAY_PUBLISH_FUZZ=1")
            let library = try Library(["es"])
            try library.folder.write(
                "identifier: 1\ntype: information\ntexts: { en: { title: T, content: C } }\n",
                to: "content/announcements/one.yaml")
            var content = RandomContent(using: SeededGenerator(seed: seed + round))
            try content.harm(library.folder, documents: Self.documents)
            if try judge(library, comment) { published += 1 }
        }
        print("PublishFuzzTests: \(published) of \(Self.count) folders were published")
    }

    /// Holds `check` against `publish`, and what is live against a device.
    ///
    /// - Returns: True when the folder was published.
    private func judge(_ library: Library, _ comment: Comment) throws -> Bool {
        let problems: [Problem]
        do {
            problems = try ContentChecker.check(folder: library.content)
        } catch let error as PublishingError {
            #expect([.unreadable, .noSuchContent].contains(error.code), comment)
            #expect(throws: PublishingError.self, comment) { try publish(library) }
            return false
        }
        let errors = problems.filter { $0.rule.severity == .error }
        do {
            let summary = try publish(library)
            #expect(errors.isEmpty && summary.isNew, comment)
        } catch let error as PublishingError {
            #expect(error.code == .contentErrors && error.problems == errors, comment)
            #expect(!FileBytes.exists(library.release + "/manifest.json"), comment)
            return false
        }
        try checkReadable(library, comment)
        #expect(try !publish(library).isNew, comment)
        return true
    }

    /// A process that another test is starting holds the lock until it has become another program.
    private func publish(_ library: Library) throws -> PublishSummary {
        for _ in 0..<100_000 {
            do {
                return try library.publish()
            } catch let error as PublishingError where error.code == .busy {
                sched_yield()
            }
        }
        return try library.publish()
    }

    private func checkReadable(_ library: Library, _ comment: Comment) throws {
        let directory = ReleaseDirectory(root: library.release)
        let bytes = try library.folder.read("release/manifest.json")
        let read = try ReleaseReader.manifest(bytes)
        #expect(read.unread.isEmpty, comment)
        #expect(read.manifest.canonicalBytes == bytes, comment)
        for document in read.manifest.eagerDocuments {
            let object = try directory.object(document.checksum)
            #expect(object.count == document.size, comment)
            let taken = try ReleaseReader.document(document, object)
            #expect(taken.leftOut.isEmpty, comment)
        }
        for file in ManifestAssembly.units(of: read.manifest).values.flatMap(\.files) {
            let served = try Files.read(library.release + "/" + file.path)
            #expect(Checksum(of: served) == file.checksum, comment)
        }
    }
}
