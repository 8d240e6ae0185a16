import ContentModel
import ServiceAPI
import Testing

@testable import Publishing

/// The JSON form of one publish of `dev`, which scripts rely on.
@Suite struct DevelopmentSummaryTests {
    private func json(
        _ event: DevelopmentEvent, changed: [String] = [], problems: [Problem] = []
    ) throws -> JSONValue {
        let outcome = DevelopmentOutcome(
            event: event, changed: changed, problems: problems, duration: .milliseconds(12))
        let summary = DevelopmentSummary(outcome)
        let json = try JSONValue(encoding: summary)
        #expect(try json.decoded() == summary)
        return json
    }

    @Test func aReleaseHasItsNumberAndItsFiles() throws {
        #expect(
            try json(.release(3), changed: ["assets/links.json"]) == [
                "release": 3, "changed": ["assets/links.json"], "problems": [],
                "milliseconds": 12,
            ])
    }

    @Test func aFailureHasItsReason() throws {
        #expect(
            try json(.failure("The disk is full.")) == [
                "failure": "The disk is full.", "changed": [], "problems": [], "milliseconds": 12,
            ])
    }

    @Test func errorsOfTheContentAreListed() throws {
        let problem = Problem(.syntax, file: "a.json", message: "wrong")
        guard case .object(let members) = try json(.problems([problem]), problems: [problem])
        else {
            Issue.record("not an object")
            return
        }
        #expect(members["failure"] == "contentErrors" && members["release"] == nil)
        #expect(members["problems"] == (try JSONValue(encoding: [problem])))
    }
}
