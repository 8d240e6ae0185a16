import Testing

@testable import ContentModel

@Suite struct ComparedTextTests {
    /// Compares each decision that is made without Unicode's tables with the tables, for every
    /// character.
    @Test func eachCharacterIsComparedAsUnicodeSays() {
        var different: [UInt32] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "A" + String(Character(scalar)) + "b"
            let isSame = Array(text.normalizedForComparison.utf8)
                .elementsEqual(text.normalizedFully.utf8)
            if !isSame { different.append(value) }
        }
        #expect(different == [])
    }

    @Test(arguments: [
        (" \t One  Two ", "one two"), ("ÄÖ\u{A0}ß", "äö ß"), ("Ελληνικά", "ελληνικά"),
        ("Привет,\nМИР", "привет, мир"), ("İstanbul", "i̇stanbul"), ("", ""), ("  ", ""),
        ("日本　語", "日本 語"),
    ])
    func lettersAreLowerAndSpacesSingle(text: String, expected: String) {
        #expect(text.normalizedForComparison == expected)
    }
}
