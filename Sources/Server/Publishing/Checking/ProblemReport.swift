public import ContentModel
import ServiceAPI

/// Reports of problems for people, programs and editors.
public enum ProblemReport {
    /// Returns three lines per problem: place, message and remedy.
    public static func text(_ problems: [Problem]) -> String {
        problems.map { "\($0.summary)\n    \($0.hint)\n" }.joined()
    }

    /// Returns one JSON object with the counts and each problem, encoded as `ProblemSummary`.
    public static func json(_ problems: [Problem]) -> JSONValue {
        let summary = ProblemSummary(problems)
        return [
            "errors": .integer(summary.errors), "warnings": .integer(summary.warnings),
            "problems": .array(problems.map(\.json)),
        ]
    }

    /// Returns a SARIF 2.1.0 log (OASIS) for editors and CI systems.
    ///
    /// - Parameters:
    ///   - problems: The problems.
    ///   - toolVersion: The version of this program.
    /// - Returns: The log, one run with all rules and results.
    public static func sarif(_ problems: [Problem], toolVersion: String) -> JSONValue {
        let rules = Rule.allCases.map { rule -> JSONValue in
            [
                "id": .string(rule.rawValue),
                "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
                "help": ["text": .string(rule.hint)],
                "shortDescription": ["text": .string(rule.rawValue)],
            ]
        }
        let driver: JSONValue = [
            "name": "underway", "version": .string(toolVersion), "rules": .array(rules),
        ]
        let run: JSONValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
            "results": .array(problems.map(sarifResult)),
        ]
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [run],
        ]
    }

    private static func sarifResult(_ problem: Problem) -> JSONValue {
        let region: JSONValue = [
            "startLine": .integer(problem.position.line),
            "startColumn": .integer(problem.position.column),
        ]
        let location: JSONValue = [
            "physicalLocation": [
                "artifactLocation": ["uri": .string(problem.file)], "region": region,
            ]
        ]
        return [
            "ruleId": .string(problem.rule.rawValue),
            "level": .string(problem.rule.severity.rawValue),
            "message": ["text": .string("\(problem.message). \(problem.hint)")],
            "locations": [location],
        ]
    }
}
