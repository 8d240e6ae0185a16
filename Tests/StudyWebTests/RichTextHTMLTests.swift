import Foundation
import PageRendering
import TestSupport
import Testing
import Underway

@Suite struct RichTextHTMLTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let html: String
        /// Missing for texts that no option may have.
        let optionHTML: String?

        var testDescription: String { name }
    }

    /// The vectors of texts, in which code has no colours, and the address of a picture is its name.
    static let cases: [Case] = {
        struct File: Decodable { let cases: [Case] }
        do {
            let url = fixture("../SDK/ContentModelTests/Vectors/text.json")
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).cases
        } catch {
            fatalError("text.json: \(error)")
        }
    }()

    private let writer = RichTextHTML(
        codeName: "Code", tableName: "Table", colorsCode: false, imageAddress: { $0 })

    @Test(arguments: cases)
    func blocksAreThoseOfTheVectors(example: Case) {
        let html = writer.html(of: RichText(example.source, form: .markdown))
        #expect(Array(html.utf8) == Array(example.html.utf8))
    }

    @Test(arguments: cases.filter { $0.optionHTML != nil })
    func optionsAreThoseOfTheVectors(example: Case) {
        let html = writer.optionHTML(of: RichText(example.source, form: .markdown))
        #expect(Array(html.utf8) == Array((example.optionHTML ?? "").utf8))
    }
}
