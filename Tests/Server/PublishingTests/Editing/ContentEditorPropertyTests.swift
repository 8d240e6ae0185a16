import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

/// The laws of editing, on documents in every style that authors use.
@Suite struct ContentEditorPropertyTests {
    private func bank(_ text: String, isJSON: Bool) throws -> (TemporaryFolder, ContentEditor) {
        let folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write("title: Demo\n", to: "content/exams/int/demo/exam.yaml")
        let file = "content/exams/int/demo/questions." + (isJSON ? "json" : "yaml")
        try folder.write(text, to: file)
        return (folder, try ContentEditor(folder: folder.path + "/content"))
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func onlyTheReplacedQuestionChanges(seed: UInt64) throws {
        var author = RandomAuthor(seed: seed)
        let isJSON = seed % 3 == 0
        let values = (0..<4).map { author.question("q\($0)") }
        let pieces = isJSON ? author.json(values) : author.yaml(values)
        let text = pieces.joined()
        let (folder, editor) = try bank(text, isJSON: isJSON)
        for (index, value) in values.enumerated() {
            let part = try editor.read(.question(id: "q\(index)", bank: "int/demo"))
            #expect(part.value?.canonicalBytes == value.canonicalBytes, "seed \(seed)\n\(text)")
            let same = try part.replaced(by: value)
            #expect(same.bytes == Array(text.utf8), "seed \(seed)")

            let wanted = author.variant(of: value, id: "q\(index)")
            let change = try part.replaced(by: wanted)
            let edited = String(decoding: change.bytes, as: UTF8.self)
            #expect(
                edited.utf8.starts(with: pieces[...(2 * index)].joined().utf8),
                "seed \(seed): before \(index)\n\(text)\n---\n\(edited)")
            #expect(
                edited.utf8.reversed().starts(
                    with: pieces[(2 * index + 2)...].joined().utf8.reversed()),
                "seed \(seed): after \(index)\n\(text)\n---\n\(edited)")
            try editor.save(change)
            for other in values.indices {
                let read = try editor.read(.question(id: "q\(other)", bank: "int/demo")).value
                let expected = other == index ? wanted : values[other]
                #expect(read?.canonicalBytes == expected.canonicalBytes, "seed \(seed)\n\(edited)")
            }
            try folder.write(text, to: "content/" + part.file)
        }
    }
}

/// Writes questions in random styles; the pieces are what stands between questions and the questions.
private struct RandomAuthor {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func text() -> String {
        pick([
            "plain words", "it's: odd", "a # sign", "\"quoted\"", "two\nlines", "ends\n", " space ",
            "é und ß", "日本語", "- dash", "{brace", "back\\slash", "true", "12", "", "tab\there",
            "three\n\nparagraphs\nhere", "x, y", "[z]", "null", "👩‍👧", "a: b", "...", "---",
        ])
    }

