import ContentModel
import Testing

@testable import Publishing

@Suite struct SourceDocumentTests {
    private func parse(_ text: String, _ name: String = "a.yaml") -> (JSONValue?, [Problem]) {
        let report = DecodingReport(file: name, strictness: .authored)
        return (
            SourceDocument.parse(Array(text.utf8), report: report)?.value, report.problems
        )
    }

    @Test func scalarsFollowTheCoreSchemaOfYAML12() {
        let (value, _) = parse("[1, -2, 2.5, true, no, yes, null, ~, \"1\", '2', 1e3, 0x1F, 12a]")
        #expect(
            value == [
                1, -2, .decimal(2.5), true, "no", "yes", .null, .null, "1", "2", .decimal(1000),
                "0x1F", "12a",
            ])
    }

    @Test func bothLanguagesNameTheSamePlace() throws {
        for (name, text) in [
            ("a.yaml", "é: 1\nb:\n  - x: 2\n"), ("a.json", "{\"é\": 1,\n\"b\":\n[ {\"x\": 2}]}"),
        ] {
            let report = DecodingReport(file: name, strictness: .authored)
            let node = try #require(SourceDocument.parse(Array(text.utf8), report: report))
            #expect(node.member("b")?.keyPosition.line == 2)
            guard case .array(let elements)? = node.member("b")?.value.content else {
                Issue.record("not a list")
                return
            }
            #expect(
                elements[0].position == SourcePosition(line: 3, column: name == "a.yaml" ? 5 : 3))
        }
    }

    @Test func aNameThatStandsTwiceIsNamedAtItsSecondPlace() {
        let (value, problems) = parse("a: 1\nlist:\n  - b: 1\n    c: 2\n    b: 3\n")
        #expect(value == nil)
        #expect(problems.map(\.rule) == [.duplicateField])
        #expect(problems.first?.position == SourcePosition(line: 5, column: 5))
    }

    @Test(arguments: ["", "a: [1", "\t- a", "a: b: c", "? [x]\n: y", "*unknown", "\u{0}"])
    func whatIsNotYAMLIsReported(text: String) {
        let (value, problems) = parse(text)
        #expect(value == nil)
        #expect(problems.map(\.rule) == [.syntax])
    }

    @Test func aliasesCannotMultiplyWithoutEnd() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...8 {
            let list = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(list)]\n"
        }
        let (value, problems) = parse(text)
        #expect(value == nil)
        #expect(problems.first?.message.contains("too large") == true)
    }

    /// Yams hashes what stands as a key, with all that its aliases stand for.
    @Test(arguments: ["? *a9\n: 1\n", "? [*a9, *a8]\n: 1\n", "x: { *a9 : 1 }\n", "x: {*a9 :1}\n"])
    func aliasesInANameEndAtOnce(name: String) {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...11 {
            let list = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(list)]\n"
        }
        let (value, problems) = parse(text + name)
        #expect(value == nil)
        #expect(problems.map(\.rule) == [.syntax])
        #expect((problems.first?.position.line ?? 0) > 5)
    }

    @Test func aliasesNeitherNestNorRepeatTextWithoutEnd() {
        let chain = (1...100).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
        let long = String(repeating: "x", count: 1_000_000)
        for text in [
            "a0: &a0 [x]\n" + chain,
            "a: &a \(long)\nb: [" + Array(repeating: "*a", count: 80).joined(separator: ", ") + "]",
        ] {
            let (value, problems) = parse(text)
            #expect(value == nil)
            #expect(problems.first?.message.contains("once its aliases are expanded") == true)
        }
    }

    @Test func whatOnlyLooksLikeAnAliasIsText() {
        let (value, problems) = parse(
            "a: &b 1\nc: '*b'\nd: |\n  *b ? &b\ne: x *b\nf: *b # *b\n*b : k")
        #expect(problems.isEmpty)
        #expect(
            value == [
                "a": 1, "c": "*b", "d": "*b ? &b\n", "e": "x *b", "f": 1, "1": "k",
            ])
    }

    @Test(arguments: [
        String(repeating: "[", count: 100_000), String(repeating: "{", count: 100_000),
        String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
        String(repeating: "? ", count: 900) + "a",
    ])
    func whatNestsTooDeepIsReported(text: String) {
        let (value, problems) = parse(text)
        #expect(value == nil)
        #expect(problems.map(\.rule) == [.syntax])
        #expect(problems.first?.message.contains("yaml_") == false)
    }

    @Test func questionMarksInTextAreNoKeys() throws {
        var text = "list:\n"
        for number in 1...100 {
            text += "  - stem: \"Which letter is missing in str[?]ct, ?\n      ? word \(number)\"\n"
            text += "    block: |\n      ? any\n      [?x] \"\n      {? y\n"
            text += "    plain: str[?]ct, ? é?\n    other: ?mark # , ? [\n"
        }
        let (value, problems) = parse(text + "last: {a: [1]}\n")
        #expect(problems.isEmpty, "\(problems)")
        guard case .object(let members)? = value, case .array(let list)? = members["list"] else {
            Issue.record("not read")
            return
        }
        #expect(
            list.last == [
                "stem": "Which letter is missing in str[?]ct, ? ? word 100",
                "block": "? any\n[?x] \"\n{? y\n", "plain": "str[?]ct, ? é?", "other": "?mark",
            ])
    }

    @Test(arguments: [
        "a: '? '\n? [", "x: \"\n  ? [\"\n? [", "x: |\n  \" ? [\n? [", "{? [", "[[? {",
        "# '\n? - ? ",
        "- a: |\n  ? [", "\u{85}? [",
    ])
    func markedKeysAreFoundWhateverStandsBefore(start: String) {
        let nested = start + String(repeating: "? [", count: 400)
        for text in [nested, nested + "\n" + String(repeating: "]", count: 400)] {
            let (value, problems) = parse(text)
            #expect(value == nil)
            #expect(problems.map(\.rule) == [.syntax])
        }
    }

    @Test func aMarkedKeyDeepInListsIsFoundAtOnce() {
        let keys = Array(repeating: "? a", count: 80).joined(separator: ", ")
        let (open, close) = (String(repeating: "[", count: 400), String(repeating: "]", count: 400))
        let (value, problems) = parse(open + keys + close)
        #expect(value == nil)
        #expect(problems.first?.position == SourcePosition(line: 1, column: 401))
        #expect(problems.first?.message.contains("without a question mark") == true)
    }

    @Test func aMarkedKeyIsNamedWithItsLine() {
        let many = String(repeating: "? {? b, ? c}\n: 1\n", count: 40)
        let (_, problems) = parse("text: \"\n  ? a\"\n" + many)
        #expect(problems.first?.position.line == 3)
        #expect(problems.first?.message.contains("without a question mark") == true)
    }

    @Test(arguments: [
        ("a.yaml", "- id: a\n- id: b\n"), ("a.json", "[{\"id\":\"a\"},{\"id\":\"b\"}]"),
    ])
    func aByteOrderMarkIsPassedOver(file: String, text: String) throws {
        let report = DecodingReport(file: file, strictness: .authored)
        let node = try #require(
            SourceDocument.parse([0xEF, 0xBB, 0xBF] + Array(text.utf8), report: report))
        #expect(report.problems.isEmpty && node.position == .start)
        #expect(node.value == SourceDocument.parse(Array(text.utf8), report: report)?.value)
    }

    @Test func bytesThatAreNoTextAreReported() {
        let report = DecodingReport(file: "a.yaml", strictness: .authored)
        #expect(SourceDocument.parse([0xFF, 0xFE, 0x00], report: report) == nil)
        #expect(report.problems.map(\.rule) == [.syntax])
    }
}
