import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

@Suite struct AssetSchemaTests {
    private func problems(_ value: String, schema: String) throws -> [Problem] {
        let folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write(value, to: "content/assets/a.json")
        try folder.write("a.json: { schema: schemas/a.json }\n", to: "content/assets.yaml")
        try folder.write(schema, to: "content/schemas/a.json")
        return try ContentChecker.check(folder: folder.path + "/content")
    }

    @Test(
        arguments: [
            (#"{"type": "integer"}"#, ["1", "-3", "2.0"], ["1.5", "true", "\"1\"", "null"]),
            (#"{"type": ["string", "null"]}"#, ["\"\"", "null"], ["1", "[]"]),
            (#"{"minimum": 1, "maximum": 2}"#, ["1", "2", "1.5", "\"9\""], ["0", "2.1", "3"]),
            (#"{"enum": ["a", 1]}"#, ["\"a\"", "1"], ["\"b\"", "2"]),
            (#"{"const": true}"#, ["true"], ["false"]),
            (#"{"minLength": 1, "maxLength": 2}"#, ["\"é👍\""], ["\"\"", "\"abc\""]),
            (
                #"{"maxItems": 1, "items": {"type": "null"}}"#, ["[]", "[null]"],
                ["[null, null]", "[1]"]
            ),
            (#"{"required": ["a"]}"#, [#"{"a": 1}"#], ["{}", #"{"b": 1}"#]),
            (
                #"{"properties": {"a": {"type": "null"}}, "additionalProperties": false}"#,
                ["{}", #"{"a": null}"#], [#"{"a": 1}"#, #"{"b": null}"#]
            ),
            (
                #"{"additionalProperties": {"items": {"type": "string"}}}"#,
                [#"{"x": ["a"]}"#], [#"{"x": ["a", 1]}"#]
            ),
        ])
    func eachKeywordJudges(schema: String, right: [String], wrong: [String]) throws {
        for value in right { #expect(try problems(value, schema: schema) == [], "\(value)") }
        for value in wrong {
            let found = try problems(value, schema: schema)
            #expect(found.map(\.rule) == [.schemaMismatch], "\(value)")
            #expect(found.first?.file == "assets/a.json")
        }
    }

    @Test(
        arguments: [
            "[]", #"{"type": "whole"}"#, #"{"pattern": "a"}"#, #"{"minimum": "1"}"#,
            #"{"properties": {"a": {"typ": "null"}}}"#, #"{"required": [1]}"#,
        ])
    func aSchemaThatWouldCheckNothingIsRefused(schema: String) throws {
        let found = try problems("{}", schema: schema)
        #expect(Set(found.map(\.rule)) == [.schemaInvalid])
        #expect(found.first?.file == "schemas/a.json")
    }

    @Test func aProblemNamesItsPlace() throws {
        let found = try problems(
            "{\n  \"goal\": 900\n}",
            schema: #"{"properties": {"goal": {"type": "integer", "maximum": 500}}}"#)
        #expect(found.map(\.position) == [SourcePosition(line: 2, column: 11)])
        #expect(found.first?.message == "\"goal\" must be at most 500")
    }

    @Test func aChangedSchemaIsHeldAgainstTheSameAsset() throws {
        let folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write("{\"goal\": 5}", to: "content/assets/a.json")
        try folder.write("a.json: { schema: schemas/a.json }\n", to: "content/assets.yaml")
        try folder.write("{}", to: "content/schemas/a.json")
        let publisher = Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release")
        _ = try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "2033-05-18T03:33:20Z")
        #expect(!folder.exists("release/assets/schemas") && !folder.exists("release/schemas"))
        try folder.write(
            "{\"properties\": {\"goal\": {\"maximum\": 4}}}", to: "content/schemas/a.json")
        #expect(throws: PublishingError.self) {
            try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "2033-05-18T03:33:21Z")
        }
    }

    @Test(arguments: ["schemas/a.json", "elsewhere/a.json"])
    func aSchemaThatIsNotThereIsNamedOnce(path: String) throws {
        let library = try Library(["es"])
        try library.folder.write("{}", to: "content/assets/a.json")
        try library.folder.write("a.json: { schema: \(path) }\n", to: "content/assets.yaml")
        let problems = try ContentChecker.check(folder: library.content)
            .filter { $0.rule == .missingFile }
        let words =
            path.hasPrefix("schemas/")
            ? "there is no file schemas/a.json"
            : "a schema is a file in schemas/, not elsewhere/a.json"
        #expect(problems.map(\.message) == [words])
    }

    @Test func anAssetWithoutASchemaMayBeLargerThanADocument() throws {
        let folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        let size = ContentLimits.documentBytesMax + 1
        try folder.write([UInt8](repeating: 0x20, count: size), to: "content/assets/a.json")
        #expect(try ContentChecker.check(folder: folder.path + "/content") == [])
        try folder.write("a.json: { schema: schemas/a.json }\n", to: "content/assets.yaml")
        try folder.write("{}", to: "content/schemas/a.json")
        let found = try ContentChecker.check(folder: folder.path + "/content")
        #expect(found.map(\.rule) == [.limitExceeded])
    }
}
