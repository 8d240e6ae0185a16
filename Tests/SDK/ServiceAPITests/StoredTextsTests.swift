import ServiceAPI
import TestSupport
import Testing

@Suite struct StoredTextsTests {
    @Test(arguments: [
        [], [""], ["a"], ["a", "b"], ["", ""], [",", ","], ["[", "]"], ["\"", "b"], ["a\\", "b"],
        ["a\nb"], ["é", "日本"], ["\u{0}"], ["a\",\"b"],
    ])
    func whatIsWrittenIsRead(texts: [String]) {
        #expect(StoredTexts.texts(StoredTexts.text(texts)) == texts)
    }

    @Test(arguments: 1...20)
    func anyTextsAreRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ab,\"\\[] é\n")
        for _ in 0..<50 {
            let texts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                String(
                    (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
                        alphabet.randomElement(using: &random)
                    })
            }
            #expect(StoredTexts.texts(StoredTexts.text(texts)) == texts, "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("[ \"a\" , \"b\" ]", ["a", "b"]), ("[\"a\" ,\"b\"]", ["a", "b"]), ("[\"a\"\"b\"]", []),
        ("[\"a\",]", []), ("[\"\\u0061\"]", ["a"]), ("", []), ("[\"", []), ("[\"]", []), ("x", []),
        ("[\"a\", 1]", ["a"]),
    ])
    func otherShapesAreReadAsJSON(text: String, texts: [String]) {
        #expect(StoredTexts.texts(text) == texts)
    }
}
