import Testing

@testable import ContentDatabase

/// The frozen tables of the migration are those of Swift, by which the checker works.
@Suite struct CharacterTableTests {
    private static let scalars = (UInt32(1)...0x10FFFF).compactMap(Unicode.Scalar.init)

    @Test func everyCapitalLetterHasItsSmallLetter() {
        var known: [Unicode.Scalar: String] = [:]
        let (capitals, smalls) = LetterCases.pairs(in: [1...0x10FFFF])
        for (capital, small) in zip(capitals.unicodeScalars, smalls.unicodeScalars) {
            known[capital] = String(small)
        }
        known[LetterCases.double.capital] = LetterCases.double.small
        for scalar in Self.scalars {
            let small = scalar.properties.lowercaseMapping
            #expect(
                known[scalar] ?? String(scalar) == small, "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test func theCapitalsThatLowerLeavesAloneAreAllNamed() {
        let named = Set(CharacterClasses.capitals.flatMap { $0 })
        for scalar in Self.scalars where scalar.value > 0x7F {
            #expect(
                named.contains(scalar.value) == scalar.properties.changesWhenLowercased,
                "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test func spaceAndInvisibleCharactersAreThoseOfUnicode() {
        let space = Set(CharacterClasses.space.flatMap { $0 })
        let invisible = Set(CharacterClasses.invisible.flatMap { $0 })
        for scalar in Self.scalars {
            let isSpace = scalar.properties.isWhitespace
            #expect(space.contains(scalar.value) == isSpace)
            #expect(
                invisible.contains(scalar.value)
                    == (isSpace || scalar.properties.isDefaultIgnorableCodePoint),
                "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test func bracketsAreEscaped() {
        #expect(
            CharacterClasses.bracket([0x20...0x20, 0xE0000...0xE0FFF])
                == #"\u0020\U000E0000-\U000E0FFF"#)
    }
}
