import ContentModel
import TestSupport
import Testing

@Suite struct JSONParserTests {
    private func value(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8)).value
    }

    @Test func valuesAreCountedAndBounded() throws {
        let list = Array(("[" + Array(repeating: "1", count: 9).joined(separator: ",") + "]").utf8)
        #expect(
            try JSONParser.parse(list, nodesMax: 10).value == .array(Array(repeating: 1, count: 9)))
        let error = #expect(throws: DocumentSyntaxError.self) {
            try JSONParser.parse(list, nodesMax: 9)
        }
        #expect(error?.isTooLarge == true)
        #expect(throws: DocumentSyntaxError.self) {
            try JSONParser.parse(Array(#"{"a":{"b":{}}}"#.utf8), nodesMax: 2)
        }
    }

    @Test func everyKindOfValueIsRead() throws {
        let text =
            #" { "a": [1, -2, 2.5, 1e3], "b": true, "c": null, "d": "\u00e9\n\/\ud83d\ude00" } "#
        #expect(
            try value(text) == [
                "a": [1, -2, .decimal(2.5), .decimal(1000)], "b": true, "c": .null,
                "d": "é\n/😀",
            ])
    }

    @Test func placesCountLinesAndCodePoints() throws {
        let node = try JSONParser.parse(Array("{\n  \"é😀\": 1, \"b\": 2\n}".utf8))
        guard case .object(let members) = node.content else {
            Issue.record("not an object")
            return
        }
        #expect(members[0].keyPosition == SourcePosition(line: 2, column: 3))
        #expect(members[0].value.position == SourcePosition(line: 2, column: 9))
        #expect(members[1].keyPosition == SourcePosition(line: 2, column: 12))
    }

    @Test func aByteOrderMarkTakesNoColumn() throws {
        let node = try JSONParser.parse([0xEF, 0xBB, 0xBF] + Array("[1]".utf8))
        #expect(node.position == .start)
    }

    @Test(arguments: [
        "", " ", "{", "[1,", "[1 2]", "{\"a\" 1}", "{a: 1}", "tru", "01", "-", "1.", "1e", "+1",
        "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\u{1}\"", "[1] 2",
        "nul", "{\"a\":1,}", "[,]", "1e999", "\"\\u+123\"",
    ])
    func whatIsNotJSONIsRefused(text: String) {
        #expect(throws: DocumentSyntaxError.self) { try value(text) }
    }

    @Test func invalidUTF8IsRefused() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0xFF]] {
            #expect(throws: DocumentSyntaxError.self) { try JSONParser.parse(bytes) }
        }
    }

    @Test func aNameThatStandsTwiceIsRefusedAtItsSecondPlace() throws {
        for count in [2, 40] {
            let members = (0..<count).map { "\"k\($0)\": 1" }.joined(separator: ",")
            let error = #expect(throws: DocumentSyntaxError.self) {
                try value("{\(members),\n\"k0\": 2}")
            }
            #expect(error?.isDuplicateKey == true)
            #expect(error?.position == SourcePosition(line: 2, column: 1))
        }
    }

    @Test func nestingIsBounded() {
        let deep = String(repeating: "[", count: 100_000)
        let error = #expect(throws: DocumentSyntaxError.self) { try value(deep) }
        #expect(error?.message.contains("deeper") == true)
    }

    @Test(arguments: 0..<200)
    func decodingUndoesEncoding(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = JSONValue.random(depth: 4, using: &random)
        let bytes = original.canonicalBytes
        #expect(try JSONParser.parse(bytes).value == original, "seed \(seed)")
        #expect(try JSONParser.parse(bytes).value.canonicalBytes == bytes, "seed \(seed)")
        #expect(try value(original.prettyText) == original, "seed \(seed)")
    }

    /// Hostile bytes end in a value or an error, never in a trap.
    @Test(arguments: 0..<20)
    func mutatedDocumentsNeverTrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = Array(
            #"{"a":[1,2.5e3,"\u00e9\ud83d\ude00"],"b":{"c":null,"d":[true,false]}}"#.utf8)
        for _ in 0..<500 {
            var bytes = base
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            if let node = try? JSONParser.parse(bytes) {
                #expect((try? JSONParser.parse(node.value.canonicalBytes)) != nil)
            }
        }
    }
}

extension JSONValue {
    fileprivate static func random(
        depth: Int, using random: inout SeededGenerator
    ) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(.random(in: (.min)...(.max), using: &random))
        case 3: return .decimal(.random(in: 0.1..<0.9, using: &random))
        case 4: return .string(text(using: &random))
        case 5:
            return .array((0..<3).map { _ in .random(depth: depth - 1, using: &random) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<3 {
                members[text(using: &random)] = .random(depth: depth - 1, using: &random)
            }
            return .object(members)
        }
    }

    private static func text(using random: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "\n", "\u{1}", "é", "😀", "/", "\u{7F}", "\u{2028}",
        ]
        return String(
            String.UnicodeScalarView(
                (0..<4).map { _ in scalars.randomElement(using: &random) ?? "a" }))
    }
}