    mutating func question(_ id: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "stem": .string(text()),
            "difficulty": .integer(Int.random(in: 1...5, using: &random)),
            "options": .array(
                ["a", "b", "c"].prefix(Int.random(in: 1...3, using: &random)).map {
                    ["id": .string($0), "text": .string(text())]
                }),
            "correct": [0],
        ]
        if Bool.random(using: &random) { members["explanation"] = .string(text()) }
        if Bool.random(using: &random) { members["tags"] = [.string(text()), .string(text())] }
        if Bool.random(using: &random) { members["shuffle"] = .bool(Bool.random(using: &random)) }
        if Bool.random(using: &random) { members["weight"] = .decimal(1.5) }
        return .object(members)
    }

    /// Another value: a change of one part, or a whole new question.
    mutating func variant(of value: JSONValue, id: String) -> JSONValue {
        guard case .object(var members) = value, Int.random(in: 0..<4, using: &random) > 0 else {
            return question(id)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: members["stem"] = .string(text() + "!")
        case 1: members["explanation"] = members["explanation"] == nil ? .string(text()) : nil
        case 2: members["tags"] = members["tags"] == nil ? ["t"] : nil
        default:
            members["options"] = [["id": "a", "text": .string(text() + "?")]]
        }
        return .object(members)
    }

    /// The members in an order that the seed alone decides.
    private mutating func shuffled(
        _ members: [String: JSONValue]
    ) -> [(key: String, value: JSONValue)] {
        members.sorted { $0.key < $1.key }.shuffled(using: &random)
    }

    // MARK: JSON

    mutating func json(_ values: [JSONValue]) -> [String] {
        let space = ["", " ", "\n", "\n  ", "\r\n\t"]
        var pieces = ["[" + pick(space)]
        for (index, value) in values.enumerated() {
            pieces.append(json(value))
            let isLast = index == values.count - 1
            pieces.append(pick(space) + (isLast ? "]" : ",") + pick(space))
        }
        return pieces
    }

    private mutating func json(_ value: JSONValue) -> String {
        let (open, close) = pick([("", ""), (" ", " "), ("\n    ", "\n  "), ("\r\n", "\r\n")])
        switch value {
        case .array(let values):
            let parts = values.map { json($0) }
            return "[" + open + parts.joined(separator: "," + open) + close + "]"
        case .object(let members):
            let parts = shuffled(members).map { member in
                "\"\(member.key)\"" + pick(["", " "]) + ":" + pick(["", " "]) + json(member.value)
            }
            return "{" + open + parts.joined(separator: "," + open) + close + "}"
        default: return String(decoding: value.canonicalBytes, as: UTF8.self)
        }
    }

    // MARK: YAML

    mutating func yaml(_ values: [JSONValue]) -> [String] {
        let between = ["", "# a comment\n", "\n", "\n# it's \"one\"\n\n"]
        let indent = pick([0, 2])
        let dash = String(repeating: " ", count: indent) + pick(["- ", "-   "])
        var pieces = [pick(between) + dash]
        for (index, value) in values.enumerated() {
            pieces.append(block(value, column: dash.count))
            let end = "\n" + pick(between)
            pieces.append(end + (index == values.count - 1 ? "" : dash))
        }
        return pieces
    }

    /// A value in block style whose first line starts at the column.
    private mutating func block(_ value: JSONValue, column: Int) -> String {
        let start = "\n" + String(repeating: " ", count: column)
        guard case .object(let members) = value, Int.random(in: 0..<5, using: &random) > 0 else {
            return flow(value)
        }
        var result = ""
        for (index, member) in shuffled(members).enumerated() {
            if index > 0 { result += pick(["", start + "# note", "\n"]) + start }
            result += member.key + ":" + after(member.value, column: column)
        }
        return result
    }

    /// What follows a colon.
    private mutating func after(_ value: JSONValue, column: Int) -> String {
        let deeper = String(repeating: " ", count: column + 2)
        switch value {
        case .array(let values) where Bool.random(using: &random):
            let list = Bool.random(using: &random) ? deeper : String(repeating: " ", count: column)
            // No comment here: the last line may be one of a literal.
            return values.map { "\n" + list + "- " + block($0, column: list.count + 2) }.joined()
        case .string(let text) where text.contains("\n") && Bool.random(using: &random):
            let isEnded = text.hasSuffix("\n")
            let lines = text.dropLast(isEnded ? 1 : 0).split(
                separator: "\n", omittingEmptySubsequences: false)
            return (isEnded ? " |" : " |-")
                + lines.map { "\n" + ($0.isEmpty ? "" : deeper + $0) }.joined()
        default: return pick([" ", "  "]) + flow(value) + comment()
        }
    }

    private mutating func comment() -> String { pick(["", "", " # it's, [odd"]) }

    private mutating func flow(_ value: JSONValue) -> String {
        switch value {
        case .array(let values):
            return "[" + values.map { flow($0) }.joined(separator: pick([", ", ",  "])) + "]"
        case .object(let members):
            let parts = shuffled(members).map { $0.key + ": " + flow($0.value) }
            return pick(["{", "{ "]) + parts.joined(separator: ", ") + pick(["}", " }"])
        case .string("plain words"): return pick(["plain words", "'plain words'"])
        case .string(let text):
            let isSimple = !text.isEmpty && !text.contains { "\n\t".contains($0) }
            return isSimple && Bool.random(using: &random)
                ? "'" + text.replacing("'", with: "''") + "'"
                : String(decoding: value.canonicalBytes, as: UTF8.self)
        default: return String(decoding: value.canonicalBytes, as: UTF8.self)
        }
    }
}
