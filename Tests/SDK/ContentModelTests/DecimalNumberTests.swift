import ContentModel
import TestSupport
import Testing

@Suite struct DecimalNumberTests {
    @Test(arguments: [
        ("3.14", "3.14"), ("3.140", "3.14"), ("-0", "0"), ("+.5", "0.5"), ("5.", "5"),
        ("007", "7"), ("1e3", "1000"), ("1.5E-3", "0.0015"), ("6.02214076e23", "6.02214076e23"),
        ("-1e-9", "-1e-9"), ("0.0000001", "0.0000001"), ("100000000000000000000", "1" + zeros(20)),
        ("1e21", "1e21"), ("0e500", "0"), ("12345678901.12345678901234567891", ""),
        ("123456789.123456789012345678901", "123456789.123456789012345678901"),
    ])
    func writtenNumbersHaveOneForm(text: String, form: String) {
        #expect(DecimalNumber(text)?.description ?? "" == form)
        if !form.isEmpty { #expect(DecimalNumber(form) == DecimalNumber(text)) }
    }

    @Test(arguments: [
        "", "-", ".", "1,5", "1 000", "0x10", "1e", "e5", "nan", "inf", "1.2.3", "--1", "1e100",
        "1e-100", "٣", "1234567890123456789012345678901", "1e9999999999999999999",
    ])
    func anythingElseIsNoNumber(text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test func sumsAreExactWhereBinaryNumbersLie() throws {
        let (tenth, fifth) = (try number("0.1"), try number("0.2"))
        #expect(0.1 + 0.2 != 0.3)
        #expect(tenth + fifth == (try number("0.3")))
        let (large, small) = (try number("1e30"), try number("1e-30"))
        #expect(large + small - large == small)
        #expect(tenth * fifth == (try number("0.02")))
        #expect(-tenth < 0 && tenth > 0 && -tenth < tenth && (-tenth).magnitude == tenth)
    }

    /// Against whole numbers of the machine, moved by powers of ten.
    @Test(arguments: 0..<200)
    func arithmeticAgreesWithWholeNumbers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func any() -> Int { Int.random(in: -9_999_999...9_999_999, using: &random) / 7 }
        let power = Int.random(in: -40...40, using: &random)
        func moved(_ value: Int, twice: Bool = false) throws -> DecimalNumber {
            try number("\(value)e\(twice ? 2 * power : power)")
        }
        for (one, other) in (0..<20).map({ _ in (any(), any()) }) {
            #expect(try moved(one) + moved(other) == moved(one + other), "seed \(seed)")
            #expect(try moved(one) - moved(other) == moved(one - other), "seed \(seed)")
            #expect(
                try moved(one) * moved(other) == moved(one * other, twice: true), "seed \(seed)")
            #expect(try (moved(one) < moved(other)) == (one < other), "seed \(seed)")
            let written = try moved(one).description
            #expect(try number(written) == moved(one), "seed \(seed)")
        }
    }

    private func number(_ text: String) throws -> DecimalNumber {
        try #require(DecimalNumber(text))
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}
