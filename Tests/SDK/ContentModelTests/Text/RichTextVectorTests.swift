import ContentModel
import Testing

@Suite struct RichTextVectorTests {
    @Test func vectorsAreComplete() {
        #expect(RichTextVectors.all.cases.count == 80)
        #expect(RichTextVectors.all.plainForm.count == 6)
    }

    @Test(arguments: RichTextVectors.all.cases)
    func treeIsThatOfTheVectors(example: RichTextVectors.Case) {
        #expect(RichText(example.source, form: .markdown).json == example.tree)
    }

    @Test(arguments: RichTextVectors.all.cases)
    func sourceIsCanonical(example: RichTextVectors.Case) {
        let text = RichText(example.source, form: .markdown)
        #expect(Array(text.source.utf8) == Array(example.canonical.utf8))
        #expect(RichText(text.source, form: .markdown) == text)
    }

    @Test(arguments: RichTextVectors.all.cases)
    func plainTextHasNoMarks(example: RichTextVectors.Case) {
        let text = RichText(example.source, form: .markdown)
        #expect(Array(text.plainText.utf8) == Array(example.plain.utf8))
    }

    @Test func plainFormKnowsCodeAndLinesAlone() {
        for (source, tree) in RichTextVectors.all.plainForm {
            #expect(RichText(source, form: .plain).json == tree, "\(source)")
        }
    }
}
