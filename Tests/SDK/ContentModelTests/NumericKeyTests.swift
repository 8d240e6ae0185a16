import ContentModel
import Testing

@Suite struct NumericKeyTests {
    private static func source(_ number: String, more: String = "") -> String {
        "{\"id\":\"q\",\"type\":\"numeric-entry\",\"difficulty\":1,\"stem\":\"s\",\"number\":"
            + number + more + "}"
    }

    private func read(
        _ text: String, _ strictness: DecodingReport.Strictness = .authored
    ) throws -> (question: Question?, problems: [Problem]) {
        let report = DecodingReport(file: "f", strictness: strictness)
        let question = Question.read(try JSONParser.parse(Array(text.utf8)), report: report)
        return (question, report.problems)
    }

    @Test(arguments: [
        ("{\"value\":9.81}", "9.81", "9.81"),
        (
            "{\"value\":\"9.810\",\"tolerance\":0.01,\"unit\":\"m/s²\"}", "9.81:0.01",
            "9.81 ± 0.01 m/s²"
        ),
        ("{\"value\":-40,\"relativeTolerance\":0.025}", "-40:2.5%", "-40 ± 2.5 %"),
        ("{\"from\":9.8,\"to\":9.83}", "9.8..9.83", "9.8 to 9.83"),
        ("{\"value\":6.02214076e23}", "6.02214076e23", "6.02214076e23"),
        ("{\"value\":\"0.1234567890123456789\"}", "0.1234567890123456789", "0.1234567890123456789"),
    ])
    func keysAreReadAndWritten(number: String, notation: String, text: String) throws {
        let (question, problems) = try read(Self.source(number))
        #expect(problems.isEmpty, "\(problems)")
        let key = try #require(question?.correctNumber)
        #expect(key.notation == notation && key.text == text)
        var bare = key
        bare.unit = nil
        #expect(NumericKey(notation: notation) == bare)
        let again = try read(
            String(decoding: try #require(question).json.canonicalBytes, as: UTF8.self), .released)
        #expect(again.question == question)
    }

    @Test func aBlueprintWithANumberHasOneCanonicalForm() throws {
        let question = try #require(
            try read(Self.source("{\"value\":9.81,\"tolerance\":0.010}")).question)
        let blueprint = Blueprint(
            kind: .placement, id: "es", title: "t", version: "1", questions: [question])
        // The two ways of writing are compared.
        let bytes = blueprint.canonicalBytes
        #expect(bytes == blueprint.json.canonicalBytes)
        #expect(try Blueprint(released: bytes) == blueprint)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\"number\":{\"tolerance\":\"0.01\",\"value\":\"9.81\"}"))
        #expect(!text.contains("options") && !text.contains("correct"))
    }

    @Test(arguments: [
        ("{}", Rule.missingField), ("{\"tolerance\":1}", .missingField),
        ("{\"from\":1}", .missingField), ("{\"value\":\"9,81\"}", .invalidValue),
        ("{\"value\":true}", .wrongType), ("[1]", .wrongType),
        ("{\"value\":0.12345678901234567}", .invalidValue),
        ("{\"value\":1,\"tolerance\":-1}", .numericKey),
        ("{\"value\":1,\"tolerance\":1,\"relativeTolerance\":0.1}", .numericKey),
        ("{\"value\":1,\"relativeTolerance\":2}", .numericKey),
        ("{\"value\":0,\"relativeTolerance\":0.1}", .numericKey),
        ("{\"from\":2,\"to\":1}", .numericKey), ("{\"from\":1,\"to\":1.0}", .numericKey),
        ("{\"value\":1,\"from\":0,\"to\":2}", .numericKey),
        ("{\"value\":1,\"unit\":\" \"}", .numericKey), ("{\"value\":1,\"max\":2}", .unknownField),
    ])
    func whatIsNoKeyIsRefusedAtItsPlace(number: String, rule: Rule) throws {
        let (question, problems) = try read(Self.source(number))
        #expect(question == nil)
        #expect(problems.map(\.rule) == [rule], "\(problems)")
        #expect(problems.allSatisfy { $0.position.column > 50 && !$0.hint.isEmpty })
    }

    @Test func fieldsOfOtherTypesAreRefusedToAuthors() throws {
        let more = ",\"options\":[],\"correct\":[0]"
        #expect(
            try read(Self.source("{\"value\":1}", more: more)).problems.map(\.rule)
                == [.unknownField, .unknownField])
        #expect(try read(Self.source("{\"value\":1}", more: more), .released).question != nil)
        let single = Self.source(
            "{\"value\":1}",
            more: """
                ,"options":[{"id":"a","text":"x"},{"id":"b","text":"y"}],"correct":[0]
                """
        ).replacing("numeric-entry", with: "single-choice")
        #expect(try read(single).problems.map(\.rule) == [.unknownField])
        let bare = Self.source("null")
        #expect(try read(bare).problems.map(\.rule) == [.keyMissing])
    }

    /// Reads as an app does that was shipped before numeric entries, or before a later type.
    @Test func aTypeThatIsNotKnownYetIsLeftOutAndTheOthersStay() throws {
        let question = try #require(try read(Self.source("{\"value\":9.81}")).question)
        var other = question
        other.id = "p"
        let bytes = Blueprint(
            kind: .placement, id: "es", title: "t", version: "1", questions: [question, other]
        ).canonicalBytes
        let later = String(decoding: bytes, as: UTF8.self)
            .replacing("\"id\":\"p\",\"number\"", with: "\"id\":\"p\",\"shape\"")
        let at = try #require(later.lastRange(of: "numeric-entry"))
        let text = later.replacingCharacters(at, with: "polygon-entry")
        let report = DecodingReport(file: "f", strictness: .device)
        let read = Blueprint.read(try JSONParser.parse(Array(text.utf8)), report: report)
        #expect(read?.questions.map(\.id) == ["q"] && read?.leftOutCount == 1)
        #expect(report.leftOut.map(\.rule) == [.invalidValue] && report.problems.isEmpty)
    }

    @Test(arguments: [
        ("0.3", "0.3", true), ("0.3", "0.30000000000000004", false),
        ("9.81:0.01", "9.80", true), ("9.81:0.01", "9.82", true), ("9.81:0.01", "9.8201", false),
        ("0.3:0.1", "0.4", true), ("0.3:0.1", "0.2", true),
        ("0.3:0.1", "0.19999999999999999", false),
        ("-50:2%", "-51", true), ("-50:2%", "-49", true), ("-50:2%", "-51.01", false),
        ("1.1:10%", "1.21", true), ("1.1:10%", "1.2100000000000001", false),
        ("1..2", "1", true), ("1..2", "2.0", true), ("1..2", "0.999", false),
    ])
    func boundsAreExact(key: String, number: String, isRight: Bool) throws {
        let key = try #require(NumericKey(notation: key))
        #expect(key.accepts(try #require(DecimalNumber(number))) == isRight)
        #expect(key.accepts(key.typicalValue))
    }
}

extension String {
    fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }

    fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
