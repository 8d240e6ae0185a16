import Testing

@testable import ContentModel

/// Corrections of keys in a bank: written, read back, and refused where an author made a mistake.
@Suite struct GradeCorrectionTests {
    private static let version = "sha256:" + String(repeating: "0f", count: 32)

    private static var bank: Blueprint {
        var bank = BlueprintTests.blueprint
        bank.corrections = [
            GradeCorrection(
                question: "q1", versions: [version], was: "a", is: "a c", day: "2026-05-03"),
            GradeCorrection(question: "gone", versions: [version], was: "9.81:0.01", is: "9.8"),
        ]
        return bank
    }

    @Test func writtenAndReadBackTheyAreTheSame() throws {
        let bytes = Self.bank.canonicalBytes
        #expect(try Blueprint(released: bytes) == Self.bank)
        #expect(Self.bank.json.canonicalBytes == bytes)
    }

    @Test func aBankWithoutCorrectionsHasTheBytesOfBefore() {
        let text = String(decoding: BlueprintTests.blueprint.canonicalBytes, as: UTF8.self)
        #expect(!text.contains("corrections"))
    }

    /// A field that this version does not know is ignored in a release; a device leaves out what it cannot read.
    @Test func devicesIgnoreWhatALaterVersionWrites() throws {
        guard case .object(var members) = Self.bank.json,
            case .array(var list)? = members["corrections"], case .object(var first) = list[0]
        else { return }
        first["future"] = true
        list[0] = .object(first)
        members["corrections"] = .array(list)
        let later = JSONValue.object(members).canonicalBytes
        #expect(try Blueprint(released: later) == Self.bank)
        members["corrections"] = .array([["question": "q1"], list[1]])
        let report = DecodingReport(file: "b", strictness: .device)
        let node = try JSONParser.parse(JSONValue.object(members).canonicalBytes)
        let read = Blueprint.read(node, report: report)
        #expect(read?.corrections == [Self.bank.corrections[1]])
        #expect(read?.questions == Self.bank.questions)
        #expect(report.leftOut.count == 1 && !report.hasErrors)
    }

    private func read(_ text: String) throws -> ([GradeCorrection], [Rule]) {
        let report = DecodingReport(file: "corrections.yaml", strictness: .authored)
        var bank = BlueprintTests.blueprint
        bank.addCorrections(try JSONParser.parse(Array(text.utf8)), report: report)
        return (bank.corrections, report.problems.map(\.rule))
    }

    @Test func aFileIsAListOrAnObjectWithOne() throws {
        let entry =
            "{\"question\":\"q1\",\"was\":\"a\",\"is\":\"b\",\"versions\":[\"\(Self.version)\"]}"
        let expected = [
            GradeCorrection(question: "q1", versions: [Self.version], was: "a", is: "b")
        ]
        #expect(try read("[\(entry)]") == (expected, []))
        #expect(try read("{\"corrections\":[\(entry)]}") == (expected, []))
    }

    @Test(arguments: [
        ("\"versions\":[]", Rule.invalidValue), ("\"versions\":[\"1\"]", .invalidValue),
        ("\"is\":\"a\"", .invalidValue), ("\"day\":\"3 May\"", .invalidValue),
        ("\"note\":\"\"", .unknownField), ("\"question\":1", .wrongType),
    ])
    func mistakesAreNamed(member: String, rule: Rule) throws {
        let name = member.split(separator: "\"")[0]
        let usual = [
            "\"question\":\"q1\"", "\"was\":\"a\"", "\"is\":\"b\"",
            "\"versions\":[\"\(Self.version)\"]",
        ].filter { !$0.hasPrefix("\"\(name)\"") }
        let (_, rules) = try read("[{\((usual + [member]).joined(separator: ","))}]")
        #expect(Set(rules) == [rule])
    }

    @Test func aBankHasAtMostSoMany() throws {
        let entry =
            "{\"question\":\"q1\",\"was\":\"a\",\"is\":\"b\",\"versions\":[\"\(Self.version)\"]}"
        let entries = [String](repeating: entry, count: ContentLimits.correctionsMax + 1)
        let (corrections, rules) = try read("[\(entries.joined(separator: ","))]")
        #expect(corrections.isEmpty && rules == [.limitExceeded])
    }
}
