import ContentModel
import Testing

@Suite struct OLPCTests {
    private func text(_ value: JSONValue) -> String? {
        value.olpcCanonicalBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theSimpleFormsAreThoseOfTheReference() {
        #expect(text("") == #""""#)
        #expect(text([1, 2, 3]) == "[1,2,3]")
        #expect(text([]) == "[]")
        #expect(text([:]) == "{}")
        #expect(text(["A": [99]]) == #"{"A":[99]}"#)
        #expect(text(["x": 3, "y": 2]) == #"{"x":3,"y":2}"#)
        #expect(text([true, false, .null, -5]) == "[true,false,null,-5]")
    }

    @Test func onlyQuotesAndBackslashesAreEscaped() {
        #expect(text("a\"b\\c") == #""a\"b\\c""#)
        #expect(text("PEM\n\t\u{1}\u{7F}/é😀") == "\"PEM\n\t\u{1}\u{7F}/é😀\"")
    }

    @Test func namesAreSortedByCodePoints() {
        // In UTF-16, where RFC 8785 sorts, the surrogates of 😀 come before U+FF61.
        let value: JSONValue = ["😀": 1, "\u{FF61}": 2, "é": 3, "z": 4, "Z": 5, "": 6]
        #expect(text(value) == "{\"\":6,\"Z\":5,\"z\":4,\"é\":3,\"\u{FF61}\":2,\"😀\":1}")
        #expect(value.canonicalBytes != value.olpcCanonicalBytes())
    }

    @Test func numbersThatAreNotWholeHaveNoForm() {
        #expect(text(.decimal(1)) == nil)
        #expect(text(["a": [.decimal(0.5)]]) == nil)
        #expect(text(.integer(.min)) == "-9223372036854775808")
    }

    @Test func theIDOfAKeyIsTheHashOfItsForm() {
        let key: JSONValue = [
            "keytype": "ed25519", "scheme": "ed25519",
            "keyval": [
                "public": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
            ],
        ]
        #expect(
            Checksum(of: key.olpcCanonicalBytes() ?? []).hex
                == "74c181c7ad8a0855d4b55e44d2ba87aabdddb196832571f15f92fece332e4916")
    }
}
