import Foundation
import Mustache
import Testing

/// The parts of all pages, rendered with the sample that the browser's harness shows.
struct PartTemplateTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func partsIncludeOnlyPartsThatExist() throws {
        let sources = try Self.sources()

        let included = sources.values.flatMap { source in
            source.matches(of: /\{\{> ?(\w+)\}\}/).map { String($0.1) }
        }

        #expect(included.count > 20)
        #expect(Set(included).subtracting(sources.keys) == [])
    }

    @Test func samplePagesIncludeEveryPart() throws {
        let sources = try Self.sources()
        let pages = try Self.samples().map { try Self.page($0.key) }.joined()

        #expect(pages.contains("<title>Parts</title>"))
        for (name, source) in sources where name.hasPrefix("part_") {
            let tag = try #require(source.firstMatch(of: /<\w+[^>{]*/), "\(name) has no tag")
            #expect(pages.contains(String(tag.0)), "\(name) is on no page")
        }
    }

    @Test func textOfOthersIsEscaped() throws {
        let page = try Self.page("parts")

        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(!page.contains("<script>alert(1)"))
    }

    @Test func optionalPartsDoNotComeFromTheContextAround() throws {
        let library = try Self.library()
        let context: [String: Any] = [
            "icon": "star", "badge": ["count": 9, "words": "9 wait"],
            "items": [["href": "/", "icon": "today", "title": "Today", "isCurrent": true]],
            "foot": ["verdict": "", "buttons": [["title": "Check", "isPrimary": true]]],
        ]

        let nav = try #require(library.render(context, withTemplate: "part_nav"))
        let foot = try #require(library.render(context, withTemplate: "part_foot"))

        #expect(!nav.contains("9 wait"))
        #expect(!foot.contains("icons.svg#star"))
    }

    /// Returns the sample page of a name: `parts-sheet` is the template `parts` with that sample.
    private static func page(_ name: String) throws -> String {
        let sample = try #require(try samples()[name])
        let template = try #require(name.split(separator: "-").first)
        var values = try #require(sample.value as? [String: Any])
        values["files"] = "/files"
        return try #require(library().render(values, withTemplate: String(template)))
    }

    private static func samples() throws -> [String: Sample] {
        let file = root.appending(path: "Tests/System/Study/parts.json")
        return try JSONDecoder().decode([String: Sample].self, from: Data(contentsOf: file))
    }

    private static func library() throws -> MustacheLibrary {
        MustacheLibrary(templates: try sources().mapValues { try MustacheTemplate(string: $0) })
    }

    /// Returns the parts and the page that shows them, by name.
    private static func sources() throws -> [String: String] {
        let parts = try ["Sources/Apps/StudyWeb/Templates", "Sources/Apps/PageRendering/Templates"]
            .flatMap {
                try FileManager.default.contentsOfDirectory(
                    at: root.appending(path: $0), includingPropertiesForKeys: nil)
            }.filter { $0.lastPathComponent.hasPrefix("part_") }
        let pages = ["parts", "session"].map {
            root.appending(path: "Tests/System/Study/\($0).mustache")
        }
        let files = parts + pages
        let named = try files.map {
            (
                $0.deletingPathExtension().lastPathComponent,
                try String(contentsOf: $0, encoding: .utf8)
            )
        }
        return Dictionary(uniqueKeysWithValues: named)
    }
}

/// A value of JSON as templates read it.
private struct Sample: Decodable {
    let value: Any

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each attempt that fails only says that the value is of another kind; the last one throws.
        if let flag = try? container.decode(Bool.self) {
            value = flag
        } else if let number = try? container.decode(Int.self) {
            value = number
        } else if let text = try? container.decode(String.self) {
            value = text
        } else if let list = try? container.decode([Sample].self) {
            value = list.map(\.value)
        } else {
            value = try container.decode([String: Sample].self).mapValues(\.value)
        }
    }
}
