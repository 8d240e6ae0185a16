import Foundation
import Testing

@testable import Telemetry

@Suite struct JSONTextTests {
    private func written(_ text: String) -> String {
        var json = JSONText()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func onlyWhatMustBeEscapedIs() {
        let text = "a\"\\/\n\r\t\u{0}\u{8}\u{1F}\u{7F}é\u{2028}👩‍🚀"

        #expect(
            written(text)
                == #""a\"\\/\n\r\t\u0000\u0008\u001f"# + "\u{7F}é\u{2028}👩‍🚀\"")
    }

    @Test func everyScalarComesBack() throws {
        let scalars = (UInt32(0)...0x2FFF).compactMap(Unicode.Scalar.init) + ["\u{10FFFF}"]
        let text = String(String.UnicodeScalarView(scalars))

        let back = try JSONDecoder().decode([String].self, from: Data("[\(written(text))]".utf8))

        #expect(back.first.map { Array($0.unicodeScalars) } == scalars)
    }

    @Test func commasStandBetweenValuesOnly() {
        var json = JSONText()
        json.object { json in
            json.name("a")
            json.array([[1, 2], [], [3]]) { json, row in
                json.array(row) { $0.literal("\($1)") }
            }
            json.name("b")
            json.object { _ in }
            json.name("c")
            json.string("x")
        }

        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"a":[[1,2],[],[3]],"b":{},"c":"x"}"#)
    }
}
