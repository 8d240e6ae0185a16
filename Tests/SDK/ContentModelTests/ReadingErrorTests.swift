import ContentModel
import Foundation
import Testing

/// The errors of readers of content, as an app shows them.
@Suite struct ReadingErrorTests {
    @Test func anErrorOfAManifestHasACodeAndARemedy() {
        let content = ContentError(problems: [Problem(.syntax, file: "a.json", message: "no JSON")])
        let errors: [(ManifestError, code: String, remedy: String)] = [
            (.tooLarge, "tooLarge", "publish fewer files"),
            (.wrongChecksum, "wrongChecksum", "publish it again"),
            (.unsupportedSchema(9), "unsupportedSchema", "update the app"),
            (.invalid(content), "invalid", "Publish it again."),
        ]
        for (error, code, remedy) in errors {
            #expect(error.code.rawValue == code)
            #expect(error.message.contains(remedy), "\(error)")
            #expect(error.localizedDescription == error.message && "\(error)" == error.message)
        }
        #expect(ManifestError.unsupportedSchema(9).schema == 9)
        #expect(ManifestError.invalid(content).cause as? ContentError == content)
        #expect(ManifestError.tooLarge.cause == nil)
    }

    @Test func anErrorOfADocumentHasTheNameOfTheRuleAndItsRemedy() {
        let problem = Problem(.missingField, file: "a.json", message: "there is no id")
        let error = ContentError(problems: [problem, problem], unlistedCount: 3)
        #expect(error.code == .missingField && error.code.rawValue == "missing-field")
        #expect(error.description.hasSuffix("(and 4 more)"))
        #expect(error.message == "\(error). Add the field.")
        #expect(error.localizedDescription == error.message)
        let empty = ContentError(problems: [])
        #expect(empty.code == .unusable)
        #expect(empty.message == "The document cannot be used. Publish it again.")
    }

    @Test(arguments: [
        ("{\"a\":1,\"a\":2}", DocumentSyntaxError.Code.duplicateField, "Remove one"),
        ("[1,", .syntax, "Correct the text"), ("[1,2,3]", .tooLarge, "Split"),
    ])
    func anErrorOfSyntaxHasItsPlaceAndRemedy(
        text: String, code: DocumentSyntaxError.Code, remedy: String
    ) {
        let error = #expect(throws: DocumentSyntaxError.self) {
            try JSONParser.parse(Array(text.utf8), nodesMax: 3)
        }
        #expect(error?.code == code)
        #expect(error?.localizedDescription.hasPrefix("Line 1, column ") == true)
        #expect(error?.localizedDescription.contains(remedy) == true)
    }
}
