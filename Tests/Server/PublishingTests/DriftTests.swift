import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

@Suite struct DriftTests {
    /// Edits a served placement test by hand: the first question gets another key.
    private func edit(_ library: Library, inPlace: Bool = false) throws -> [UInt8] {
        let path = "release/blueprints/es.json"
        var blueprint = try Blueprint(released: library.folder.read(path))
        blueprint.questions[0].correct = [2]
        let bytes = blueprint.json.canonicalBytes
        if inPlace {
            let handle = try #require(
                FileHandle(forWritingAtPath: library.release + "/blueprints/es.json"))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(bytes))
        } else {
            try library.folder.remove(path)
            try library.folder.write(bytes, to: path)
        }
        return bytes
    }

    @Test func aServedFileThatWasEditedIsNamedAndKept() throws {
        let library = try Library()
        try library.publish()
        let edited = try edit(library)
        try library.folder.writeBlueprint("de", key: 1)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .drift)
        #expect(error?.message.contains("blueprints/es.json") == true)
        #expect(try library.folder.read("release/blueprints/es.json") == edited)
        #expect(try library.manifest.release == 1)
        let status = try Publisher(folder: library.content, releaseDirectory: library.release)
            .status()
        #expect(status.drifted == ["blueprints/es.json"])
    }

    @Test(arguments: [false, true])
    func adoptBringsTheEditBackIntoTheSource(inPlace: Bool) throws {
        let library = try Library()
        try library.publish()
        let edited = try edit(library, inPlace: inPlace)
        let summary = try library.publish(drift: .adopt)
        #expect(summary.adopted == ["languages/es/blueprint.yaml"])
        #expect(try library.folder.read("release/blueprints/es.json") == edited)
        try library.expectWhole()
        #expect(try ContentChecker.check(folder: library.content).isEmpty)
        #expect(try library.publish().isNew == false)
    }

    @Test(arguments: [false, true])
    func overwriteDiscardsTheEditAndSaysSo(inPlace: Bool) throws {
        let library = try Library()
        try library.publish()
        let original = try library.folder.read("release/blueprints/es.json")
        _ = try edit(library, inPlace: inPlace)
        let summary = try library.publish(drift: .overwrite)
        #expect(summary.drifted == ["blueprints/es.json"])
        #expect(try library.folder.read("release/blueprints/es.json") == original)
        try library.expectWhole()
    }

    @Test func anEditOfAnExamGoesBackIntoItsQuestions() throws {
        let library = try Library()
        try library.publish()
        let path = "release/exams/int/demo.json"
        var blueprint = try Blueprint(released: library.folder.read(path))
        blueprint.questions[1].stem = "A better \"stem\":\nwith two lines?"
        blueprint.title = "Renamed"
        try library.folder.remove(path)
        try library.folder.write(blueprint.json.canonicalBytes, to: path)
        let summary = try library.publish(drift: .adopt)
        #expect(summary.adopted == ["exams/int/demo/questions.yaml"])
        #expect(try Blueprint(released: library.folder.read(path)) == blueprint)
        try library.expectWhole()
    }

    @Test(arguments: [
        ("localizations/es.json", "languages/es/localization.json", "{\"start\":\"edited\"}"),
        ("audio/de/hello.m4a", "languages/de/audio/hello.m4a", "another clip"),
        ("media/int/demo/one.svg", "exams/int/demo/media/one.svg", "<svg id=\"x\"/>"),
        ("assets/links.json", "assets/links.json", "{\"edited\": true}"),
    ])
    func otherFilesAreAdoptedToo(served: String, source: String, text: String) throws {
        let library = try Library()
        try library.publish()
        try library.folder.remove("release/" + served)
        try library.folder.write(text, to: "release/" + served)
        let summary = try library.publish(drift: .adopt)
        #expect(summary.adopted == [source])
        #expect(try library.folder.text("release/" + served) == text)
        try library.expectWhole()
    }

    @Test func anEditThatBreaksTheFileIsNotAdopted() throws {
        let library = try Library()
        try library.publish()
        let source = try library.folder.read("content/languages/es/blueprint.yaml")
        try library.folder.remove("release/blueprints/es.json")
        try library.folder.write("{\"kind\": ", to: "release/blueprints/es.json")
        #expect(throws: ContentError.self) { try library.publish(drift: .adopt) }
        #expect(try library.folder.read("content/languages/es/blueprint.yaml") == source)
        try library.publish(drift: .overwrite)
        try library.expectWhole()
    }

    /// Else `publish --overwrite` could not discard the edit any more.
    @Test func nothingIsAdoptedBesideASourceWithErrors() throws {
        let library = try Library()
        try library.publish()
        _ = try edit(library, inPlace: false)
        let source = try library.folder.read("content/languages/es/blueprint.yaml")
        let other = try library.folder.read("content/exams/int/demo/questions.yaml")
        try library.folder.write("- id: [", to: "content/exams/int/demo/questions.yaml")
        #expect(throws: (any Error).self) { try library.publish(drift: .adopt) }
        #expect(try library.folder.read("content/languages/es/blueprint.yaml") == source)
        try library.folder.write(other, to: "content/exams/int/demo/questions.yaml")
        #expect(try library.publish(drift: .adopt).adopted == ["languages/es/blueprint.yaml"])
        try library.expectWhole()
    }

    @Test func aManifestThatWasEditedCanOnlyBeMadeAnew() throws {
        let library = try Library()
        try library.publish()
        for text in ["{}", "not json"] {
            try library.folder.write(text, to: "release/manifest.json")
            #expect(throws: PublishingError.self) { try library.publish() }
            #expect(throws: PublishingError.self) { try library.publish(drift: .adopt) }
            #expect(try library.publish(drift: .overwrite).isNew)
            try library.expectWhole()
        }
        #expect(try library.manifest.release == 3)
    }

    @Test func aServedFileThatIsGoneComesBack() throws {
        let library = try Library()
        try library.publish()
        try library.folder.remove("release/blueprints/es.json")
        let summary = try library.publish()
        #expect(summary.restored == ["blueprints/es.json"])
        #expect(!summary.isNew)
        try library.expectWhole()
    }

    /// The object of a served file.
    private func object(_ library: Library, _ language: String = "es") throws -> String {
        let checksum = try #require(try library.manifest.languages[language]?.blueprint?.checksum)
        return "release/objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
    }

    private func expectIntact(_ library: Library, _ object: String) throws {
        #expect(Checksum(of: try library.folder.read(object)).hex == object.suffix(64))
    }

    /// A readable name is another name of its object, and devices read the object.
    @Test(arguments: [true, false])
    func anEditInPlaceIsRefusedAndTheObjectIsRightAgain(hasSibling: Bool) throws {
        let library = try Library()
        try library.publish()
        let object = try object(library)
        let edited = try edit(library, inPlace: true)
        #expect(try library.folder.read(object) == edited)
        let status = try Publisher(folder: library.content, releaseDirectory: library.release)
            .status()
        #expect(status.damagedObjects == ["blueprints/es.json"])
        // Without its compressed form, the object is made again from the sources.
        if !hasSibling { try library.folder.remove(object + ".gz") }
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .drift)
        #expect(error?.message.contains("edited in place") == true)
        try expectIntact(library, object)
        #expect(try library.folder.read("release/blueprints/es.json") == edited)
        #expect(try library.publish(drift: .adopt).adopted == ["languages/es/blueprint.yaml"])
        try expectIntact(library, object)
        try library.expectWhole()
    }

    @Test func anObjectThatCannotBeMadeAgainIsRemovedAndTheEditStays() throws {
        let library = try Library()
        try library.publish()
        let checksum = try #require(try library.manifest.languages["de"]?.audio?.files[0].checksum)
        let object = "release/objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        let handle = try #require(
            FileHandle(forWritingAtPath: library.release + "/audio/de/hello.m4a"))
        try handle.write(contentsOf: Data("Clip".utf8))
        try library.folder.write("another clip", to: "content/languages/de/audio/hello.m4a")
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.message.contains("But audio/de/hello.m4a") == true)
        #expect(!library.folder.exists(object))
        #expect(try library.folder.text("release/audio/de/hello.m4a") == "Clip of es")
        // The source is newer than what was published, and is not overwritten.
        #expect(throws: PublishingError.self) { try library.publish(drift: .adopt) }
        #expect(
            try library.folder.text("content/languages/de/audio/hello.m4a") == "another clip")
        try library.publish(drift: .overwrite)
        #expect(try library.folder.text("release/audio/de/hello.m4a") == "another clip")
        try library.expectWhole()
    }

    @Test func contentErrorsDoNotCostTheObjectOfAnEdit() throws {
        let library = try Library()
        try library.publish()
        let object = try object(library)
        _ = try edit(library, inPlace: true)
        try library.folder.writeBlueprint("de", key: 9)
        #expect(throws: PublishingError.self) { try library.publish(drift: .overwrite) }
        try expectIntact(library, object)
    }
}
