import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Names that some system cannot hold, or not side by side, are a problem with a place, never a crash.
@Suite struct NameRuleTests {
    private let library: Library

    init() throws {
        library = try Library(["es"])
    }

    private func problems() throws -> [Problem] {
        try ContentChecker.check(folder: library.content)
    }

    private func touch(_ paths: [String]) throws {
        for path in paths { try FileBytes.write("{}", to: library.content + "/" + path) }
    }

    /// Each pair is one name to macOS, Windows or both; the second is where the problem is.
    @Test(
        arguments: [
            ("assets/\u{E9}.json", "assets/e\u{301}.json"),
            ("assets/Icon.json", "assets/icon.json"),
            ("assets/\u{C9}.json", "assets/e\u{301}.json"),
            ("assets/STRASSE.bin", "assets/stra\u{DF}e.bin"),
            ("assets/Deep/a.bin", "assets/deep/b.bin"),
            ("assets/a", "assets/a."), ("assets/b", "assets/b "),
            ("languages/es/audio/Hola.m4a", "languages/es/audio/hola.m4a"),
            ("exams/int/demo/media/ONE.svg", "exams/int/demo/media/one.svg"),
            ("announcements/A.yaml", "announcements/a.yaml"),
        ])
    func namesThatAreOneSomewhereAreNamed(first: String, second: String) throws {
        try touch([first, second])
        let found = try problems().filter { $0.rule == .nameClash }
        #expect(found.count == 1)
        // The order is that of the bytes.
        let later = [first, second].max { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let isLater = found.first.map { later?.utf8.starts(with: $0.file.utf8) == true }
        #expect(isLater == true, "\(found)")
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.problems.contains { $0.rule == .nameClash } == true)
        #expect(!library.folder.exists("release/manifest.json"))
    }

    @Test func languagesThatDifferInCaseAreNamed() throws {
        try library.folder.writeBlueprint("ES")
        let found = try problems()
        #expect(found.map(\.rule) == [.nameClash])
        #expect(found.map(\.file) == ["languages/es"])
    }

    /// The folder has one of the two, but the release would have both.
    @Test func languagesThatStepsLeaveApartAreNamed() throws {
        try library.publish()
        try library.folder.writeBlueprint("ES")
        try library.folder.write("{}", to: "content/languages/ES/localization.json")
        try library.folder.remove("content/languages/es")
        let error = #expect(throws: PublishingError.self) {
            try library.publish(steps: [.localizations])
        }
        #expect(error?.problems.map(\.rule) == [.nameClash])
        #expect(error?.problems.map(\.file) == ["languages/es"])
        try library.publish()
        #expect(try library.manifest.languages.keys.sorted() == ["ES"])
    }

    @Test(arguments: [
        "assets/con.json", "assets/Nul", "assets/COM1.tar.gz", "assets/lpt\u{B9}.x", "assets/dot.",
        "assets/space ", "assets/a<b", "assets/a>b", "languages/es/audio/aux.m4a",
        "assets/prn/a.json",
    ])
    func namesThatWindowsCannotHoldAreWarnings(path: String) throws {
        try touch([path])
        #expect(try problems().map(\.rule) == [.unportableName])
        #expect(try library.publish().warnings.map(\.rule) == [.unportableName])
        // A warning is to be seen again.
        #expect(try library.publish().warnings.map(\.rule) == [.unportableName])
        try library.expectWhole()
    }

    @Test(arguments: ["console.json", "com0", "com10.txt", "nul1", "a.con", ".hidden", "e\u{301}"])
    func likeNamesAreNone(name: String) throws {
        try touch(["assets/" + name])
        #expect(try problems().isEmpty)
    }

    @Test func theNameOfACompressedFormIsNamed() throws {
        try touch(["assets/links.json.br"])
        let found = try problems()
        #expect(found.map(\.rule) == [.nameClash])
        #expect(found.map(\.file) == ["assets/links.json.br"])
    }

    @Test(arguments: [[0x66, 0xFF], [0xC3, 0x28, 0x2E, 0x61], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func aNameThatIsNoTextIsNamed(name: [UInt8]) throws {
        try FileBytes.write("{}", to: Array((library.content + "/assets/").utf8) + name)
        #expect(try problems().map(\.rule) == [.unsafePath])
    }

    @Test(arguments: ["languages", "exams", "assets", "assets.yaml", "announcements"])
    func aLinkInPlaceOfAPartIsNamed(part: String) throws {
        if library.folder.exists("content/" + part) { try library.folder.remove("content/" + part) }
        try FileManager.default.createSymbolicLink(
            atPath: library.content + "/" + part, withDestinationPath: "/tmp")
        #expect(try problems().contains { $0.rule == .unsafePath && $0.file == part })
    }

    /// A file that comes back in another normalisation is another file of the release.
    @Test func aNameInAnotherNormalisationReplacesTheOld() throws {
        try touch(["assets/\u{E9}.bin", "assets/keep.bin"])
        try library.publish()
        try FileBytes.remove(library.content + "/assets/\u{E9}.bin")
        try FileBytes.write("new", to: library.content + "/assets/e\u{301}.bin")
        let summary = try library.publish()
        #expect(summary.removed.map { Array($0.utf8) } == [Array("assets/\u{E9}.bin".utf8)])
        try library.expectWhole()
        #expect(FileBytes.exists(library.release + "/assets/e\u{301}.bin"))
        #expect(!FileBytes.exists(library.release + "/assets/\u{E9}.bin"))
        #expect(try !library.publish().isNew)
    }
}
