import ContentModel
import Foundation
import TestSupport
import Testing

/// The vectors of texts (Tests/Fixtures/Text/text.json).
struct RichTextVectors: Sendable {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let tree: JSONValue
        let plain: String
        let canonical: String

        var testDescription: String { name }
    }

    let cases: [Case]
    /// Sources of the form `plain` with their trees.
    let plainForm: [(source: String, tree: JSONValue)]

    static let all: RichTextVectors = {
        do { return try RichTextVectors() } catch { fatalError("text.json: \(error)") }
    }()

    private init() throws {
        let url = fixture("Text/text.json")
        let file = Member(try JSONParser.parse([UInt8](Data(contentsOf: url))).value)
        cases = file["cases"].list.map {
            Case(
                name: $0["name"].text, source: $0["source"].text, tree: $0["tree"].value,
                plain: $0["plain"].text, canonical: $0["canonical"].text)
        }
        plainForm = file["plainForm"].list.map { ($0["source"].text, $0["tree"].value) }
    }

    private struct Member {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        subscript(_ name: String) -> Member {
            guard case .object(let members) = value else { return Member(.null) }
            return Member(members[name] ?? .null)
        }

        var text: String { if case .string(let text) = value { text } else { "" } }

        var list: [Member] {
            if case .array(let values) = value { values.map(Member.init) } else { [] }
        }
    }
}

extension RichText {
    /// The tree in the form of the vectors.
    var json: JSONValue { .array(blocks.map(\.json)) }
}

extension TextBlock {
    fileprivate var json: JSONValue {
        switch self {
        case .paragraph(let spans): .array(["p"] + spans.map(\.json))
        case .code(let language, let code): ["code", .string(language ?? ""), .string(code)]
        case .list(nil, let items): .array(["ul"] + items.map { .array($0.map(\.json)) })
        case .list(let start?, let items):
            .array(["ol", .integer(start)] + items.map { .array($0.map(\.json)) })
        case .table(let table):
            .array(
                ["table", .array(table.alignments.map { .string($0.rawValue) })]
                    + ([table.head] + table.rows).map { row in
                        .array(row.map { cell in .array(cell.map(\.json)) })
                    })
        }
    }
}

extension TextSpan {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .code(let code): ["c", .string(code)]
        case .emphasis(let spans): .array(["em"] + spans.map(\.json))
        case .strong(let spans): .array(["strong"] + spans.map(\.json))
        case .link(let address, let spans): .array(["a", .string(address)] + spans.map(\.json))
        case .image(let name, let alt): ["img", .string(name), .string(alt)]
        case .formula(let formula): [formula.isDisplayed ? "$$" : "$", .string(formula.tex)]
        case .lineBreak: ["br"]
        }
    }
}
