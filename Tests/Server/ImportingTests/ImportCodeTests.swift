import Foundation
import Importing
import Testing

@Suite struct ImportCodeTests {
    /// The first cells of the table of codes in docs/imports.md.
    private static func documented() throws -> [String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/imports.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| code | ") })
        return lines[(start + 2)...].prefix { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "`").dropFirst().first.map(String.init)
        }
    }

    @Test func theTableOfThePageHasEachCodeOnce() throws {
        let documented = try Self.documented()
        #expect(documented.sorted() == ImportCode.allCases.map(\.rawValue).sorted())
    }
}
