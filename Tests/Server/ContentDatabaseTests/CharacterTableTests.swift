import Testing

@testable import ContentDatabase

/// The frozen tables of the migration are those of Swift, by which the checker works.
@Suite struct CharacterTableTests {
    private static let scalars = (UInt32(1)...0x10FFFF).compactMap(Unicode.Scalar.init)

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
