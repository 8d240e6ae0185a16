import Testing

@testable import ContentModel

/// Letters of alphabets, which Unicode has in ranges with gaps.
@Suite struct FormulaAlphabetTests {
    private static let alphabets: [FormulaAlphabet] = [
        .bold, .boldItalic, .doubleStruck, .script, .fraktur, .sansSerif, .monospace,
    ]

    @Test(arguments: alphabets)
    func everyLetterIsALetterOfItsOwn(alphabet: FormulaAlphabet) {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let styled = Array(alphabet.styled(letters).unicodeScalars)
        #expect(Set(styled).count == 52)
        for (scalar, letter) in zip(styled, letters.unicodeScalars) {
            #expect(scalar.properties.isAlphabetic && !scalar.isASCII, "\(letter): \(scalar)")
            // Compatibility characters have the name of their letter at the end.
            let name = scalar.properties.name ?? ""
            #expect(name.hasSuffix(" " + letter.properties.uppercaseMapping), "\(letter): \(name)")
        }
    }

    @Test(arguments: alphabets)
    func digitsStayDigits(alphabet: FormulaAlphabet) {
        for (value, scalar) in alphabet.styled("0123456789").unicodeScalars.enumerated() {
            #expect(scalar.properties.numericValue == Double(value))
        }
    }

    @Test func greekHasTheLettersOfItsBlock() {
        #expect(FormulaAlphabet.bold.styled("ΓΩαςω") == "𝚪𝛀𝛂𝛓𝛚")
        #expect(FormulaAlphabet.boldItalic.styled("ΓΩαςω") == "𝜞𝜴𝜶𝝇𝝎")
    }
}
