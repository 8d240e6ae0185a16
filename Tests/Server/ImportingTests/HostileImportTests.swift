import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

@testable import Importing

/// Files that somebody made to cost time or memory, or to take what is not theirs.
@Suite struct HostileImportTests {
    // MARK: Time

    private func repeated(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined()
    }

    @Test func gapsThatNeverCloseTakeLinearTime() throws {
        try expectLinearTime(500) { size in
            let gaps = repeated(size) { _ in "{1:MC:" }
            let result = try imported(
                "<quiz><question type=\"cloze\"><questiontext><text>Which \(gaps)</text></questiontext></question></quiz>",
                .moodleXML)
            #expect(result.skipped.map(\.reason) == ["it has no gap"])
        }
    }

    @Test func unreadFieldsTakeLinearTime() throws {
        try expectLinearTime(2_000) { size in
            let fields = repeated(size) { ",\"k\($0)\":1" }
            let result = try imported(
                "[{\"question\":\"Which?\",\"options\":[\"a\",\"b\"],\"answer\":\"a\"\(fields)}]",
                .json)
            #expect(result.questions.count == 1)
        }
    }

    @Test func unreadListsTakeLinearTime() throws {
        try expectLinearTime(500) { size in
            let lists = repeated(size) { ",\"l\($0)\":[{\"remark\":\"a b c d e f g h\"}]" }
            let result = try imported(
                "{\"questions\":[{\"question\":\"Which?\",\"options\":[\"a\",\"b\"],\"answer\":\"a\"}]\(lists)}",
                .json)
            #expect(result.questions.count == 1)
        }
    }

    @Test(arguments: ["\\[", "$", "[latex]"])
    func openFormulasTakeLinearTime(mark: String) throws {
        try expectLinearTime(20_000) { size in
            let marks = repeated(size) { _ in mark }
            let result = try imported("[html]Which \(marks) {=a ~b}\n", .gift)
            #expect(result.skipped.count == 1)
        }
    }

