import Importing
import TestSupport
import Testing

/// What a file brings beside its questions is published, so it may be nothing that a browser runs.
@Suite struct ImportedMediaTests {
    private func read(_ name: String, _ content: String) throws -> ImportResult {
        let folder = try TemporaryFolder()
        try folder.write(content, to: name)
        try folder.write("", to: "bank.csv")
        var importer = QuestionImporter()
        importer.pictures = PictureFolder(of: folder.path + "/bank.csv")
        return try importer.read(
            Array("question,A,B,answer,image\nWhat?,x,y,A,\(name)\n".utf8), file: "bank.csv")
    }

    @Test(arguments: [
        "<svg><script>alert(1)</script></svg>", "<svg onload=\"alert(1)\"/>",
        "<svg><a href=\"JavaScript:alert(1)\"/></svg>",
        "<svg><svg:script>alert(1)</svg:script></svg>", "<svg><foreignObject/></svg>",
        "<\0s\0v\0g\0>\0<\0s\0c\0r\0i\0p\0t\0>\0",
    ])
    func aDrawingWithAProgramIsRefused(drawing: String) throws {
        let result = try read("a.svg", drawing)
        #expect(
            result.skipped.map(\.reason) == ["it shows \"a.svg\", a drawing with a program in it"])
        #expect(result.media.isEmpty)
    }

    @Test func aDrawingAndAPictureAreTaken() throws {
        for name in ["a.svg", "a.PNG"] {
            let result = try read(name, "<svg><path d=\"M0 0\"/></svg>")
            #expect(result.media.keys.sorted() == [name], "\(result.skipped)")
        }
    }

    @Test func aPageOfAPackageIsNoPicture() throws {
        let item = """
            <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="T">
            <responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse>
            <value>a</value></correctResponse></responseDeclaration><itemBody><p>What? <img src="a.html" alt=""/></p>
            <choiceInteraction responseIdentifier="R" maxChoices="1"><simpleChoice identifier="a">x</simpleChoice>
            <simpleChoice identifier="b">y</simpleChoice></choiceInteraction></itemBody></assessmentItem>
            """
        let bytes = try sampleArchive([
            "i.xml": Array(item.utf8), "a.html": Array("<script>alert(1)</script>".utf8),
        ])
        var importer = QuestionImporter()
        let result = try importer.read(bytes, file: "bank.zip")
        #expect(
            result.skipped.map(\.reason) == ["it shows \"a.html\", which is no picture or clip"])
        #expect(result.media.isEmpty)
    }
}
