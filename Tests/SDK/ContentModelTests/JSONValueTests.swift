import ContentModel
import Testing

@Suite struct JSONValueTests {
    @Test func canonicalFormHasOneSpelling() {
        let value: JSONValue = [
            "b": [1, .decimal(2.0), .decimal(0.5)], "a": "x\u{1}\t\"é", "€": .null,
        ]
        #expect(
            String(decoding: value.canonicalBytes, as: UTF8.self)
                == #"{"a":"x\u0001\t\"é","b":[1,2,0.5],"€":null}"#)
    }

    /// RFC 8785, 3.2.3: names sort by UTF-16 code units, so an emoji (a surrogate pair) comes
    /// before U+FB33.
    @Test func namesSortByUTF16() {
        let value: JSONValue = ["\u{FB33}": 1, "😀": 2, "\u{80}": 3, "1": 4]
        #expect(
            String(decoding: value.canonicalBytes, as: UTF8.self)
                == "{\"1\":4,\"\u{80}\":3,\"😀\":2,\"\u{FB33}\":1}")
    }
}
