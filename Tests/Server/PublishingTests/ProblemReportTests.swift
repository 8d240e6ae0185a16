import ContentModel
import Publishing
import Testing

@Suite struct ProblemReportTests {
    private let problems = [
        Problem(
            .keyOutOfRange, file: "exams/a/b/questions.yaml",
            position: SourcePosition(line: 3, column: 7), message: "the key names option 4"),
        Problem(.duplicateStem, file: "b.yaml", message: "twice"),
    ]

    @Test func textIsWhatCompilersWrite() {
        #expect(
            ProblemReport.text([problems[0]])
                == """
                exams/a/b/questions.yaml:3:7: error: the key names option 4 [key-out-of-range]
                    The first option has index 0, the last one less than their number.

                """)
    }

    @Test func jsonCountsAndListsAll() throws {
        let text = ProblemReport.json(problems).prettyText
        let value = try JSONParser.parse(Array(text.utf8))
        #expect(value.member("errors")?.value.value == 1)
        #expect(value.member("warnings")?.value.value == 1)
        guard case .array(let list)? = value.member("problems")?.value.content else { return }
        #expect(list.first?.member("line")?.value.value == 3)
    }

    /// The parts that SARIF 2.1.0 (OASIS, 3.13 to 3.30) requires.
    @Test func sarifHasWhatTheStandardRequires() throws {
        let log = ProblemReport.sarif(problems, toolVersion: "1")
        guard case .object(let members) = log, case .array(let runs)? = members["runs"],
            case .object(let run)? = runs.first, case .array(let results)? = run["results"],
            case .object(let result)? = results.first
        else {
            Issue.record("no result")
            return
        }
        #expect(members["version"] == "2.1.0")
        #expect(result["ruleId"] == "key-out-of-range")
        #expect(result["level"] == "error")
        #expect(
            result["locations"] == [
                [
                    "physicalLocation": [
                        "artifactLocation": ["uri": "exams/a/b/questions.yaml"],
                        "region": ["startLine": 3, "startColumn": 7],
                    ]
                ]
            ])
        guard case .object(let tool)? = run["tool"], case .object(let driver)? = tool["driver"],
            case .array(let rules)? = driver["rules"]
        else { return }
        #expect(rules.count == Rule.allCases.count)
    }
}
