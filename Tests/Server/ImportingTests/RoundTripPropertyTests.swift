import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Random questions with hostile text and white space, out and in again: equal, or refused by name.
@Suite struct RoundTripPropertyTests {
    private static let parts = [
        "a", "Zoë", "漢字", "שלום", " ", "  ", "\n", "\n\n", "\n\n\n", "\t", "\r\n", "\u{A0}", "<b>",
        "</p>",
        "&amp;", "&", "\"", "'", ",", ";", "|", "=", "~", "#", "{", "}", ":", "\\", "\\n", "//",
        "::x::", "$$",
        "%50%", "->", "=SUM(A1)", "+1", "-1", "@x", "\u{2028}", "\u{200B}", "😀", "_____", "[html]",
        "`<br>`", "```",
        "- [x] a", "# t", "<!--", "]]>", "\u{FEFF}", "\u{85}", "\\(x<y\\)", "1", "true",
    ]

    private static func text(_ random: inout SeededGenerator, max: Int) -> String {
        let count = Int.random(in: 1...max, using: &random)
        let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        // A text that looks blank is none.
        return text.contains { !$0.isWhitespace && $0.isLetter } ? text : "w" + text
    }

    private static func question(_ number: Int, _ random: inout SeededGenerator) -> Question {
        let type = QuestionType.allCases[number % QuestionType.allCases.count]
        let optional = { (random: inout SeededGenerator) -> String? in
            Bool.random(using: &random) ? text(&random, max: 6) : nil
        }
        var question = Question(
            id: "q\(number)", type: type, domain: Bool.random(using: &random) ? "d" : nil,
            difficulty: Int.random(in: 1...5, using: &random), stem: text(&random, max: 12),
            options: [], correct: [], explanation: optional(&random),
            tags: Bool.random(using: &random) ? ["t\(number % 7)"] : [],
            shufflesOptions: Bool.random(using: &random), isRetired: Bool.random(using: &random))
        if type == .codeSnippet {
            question.code = CodeSnippet(
                language: "swift",
                text: "if x {\n\n\tprint(\"a  b\")\n    \(text(&random, max: 5))}\n")
        }
        guard type != .numericEntry else {
            question.shufflesOptions = true
            question.key = .number(
                NumericKey(
                    .value(DecimalNumber("9.81") ?? 0, .absolute(DecimalNumber("0.01") ?? 0))))
            return question
        }
        let count = Int.random(in: 2...5, using: &random)
        question.options = (0..<count).map {
            QuestionOption(
                id: ["a", "b", "c", "d", "e"][$0], text: "\($0)" + text(&random, max: 6),
                feedback: type == .ordering ? nil : optional(&random))
        }
        let order = Array(0..<count).shuffled(using: &random)
        switch type {
        case .ordering: question.key = .options(order)
        case .multiChoice: question.key = .options(order.prefix(max(1, count - 1)).sorted())
        default: question.key = .options([order[0]])
        }
        return question
    }

    @Test(arguments: [ExportFormat.gift, .qti3, .csv, .xlsx, .moodleXML])
    func whatIsWrittenIsReadAgain(format: ExportFormat) throws {
        let seed: UInt64 = 20_261_123
        var random = SeededGenerator(seed: seed)
        let questions = (0..<600).map { Self.question($0, &random) }
        let folder = try TemporaryFolder()
        let written = try QuestionExporter.write(questions, as: format, to: folder.path + "/bank") {
            _ in nil
        }
        let formats: [ExportFormat: ImportFormat] = [
            .gift: .gift, .qti3: .qti, .csv: .csv, .xlsx: .xlsx, .moodleXML: .moodleXML,
        ]
        let result = try imported(folder.read("bank"), formats[format], file: "bank")
        print(
            "seed \(seed), \(format): \(written.writtenCount) written, refused \(written.skipped.count)"
        )
        #expect(written.writtenCount + written.skipped.count == questions.count)
        #expect(written.writtenCount > 150)
        #expect(result.skipped.isEmpty, "\(result.skipped.prefix(3))")
        let refused = Set(written.skipped.map(\.id))
        let kept = questions.filter { !refused.contains($0.id) }
        let found = Dictionary(uniqueKeysWithValues: result.questions.map { ($0.id, $0) })
        var different = 0
        for question in kept where found[question.id] != question {
            different += 1
            if different <= 3 {
                let back = found[question.id]
                Issue.record(
                    "\(format) \(question.type): \(question.json.prettyText) came back as \(back?.json.prettyText ?? "nothing")"
                )
            }
        }
        #expect(different == 0, "seed \(seed): \(different) of \(kept.count) differ")
    }

    @Test func whatXMLCannotHoldIsRefusedByName() throws {
        var random = SeededGenerator(seed: 1)
        var question = Self.question(0, &random)
        question.stem = "A bell: \u{7}"
        let folder = try TemporaryFolder()
        let written = try QuestionExporter.write([question], as: .qti3, to: folder.path + "/bank") {
            _ in nil
        }
        #expect(
            written.skipped.map(\.reason) == ["it has the character U+0007, which XML cannot hold"])
    }
}
