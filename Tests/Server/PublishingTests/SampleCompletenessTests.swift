import ContentModel
import Foundation
import Testing

@testable import Publishing

/// The sample has every type of question and every field that an author can write: a proof over an example that lacks
/// one says nothing about it.
@Suite struct SampleCompletenessTests {
    private static let root = URL(filePath: #filePath)
        .appending(path: "../../../..").standardizedFileURL

    /// The names and values of the objects of the sample's sources, by what they are.
    private struct Found {
        var fields: [DocumentShape: Set<String>] = [:]
        var types: Set<String> = []
        var announcementTypes: Set<String> = []
        var classes: Set<String> = []

        init() throws {
            let folder = SampleCompletenessTests.root.appending(path: "Sample/content")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                try read(file)
            }
        }

        private mutating func read(_ file: URL) throws {
            let name = file.lastPathComponent
            let isSource = [".yaml", "blueprint.json"].contains { name.hasSuffix($0) }
            guard isSource, !name.hasPrefix("underway") else { return }
            let bytes = [UInt8](try Data(contentsOf: file))
            let document = try #require(
                SourceDocument.parse(
                    bytes, report: DecodingReport(file: name, strictness: .authored)), "\(name)")
            if name.hasPrefix("corrections") {
                add(document.elements, .correction)
            } else if name.hasPrefix("questions") {
                document.elements.forEach { question($0) }
            } else if name == "assets.yaml" {
                for member in document.members {
                    let value = member.value["class"] ?? member.value
                    classes.insert(value.text ?? "eager")
                }
            } else if file.deletingLastPathComponent().lastPathComponent == "announcements" {
                add([document], .announcement)
                announcementTypes.insert(document["type"]?.text ?? "")
                add(document["texts"]?.members.map(\.value) ?? [], .announcementText)
            } else {
                bank(document)
            }
        }

        private mutating func bank(_ document: DocumentNode) {
            add([document], .blueprint)
            add(document["domains"]?.elements ?? [], .domain)
            if let scoring = document["scoring"] {
                add([scoring], .scoring)
                add(scoring["cuts"]?.elements ?? [], .cut)
            }
            document["questions"]?.elements.forEach { question($0) }
        }

        private mutating func question(_ node: DocumentNode) {
            add([node], .question)
            types.insert(node["type"]?.text ?? "")
            add(node["options"]?.elements ?? [], .option)
            add([node["code"]].compactMap(\.self), .code)
            add([node["number"]].compactMap(\.self), .number)
            add([node["audio"]].compactMap(\.self), .audio)
        }

        private mutating func add(_ nodes: [DocumentNode], _ shape: DocumentShape) {
            fields[shape, default: []].formUnion(nodes.flatMap { $0.members.map(\.key) })
        }
    }

    @Test func theSampleHasEveryFieldThatAReaderKnows() throws {
        let found = try Found()
        for shape in DocumentShape.allCases {
            // What a publish makes itself, and what it reads from a file of its own.
            guard let written = found.fields[shape] else { continue }
            let known = Set(shape.fields).subtracting(shape == .blueprint ? ["corrections"] : [])
            #expect(known.subtracting(written).sorted() == [], "\(shape.rawValue)")
        }
        #expect(
            Set(found.fields.keys) == [
                .blueprint, .domain, .scoring, .cut, .question, .option, .code, .number,
                .audio, .correction,
                .announcement, .announcementText,
            ])
    }

    @Test func theSampleHasEveryTypeThatAReaderKnows() throws {
        let found = try Found()
        #expect(Set(QuestionType.allCases.map(\.rawValue)).subtracting(found.types) == [])
        #expect(
            Set(AnnouncementType.allCases.map(\.rawValue)).subtracting(found.announcementTypes)
                == [])
        #expect(Set(AssetClass.allCases.map(\.rawValue)).subtracting(found.classes) == [])
    }

    @Test func theSampleHasEveryFieldThatThePageForAuthorsGivesAQuestion() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/authors.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n## A question\n")).upperBound
        let end = try #require(page.range(of: "\n## ", range: start..<page.endIndex)).lowerBound
        let blocks = page[start..<end].components(separatedBy: "```")
            .filter { $0.hasPrefix("yaml") }
            .map { $0.replacing(/# .*/, with: "") }
        let named = Set(
            blocks.flatMap { $0.matches(of: /(?:^|[\n{,#-])\s*([a-zA-Z]+):\s/) }.map {
                String($0.1)
            })
        #expect(named.count >= 20)
        let found = try Found().fields
        let written = [.question, .option, .code, .number, .audio].reduce(into: Set<String>()) {
            $0.formUnion(found[$1] ?? [])
        }
        #expect(named.subtracting(written).sorted() == [])
    }
}

extension DocumentNode {
    fileprivate var members: [Member] {
        if case .object(let members) = content { members } else { [] }
    }

    fileprivate var elements: [DocumentNode] {
        if case .array(let elements) = content { elements } else { [] }
    }

    fileprivate var text: String? {
        if case .string(let text) = content { text } else { nil }
    }

    fileprivate subscript(_ key: String) -> DocumentNode? {
        members.first { $0.key == key }?.value
    }
}
