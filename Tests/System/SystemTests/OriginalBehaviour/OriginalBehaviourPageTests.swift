import Foundation
import Testing

/// Holds the table of docs/original-behaviour.md against the tests that it names.
@Suite struct OriginalBehaviourPageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let root = folder.appending(path: "../../../..").standardizedFileURL

    @Test func eachSentenceHasATest() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/original-behaviour.md"), encoding: .utf8)
        let rows = page.matches(of: /(?m)^\| (.+) \| `(\w+)\/(\w+)` \|$/)
        let suites = try Self.suites()
        for row in rows {
            let (sentence, suite, name) = (String(row.1), String(row.2), String(row.3))
            guard let attribute = Self.attribute(of: name, in: suites[suite] ?? "") else {
                Issue.record("there is no test \(suite)/\(name)")
                continue
            }
            // Whoever changes one of the two changes the other.
            guard let shown = attribute.firstMatch(of: /^@Test\(\s*"(.+)"[,)]/)?.1 else {
                continue
            }
            #expect(shown == sentence, "\(suite)/\(name)")
        }
        // A row of another shape would be passed over.
        #expect(rows.count == page.matches(of: /(?m)^\| [^-]/).count - Self.headings(of: page))
        let named = Set(rows.map { "\($0.2)/\($0.3)" })
        for test in try Self.testsOfThisFolder() {
            #expect(named.contains(test), "the page does not name \(test)")
        }
    }

    @Test func aTestThatIsGoneIsNoticed() throws {
        let suites = try Self.suites()
        let source = try #require(suites["OriginalBehaviourPageTests"])
        #expect(Self.attribute(of: "aTestThatIsGoneIsNoticed", in: source) == "@Test")
        #expect(Self.attribute(of: "headings", in: source) == nil)
        #expect(Self.attribute(of: "isGone", in: source) == nil)
        #expect(suites["NoSuchTests"] == nil)
        #expect(try Self.testsOfThisFolder().count > 20)
    }

    private static func headings(of page: String) -> Int {
        page.matches(of: /(?m)^\| sentence \| test \|$/).count
    }

    /// The text of the file of each suite.
    private static func suites() throws -> [String: String] {
        let tests = root.appending(path: "Tests")
        var found: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path)
        where path.hasSuffix("Tests.swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /struct (\w+Tests)\b/) { found[String(match.1)] = text }
        }
        return found
    }

    /// What stands before a test from its `@Test` on; `nil` where there is no such test.
    private static func attribute(of name: String, in source: String) -> String? {
        var found: [String] = []
        for line in source.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("@Test") { found = [] }
            guard let end = line.range(of: "func \(name)(") else {
                // The end of a function or type is no part of an attribute.
                if line.hasPrefix("}") { found = [] }
                found.append(String(line))
                continue
            }
            found.append(String(line[..<end.lowerBound]))
            let text = found.joined(separator: "\n").trimmingCharacters(in: .whitespaces)
            return text.hasPrefix("@Test") ? text : nil
        }
        return nil
    }

    /// The tests beside this file that show a sentence.
    private static func testsOfThisFolder() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap { file in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            guard let suite = text.firstMatch(of: /struct (\w+Tests)\b/)?.1,
                suite != "OriginalBehaviourPageTests"
            else { return [String]() }
            return text.matches(of: /@Test\([\s\S]*?func (\w+)\(/).map { "\(suite)/\($0.1)" }
        }
    }
}
