import ContentModel
import Testing

@testable import Publishing

/// The JSON forms of summaries, which scripts rely on.
@Suite struct SummaryTests {
    private let warning = Problem(
        .unusedMedia, file: "exams/a/b/media/x.png", position: .init(line: 2, column: 3),
        message: "no question shows this file", hint: "Remove it.")
    private var warningJSON: JSONValue {
        [
            "rule": .string(Rule.unusedMedia.rawValue),
            "severity": .string(Rule.unusedMedia.severity.rawValue),
            "file": "exams/a/b/media/x.png", "line": 2, "column": 3,
            "message": "no question shows this file", "hint": "Remove it.",
        ]
    }

    private func expect<Value: Codable & Equatable>(
        _ value: Value, _ json: JSONValue, at location: SourceLocation = #_sourceLocation
    ) throws {
        let written = try JSONValue(encoding: value)
        #expect(written == json, sourceLocation: location)
        #expect(try written.decoded() == value, sourceLocation: location)
    }

    @Test func aPublishSummaryHasAllMembers() throws {
        var summary = PublishSummary()
        summary.release = 4
        summary.isNew = true
        summary.changed = ["a"]
        summary.removed = ["b"]
        summary.restored = ["c"]
        summary.drifted = ["d"]
        summary.revived = ["e"]
        summary.foreign = ["f"]
        summary.adopted = ["g"]
        summary.damagedObjects = ["h"]
        summary.unitsBuilt = 1
        summary.unitsTotal = 2
        summary.objectsWritten = 3
        summary.manifestBytes = 5
        summary.blueprints = 6
        summary.warnings = [warning]
        var json: [String: JSONValue] = [
            "release": 4, "isNew": true, "changed": ["a"], "removed": ["b"], "restored": ["c"],
            "drifted": ["d"], "revived": ["e"], "foreign": ["f"], "adopted": ["g"],
            "damagedObjects": ["h"], "continuedAfter": .null, "unitsBuilt": 1, "unitsTotal": 2,
            "objectsWritten": 3, "manifestBytes": 5, "blueprints": 6, "uncorrected": [],
            "warnings": [
                "errors": .integer(Rule.unusedMedia.severity == .error ? 1 : 0),
                "warnings": .integer(Rule.unusedMedia.severity == .warning ? 1 : 0),
                "problems": [warningJSON],
            ],
        ]
        try expect(summary, .object(json))
        summary.continuedAfter = 3
        json["continuedAfter"] = 3
        try expect(summary, .object(json))
    }

    @Test func aDifferenceNestsQuestionsAndFields() throws {
        let field = ReleaseDiff.FieldChange(name: "stem", old: "a", new: "b")
        let question = ReleaseDiff.QuestionChange(id: "q", kind: .changed, fields: [field])
        let diff = ReleaseDiff(files: [
            .init(path: "exams/a/b.json", kind: .changed, questions: [question]),
            .init(path: "x", kind: .added),
        ])
        try expect(
            diff,
            [
                "files": [
                    [
                        "path": "exams/a/b.json", "kind": "changed",
                        "questions": [
                            [
                                "id": "q", "kind": "changed",
                                "fields": [["name": "stem", "old": "a", "new": "b"]],
                            ]
                        ], "corrections": [], "uncorrected": [], "withdrawn": [],
                    ],
                    [
                        "path": "x", "kind": "added", "questions": [], "corrections": [],
                        "uncorrected": [], "withdrawn": [],
                    ],
                ]
            ])
    }

    @Test func smallSummariesAreFlat() throws {
        try expect(
            PruneSummary(releases: [1, 2], objects: 3), ["releases": [1, 2], "objects": 3])
        try expect(
            BundleSummary(objects: 3, bytes: 9, release: 2),
            ["objects": 3, "bytes": 9, "release": 2])
        let summary = ProblemSummary([warning])
        #expect(try JSONValue(encoding: summary) == ProblemReport.json([warning]))
    }
}
