import ContentModel
import TestSupport
import Testing

@testable import Publishing

/// Warnings stand in the index: a unit that has one is not built at each publish and `status`.
@Suite struct KnownWarningTests {
    /// Banks of which each has a warning: a picture that no question shows.
    private func library(banks: Int) throws -> Library {
        let library = try Library(["es"])
        for bank in 0..<banks {
            let folder = "content/exams/int/b\(bank)"
            try library.folder.write("title: Bank \(bank)\n", to: folder + "/exam.yaml")
            try library.folder.write(
                TemporaryFolder.question("q1"), to: folder + "/questions.yaml")
            try library.folder.write("a picture", to: folder + "/media/unused.svg")
        }
        return library
    }

    private func status(_ library: Library) throws -> PublishSummary {
        try Publisher(folder: library.content, releaseDirectory: library.release).status()
    }

    /// Counts what is built for one edit, at n and at 4 n.
    @Test(arguments: [8, 32])
    func aWarningCostsNoBuild(banks: Int) throws {
        let library = try library(banks: banks)
        let first = try library.publish()
        #expect(first.warnings.count == banks && first.unitsBuilt > banks)
        for _ in 0..<2 {
            let again = try library.publish()
            #expect(again.unitsBuilt == 0 && again.warnings == first.warnings && !again.isNew)
            let state = try status(library)
            #expect(state.unitsBuilt == 0 && state.warnings == first.warnings)
        }
        try library.folder.write(
            TemporaryFolder.question("q1", key: 1), to: "content/exams/int/b3/questions.yaml")
        let edited = try library.publish()
        #expect(edited.unitsBuilt == 1 && edited.isNew && edited.warnings == first.warnings)

        // A warning goes with its cause, and with its unit.
        try library.folder.remove("content/exams/int/b1/media")
        try library.folder.remove("content/exams/int/b2")
        let mended = try library.publish()
        #expect(mended.unitsBuilt == 1)
        #expect(
            mended.warnings
                == first.warnings.filter {
                    !$0.file.contains("/b1/") && !$0.file.contains("/b2/")
                })
        #expect(try status(library).warnings == mended.warnings)
        // Another step says nothing of exams.
        #expect(try library.publish(steps: [.assets]).warnings == [])
    }

    /// What the index says is what a full reading says, also when it was lost.
    @Test func theIndexSaysWhatAFullReadingSays() throws {
        let library = try library(banks: 4)
        let first = try library.publish()
        #expect(try library.publish(verifies: true).warnings == first.warnings)
        try library.folder.remove("release/" + ReleaseIndex.path)
        #expect(try library.publish().warnings == first.warnings)
        #expect(try ContentChecker.check(folder: library.content) == first.warnings)
        #expect(try library.publish().unitsBuilt == 0)
    }

    /// Profiles change what the index remembers of units that were not built.
    @Test func whatAVersionLacksIsRememberedUntilItsProfileChanges() throws {
        let library = try library(banks: 2)
        let own = try library.publish().warnings
        var profile = DecoderProfile.current(appVersion: "1.0")
        profile.fields["question"]?.remove("explanation")
        try library.folder.write(profile.text, to: "content/profiles/1.0.json")
        try library.folder.write(
            TemporaryFolder.question("q1") + "  explanation: Because.\n",
            to: "content/exams/int/b0/questions.yaml")
        try library.folder.write(
            "name: Test\nannouncements: { languages: [en] }\nsupports: [profiles/1.0.json]\n",
            to: "content/underway.yaml")
        let found = try library.publish()
        #expect(found.warnings.count == own.count + 1)
        for _ in 0..<2 {
            let again = try library.publish()
            #expect(again.warnings == found.warnings && again.unitsBuilt == 0)
        }
        try library.folder.write(
            DecoderProfile.current(appVersion: "1.0").text, to: "content/profiles/1.0.json")
        for _ in 0..<2 { #expect(try library.publish().warnings == own) }
    }
}
