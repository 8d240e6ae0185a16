import ContentModel
import Testing

@Suite struct TextLintTests {
    private func problems(
        stem: String, options: [String] = ["4", "5"], more: String = "",
        strictness: DecodingReport.Strictness = .authored
    ) throws -> [Rule] {
        let options = options.enumerated().map { index, text in
            JSONValue.object(["id": .string("o\(index)"), "text": .string(text)])
        }
        let question: JSONValue = [
            "id": "a", "type": "single-choice", "difficulty": 1, "stem": .string(stem),
            "text": "markdown",
            "options": .array(options), "correct": [0], "explanation": .string(more),
        ]
        let report = DecodingReport(file: "questions.yaml", strictness: strictness)
        _ = Question.read(try JSONParser.parse(question.canonicalBytes), report: report)
        return report.problems.map(\.rule)
    }

    @Test func eachTextIsChecked() throws {
        #expect(try problems(stem: "a*b") == [.textEmphasis])
        #expect(try problems(stem: "What?", options: ["$\\a$", "5"]) == [.formula])
        #expect(try problems(stem: "What?", more: "[a](ftp://b.c)") == [.textLink])
    }

    @Test func optionMayHaveNoList() throws {
        #expect(try problems(stem: "What?", options: ["- a\n- b", "5"]) == [.optionBlock])
        #expect(try problems(stem: "What?\n\n- a\n- b").isEmpty)
    }

    @Test func textAboveALimitIsRefused() throws {
        let table = "| a |\n|---|" + String(repeating: "\n| b |", count: 61)
        #expect(try problems(stem: table) == [.limitExceeded])
    }

    @Test func declaredFormIsCheckedWhereTheTextIsTheSame() throws {
        #expect(try problems(stem: "It costs $5.") == [.textDollar])
    }

    @Test func deviceChecksNothing() throws {
        #expect(try problems(stem: "$\\a$ a*b", strictness: .device).isEmpty)
    }
}