    @Test func aMatchingOfManyAnswersIsRefused() throws {
        try expectLinearTime(300) { size in
            let rows = repeated(size) {
                "<subquestion><text>s\($0)</text><answer><text>a\($0)</text></answer></subquestion>"
            }
            let result = try imported(
                "<quiz><question type=\"matching\"><questiontext><text>Match</text></questiontext>\(rows)</question></quiz>",
                .moodleXML)
            #expect(
                result.skipped.map(\.reason) == ["the matching has \(size) answers; 64 are allowed"]
            )
        }
    }

    /// The parser compares each attribute with all others.
    @Test func aTagOfManyAttributesIsRefused() throws {
        func document(_ size: Int) -> String {
            "<quiz>\n<question type=\"essay\" \(repeated(size) { "a\($0)=\"=\" " })/></quiz>"
        }
        #expect(try imported(document(900), .moodleXML).skipped.count == 1)
        let error = #expect(throws: ImportError.self) {
            try imported(document(1_001), .moodleXML)
        }
        #expect(error?.reason == "has a tag with more than 1000 attributes at line 2")
    }

    // MARK: Archives

    private static func item(_ image: String) -> [UInt8] {
        Array(
            """
            <assessmentItem identifier="x"><responseDeclaration identifier="R" cardinality="single"><correctResponse><value>a</value></correctResponse></responseDeclaration><itemBody><p>Q?<img src="\(image)"/></p><choiceInteraction responseIdentifier="R"><simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction></itemBody></assessmentItem>
            """.utf8)
    }

    @Test func aPackageReadsOnlyItself() throws {
        let folder = try TemporaryFolder()
        try folder.write([1, 2, 3], to: "own.png")
        try folder.write([1, 2, 3], to: "beside.png")
        var importer = QuestionImporter()
        importer.pictures = PictureFolder(of: folder.path + "/a.zip")
        let package = try sampleArchive([
            "a.xml": Self.item("own.png"), "b.xml": Self.item("beside.png"), "own.png": [9],
            "unused.png": [8],
        ])
        let result = try importer.read(package, file: "a.zip", format: .qti)
        #expect(result.media == ["own.png": [9]])
        #expect(result.skipped.map(\.place) == ["b.xml, line 1"])
        #expect(
            result.notes.map(\.message) == [
                "1 file of the package stand in no imported question: unused.png"
            ])
    }

    /// Changes numbers of two bytes in the records of an archive's directory.
    private func changed(
        _ archive: [UInt8], _ change: (_ bytes: inout [UInt8], _ record: Int) -> Void
    ) -> [UInt8] {
        var bytes = archive
        for place in bytes.indices where bytes[place...].starts(with: [0x50, 0x4B, 1, 2]) {
            change(&bytes, place)
        }
        return bytes
    }

    @Test func entriesThatOverlapAreRefused() throws {
        var random = SeededGenerator(seed: 1)
        let noise = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let archive = try sampleArchive(["a.png": noise, "b.xml": Self.item("a.png")])
        #expect(try imported(archive, .qti).questions.count == 1)
        // Both entries claim the bytes of the first.
        let size = changed(archive) { bytes, record in
            bytes[record + 20] = UInt8(4_000 & 0xFF)
            bytes[record + 21] = UInt8(4_000 >> 8)
        }
        let error = #expect(throws: ImportError.self) { try imported(size, .qti) }
        #expect(error?.reason == "has entries that overlap or are cut off; pack its files anew")
    }

    @Test func picturesAreUnpackedWhenTheyAreNamed() throws {
        let bytes = try sampleArchive(["a.png": [1], "b.xml": Self.item("a.png")])
        let archive = try ZipArchive(bytes, file: "a.zip")
        #expect(archive.names == ["a.png", "b.xml"])
        #expect(Array(archive.files.keys) == ["b.xml"])
        #expect(archive.bytes("a.png") == [1] && archive.contains("a.png"))
        #expect(archive.bytes("c.png") == nil && !archive.contains("c.png"))
    }

    @Test func anArchiveThatCannotBeReadSaysWhyAndTheWayOut() throws {
        let archive = try sampleArchive(["b.xml": Self.item("")])
        let locked = changed(archive) { bytes, record in bytes[record + 8] |= 1 }
        let wrong = changed(archive) { bytes, record in bytes[record + 24] += 1 }
        for (bytes, reason) in [
            (
                locked,
                "holds no QTI: b.xml was left out, because it is encrypted; pack the files without a password"
            ),
            (
                wrong,
                "holds no QTI: b.xml was left out, because it is damaged, or not as long as the archive says; pack the files anew"
            ),
        ] {
            let error = #expect(throws: ImportError.self) { try imported(bytes, .qti) }
            #expect(error?.reason == reason)
        }
    }

    @Test func aCollectionThatSwellsIsNamed() throws {
        let archive = try sampleArchive([
            "collection.anki2": Array(repeating: 0, count: 2_000_000)
        ])
        let error = #expect(throws: ImportError.self) { try imported(archive, .anki) }
        #expect(error?.reason.contains("collection.anki2 was left out, because it swells") == true)
    }

    // MARK: Missing pictures and texts

    @Test func aMissingPictureOfAWorkbookIsNoted() throws {
        var book = SampleWorkbook()
        book.pictures = [(row: 1, column: 0, bytes: [1])]
        book.add("S", [["Question", "Option A", "Option B", "Answer"], ["One?", "a", "b", "A"]])
        book.replaced = ["xl/drawings/_rels/drawing1.xml.rels": "<Relationships/>"]
        let result = try imported(book.bytes(), .xlsx)
        #expect(result.notes.map(\.message) == ["the image at A2 is not in the file"])
        #expect(result.notes.map(\.place) == ["row 2"])
    }

    @Test func aMissingPictureOfADocumentIsNoted() throws {
        var document = SampleDocument()
        document.add("Which?", level: 0)
        document.add("*x", level: 1)
        document.add("y", level: 1)
        document.addRaw("<w:p><w:r><w:drawing><a:blip r:embed=\"no\"/></w:drawing></w:r></w:p>")
        let xml = try #require(document.parts()["word/document.xml"])
        let named = String(decoding: xml, as: UTF8.self)
            .replacing("xmlns:w=\"w\"", with: "xmlns:w=\"w\" xmlns:a=\"a\" xmlns:r=\"r\"")
        var parts = document.parts()
        parts["word/document.xml"] = Array(named.utf8)
        let result = try imported(sampleArchive(parts), .docx)
        #expect(result.questions.count == 1)
        #expect(
            result.notes.contains {
                $0.place == "paragraph 4"
                    && $0.message == "it shows an image that is not in the file"
            })
    }

    @Test func equalRowsOfAMatchingAskOnce() throws {
        func result(_ answers: [String]) throws -> ImportResult {
            let rows = zip(["a", "a", "b"], answers).map {
                "<subquestion><text>\($0)</text><answer><text>\($1)</text></answer></subquestion>"
            }
            return try imported(
                "<quiz><question type=\"matching\"><questiontext><text>Match</text></questiontext>\(rows.joined())</question></quiz>",
                .moodleXML)
        }
        #expect(try result(["1", "1", "2"]).questions.map(\.stem) == ["Match\na", "Match\nb"])
        #expect(
            try result(["1", "2", "2"]).skipped.map(\.reason) == [
                "two rows of the matching have the text \"a\" and other answers"
            ])
    }

    @Test func textInAnAnswerOfQTI1IsPartOfTheStem() throws {
        let result = try imported(
            """
            <questestinterop><item ident="r"><presentation><material><mattext>Read about metals.</mattext></material><response_lid ident="R" rcardinality="Single"><material><mattext>Which is one?</mattext></material><render_choice><material><mattext>Choose.</mattext></material><response_label ident="a"><material><mattext>Ne</mattext></material></response_label><response_label ident="b"><material><mattext>Fe</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><outcomes><decvar varname="SCORE"/></outcomes><respcondition continue="No"><conditionvar><varequal respident="R">b</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item></questestinterop>
            """, .qti)
        #expect(result.questions.map(\.stem) == ["Read about metals.\nWhich is one?\nChoose."])
        #expect(result.questions.first?.options.map(\.text) == ["Ne", "Fe"])
    }
}
