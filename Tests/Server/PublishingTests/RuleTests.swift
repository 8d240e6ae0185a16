import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

/// Runs the examples of every rule's page: the wrong one breaks that rule and no other, the
/// right one none at all.
@Suite struct RuleTests {
    @Test(arguments: Rule.allCases)
    func examplesOfThePageHold(rule: Rule) throws {
        let page = try RulePage(rule)
        #expect(page.severity == rule.severity.rawValue)
        let wrong = try problems(of: page.wrong)
        #expect(Set(wrong.map(\.rule)) == [rule], "\(wrong.map(\.summary))")
        for problem in wrong {
            #expect(problem.position.line >= 1 && problem.position.column >= 1)
            #expect(!problem.message.isEmpty && !problem.hint.isEmpty)
        }
        let right = try problems(of: page.right)
        #expect(right.isEmpty, "\(right.map(\.summary))")
    }

    @Test func thereIsAPageForEachRuleAndNoOther() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: RulePage.folder.path)
        let pages = Set(names.map { $0.replacing(".md", with: "") }).subtracting(["README"])
        #expect(pages == Set(Rule.allCases.map(\.rawValue)))
        let index = try String(
            contentsOf: RulePage.folder.appending(path: "README.md"), encoding: .utf8)
        for rule in Rule.allCases { #expect(index.contains("(\(rule.rawValue).md)")) }
    }

    private func problems(of files: [(path: String, text: String)]) throws -> [Problem] {
        let folder = try TemporaryFolder()
        try folder.write("name: Demo\n", to: "content/underway.yaml")
        try folder.write("title: Demo\n", to: "content/exams/int/demo/exam.yaml")
        try folder.write(
            TemporaryFolder.question("demo-0"), to: "content/exams/int/demo/questions.yaml")
        for (path, text) in files { try folder.write(text, to: "content/" + path) }
        return try ContentChecker.check(folder: folder.path + "/content")
    }
}

private struct RulePage {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/rules").standardizedFileURL

    var severity: String
    var wrong: [(path: String, text: String)]
    var right: [(path: String, text: String)]

    init(_ rule: Rule) throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: rule.rawValue + ".md"), encoding: .utf8)
        let parts = text.split(separator: "\n## ")
        try #require(parts.count == 3 && parts[0].hasPrefix("# \(rule.rawValue)\n"))
        severity = parts[0].contains("*Error.*") ? "error" : "warning"
        wrong = Self.files(parts[1])
        right = Self.files(parts[2])
    }

    /// A path in back quotes, then its text between fences.
    private static func files(_ section: Substring) -> [(path: String, text: String)] {
        section.matches(of: /`([^`\n]+)`\n\n```\w+\n(.*?)```/.dotMatchesNewlines()).map { match in
            var text = String(match.2)
            if let repeated = text.firstMatch(of: /\{\{(\w)\*(\d+)\}\}/) {
                text = text.replacing(
                    repeated.0,
                    with: String(repeating: String(repeated.1), count: Int(String(repeated.2)) ?? 0)
                )
            }
            return (String(match.1), text)
        }
    }
}
