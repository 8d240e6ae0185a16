import Foundation
import TestSupport
import Testing

/// Numeric entries, as one types them.
@Suite struct NumericCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write("title: Physics\n", to: "content/exams/int/physics/exam.yaml")
        try write("{ value: 9.81, tolerance: 0.01, unit: m/s² }")
    }

    private func write(_ key: String) throws {
        try folder.write(
            """
            - id: g
              type: numeric-entry
              difficulty: 2
              stem: How strong is gravity?
              number: \(key)
            - id: c
              type: numeric-entry
              difficulty: 2
              stem: How much is 0.1 + 0.2?
              number: { value: 0.3 }
              explanation: Exactly.
            """, to: "content/exams/int/physics/questions.yaml")
    }

    private func study(_ input: String) async throws -> Tool.Result {
        let release = ["--release", folder.path + "/release"]
        let published = try await Tool.run(
            ["publish", "--content", folder.path + "/content"] + release)
        #expect(published.status == 0, "\(published.errors)")
        #expect(try await Tool.run(["bundle", folder.path + "/bundle"] + release).status == 0)
        return try await Tool.run(
            [
                "study", "int/physics", "--mode", "study", "--store", folder.path + "/store",
                "--bundle", folder.path + "/bundle", "--limit", "2", "--seed", "1",
            ], input: input)
    }

    @Test func numbersAreTypedWithPointOrComma() async throws {
        let result = try await study(
            "12 34\n1,234\nmuch\n9,80 m/s²\n0.30000000000000004\n0,3\n")
        #expect(result.status == 0, "\(result.errors)")
        let text = result.output
        #expect(text.contains("the number in m/s²> ") && text.contains("the number> "))
        #expect(text.contains("without thousands separators, such as 1234.5"))
        #expect(text.contains("The number may be 1.234 or 1234"))
        #expect(text.contains("Enter a number such as 3.14 or 3,14"))
        #expect(text.contains("right") && text.contains("wrong: 0.3\n  Exactly."))
        #expect(text.contains("1 of 2 right, 1 of 1 when asked again"))
    }

    @Test func emptyLinesSkipAndQLeaves() async throws {
        #expect(try await study("\nq\n").output.contains("Left: 0 answers are saved"))
    }

    @Test func checkingNamesPlaceAndRemedy() async throws {
        try write("{ value: 9.81, relativeTolerance: 2 }")
        let result = try await Tool.run(["check", folder.path + "/content"])
        #expect(result.status == 1)
        #expect(
            result.output.contains("questions.yaml:5:45: error: the relative tolerance 2 is no"))
        #expect(result.output.contains("[numeric-key]") && result.output.contains("0.02 for 2 %"))
    }

    @Test func answersWithNumbersAreAnalysed() async throws {
        // Who is able says 3.14 to q9, whose key is 314; all other keys are right.
        var rows = ["person,question,answer,key,type"]
        for person in 0..<80 {
            for question in 0..<9 {
                let isAble = person % 4 != 0 && (person + question) % 5 != 0
                rows.append("p\(person),q\(question),\(isAble ? "a" : "c"),a,single-choice")
            }
            let entered = person % 4 != 0 ? "\"3,14\"" : ["314", "31.4", "3"][person / 4 % 3]
            rows.append("p\(person),q9,\(entered),314:1,numeric-entry")
        }
        try folder.write(rows.joined(separator: "\n"), to: "answers.csv")
        let result = try await Tool.run(["analyse", folder.path + "/answers.csv"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("800 first answers of 80 people"))
        #expect(result.output.contains("q9: 75 % answer \"3.14\", the key"), "\(result.output)")
        try folder.write("person,question,answer,key,type\np,q,1,x,numeric-entry\n", to: "bad.csv")
        let bad = try await Tool.run(["analyse", folder.path + "/bad.csv"])
        #expect(bad.status == 6 && bad.errors.contains("bad.csv:2: \"x\" is no number"))
    }
}
