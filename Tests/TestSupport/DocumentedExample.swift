import Foundation
import Testing

/// Lines of a test that a page shows to readers, so that what the page shows is compiled and run.
public enum DocumentedExample {
    /// Expects the page of app developers to show the lines between the marks `// name: start` and `// name: end` of the
    /// calling file, word for word.
    public static func expect(
        _ mark: String, linesMax: Int, source: String = #filePath
    ) throws {
        let page = "docs/app-developers.md"
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let example = try lines(mark, in: source).joined(separator: "\n")
        #expect(text.contains(example), "\(page) does not show:\n\(example)")
        #expect(example.split(separator: "\n").count <= linesMax)
    }

    private static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../..").standardizedFileURL
    }

    /// The lines without the indentation that all of them have.
    private static func lines(_ mark: String, in source: String) throws -> [String] {
        let all = try String(contentsOfFile: source, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(all.firstIndex { $0.hasSuffix("// \(mark): start") })
        let end = try #require(all.firstIndex { $0.hasSuffix("// \(mark): end") })
        let lines = all[start + 1..<end]
        let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        return lines.map { String($0.dropFirst(indents.min() ?? 0)) }
    }
}
