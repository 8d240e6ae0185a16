import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Questions with any white space and text, out and in again: the same, or refused by name.
@Suite struct TextRoundTripTests {
    private static let formats: [ExportFormat: ImportFormat] = [
        .gift: .gift, .csv: .csv, .xlsx: .xlsx, .moodleXML: .moodleXML,
    ]

    private func roundTrip(
        _ questions: [Question], _ format: ExportFormat
    ) throws -> (read: [Question], refused: [String: String]) {
        let folder = try TemporaryFolder()
        let written = try QuestionExporter.write(questions, as: format, to: folder.path + "/bank") {
            _ in nil
        }
        let refused = Dictionary(uniqueKeysWithValues: written.skipped.map { ($0.id, $0.reason) })
        #expect(written.writtenCount + refused.count == questions.count)
        guard written.writtenCount > 0 else { return ([], refused) }
        let result = try imported(folder.read("bank"), Self.formats[format])
        #expect(result.skipped.isEmpty, "\(result.skipped.prefix(3))")
        return (result.questions, refused)
    }

    @Test(arguments: [ExportFormat.gift, .csv, .xlsx, .moodleXML])
    func codeKeepsItsWhiteSpace(format: ExportFormat) throws {
        let code = "if a {\n\n\n    let b  =  \"\\n\"\n\tprint(b)   \n}\n"
        let question = Question(
            id: "code", type: .codeSnippet, difficulty: 1, stem: "Two  spaces,\n\na blank line",
            code: CodeSnippet(language: "swift", text: code),
            options: [
                .init(id: "a", text: "let x =\n    1"),
                .init(id: "b", text: "<b>", feedback: "a  b"),
            ], correct: [1], explanation: "one\n\n  two")
        let (read, refused) = try roundTrip([question], format)
        #expect(refused.isEmpty)
        #expect(read == [question])
    }

    @Test(arguments: [ExportFormat.gift, .csv, .xlsx, .moodleXML])
    func aTextThatSpeaksOfAMarkIsNoMark(format: ExportFormat) throws {
        let texts = ["[html]<b>x</b>", "[plain]", "%50%", "-> a", "// no comment", "$CATEGORY: a"]
        let question = Question(
            id: "m", type: .singleChoice, difficulty: 2, stem: "[markdown] is a mark",
            options: texts.enumerated().map { .init(id: "o\($0)", text: $1, feedback: $1) },
            correct: [0], explanation: "[moodle]## x")
        #expect(try roundTrip([question], format).read == [question])
    }

    @Test func anArrowInAnAnswerIsNoPair() throws {
        let question = Question(
            id: "arrow", type: .singleChoice, difficulty: 2, stem: "Which type?",
            options: [.init(id: "a", text: "(Int) -> Int"), .init(id: "b", text: "Int")],
            correct: [0])
        #expect(try roundTrip([question], .gift).read == [question])
    }

    @Test func aTagThatBeginsWithACombiningCharacterLeavesOtherMarks() throws {
        let question = Question(
            id: "tag", type: .singleChoice, difficulty: 2, stem: "Which?",
            options: [.init(id: "x1", text: "a"), .init(id: "x2", text: "b", isPinned: true)],
            correct: [0], tags: ["\u{301}t;\u{301}%|x", "y"])
        #expect(try roundTrip([question], .csv).read == [question])
    }

    @Test func whatGIFTCannotSayIsRefusedByName() throws {
        let options = [QuestionOption(id: "a", text: "  x"), QuestionOption(id: "b", text: "y")]
        let order = Question(
            id: "order", type: .ordering, difficulty: 1, stem: "Order",
            options: [.init(id: "a", text: "x", feedback: "no"), .init(id: "b", text: "y")],
            correct: [1, 0])
        let space = Question(
            id: "space", type: .singleChoice, difficulty: 1, stem: "Q", options: options,
            correct: [0])
        let (read, refused) = try roundTrip([order, space], .gift)
        #expect(read.isEmpty)
        #expect(
            refused == [
                "order": "GIFT cannot say its feedback exactly",
                "space":
                    "GIFT cannot say its options exactly; a text begins or ends with white space",
            ])
        #expect(try roundTrip([order, space], .csv).read == [order, space])
    }

    @Test(arguments: [ExportFormat.gift, .csv])
    func carriageReturnsAreRefused(format: ExportFormat) throws {
        let question = Question(
            id: "cr", type: .singleChoice, difficulty: 1, stem: "a\r\nb",
            options: [.init(id: "a", text: "x"), .init(id: "b", text: "y")], correct: [0])
        let (read, refused) = try roundTrip([question], format)
        #expect(read.isEmpty)
        #expect(refused["cr"]?.contains("stem exactly; a text has carriage returns") == true)
    }

    /// `UNDERWAY_SEED` repeats a run.
    @Test(arguments: [ExportFormat.gift, .csv, .xlsx, .moodleXML])
    func anyQuestionComesBackOrIsRefused(format: ExportFormat) throws {
        let seed = TestRun.seed(of: "TextRoundTripTests")
        var random = SeededGenerator(seed: seed)
        let questions = (0..<400).map { HostileQuestion.make(number: $0, using: &random) }
        let (read, refused) = try roundTrip(questions, format)
        let originals = Dictionary(uniqueKeysWithValues: questions.map { ($0.id, $0) })
        for question in read {
            let original = originals[question.id]
            #expect(question == original, "seed \(seed)")
        }
        #expect(Set(read.map(\.id)).union(refused.keys).count == questions.count, "seed \(seed)")
        #expect(refused.values.allSatisfy { $0.contains("cannot say") }, "seed \(seed)")
        let shares = "\(refused.count) of \(questions.count) refused, seed \(seed)"
        #expect(refused.count < (format == .csv ? 20 : 300), "\(shares)")
        print("TextRoundTripTests \(format): \(shares)")
        // Other reasons are rare: tags with line feeds, and a begin that joins the mark before it.
        let others = refused.filter { !$0.value.contains("; a text begins or ends") }
        #expect(others.count < 60, "\(others)")
        // A combining character joins the mark of XML before it.
        for (id, reason) in others where reason.contains("options") && format != .moodleXML {
            Issue.record("\(reason): \(String(reflecting: originals[id]?.options)), seed \(seed)")
        }
    }
}

/// Random questions of all types with hostile text.
enum HostileQuestion {
    private static let pieces = [
        "a", "Z9", " ", "  ", "\n", "\n\n", "\t", "\u{A0}", "\u{301}", "é", "日本", "🙂", "\"", "'",
        "''", ",", ";", "|", "=", "+", "-", "@", "#", "####", "{", "}", "~", ":", "::", "\\", "\\n",
        "\\\\", "->", "..", "%50%", "//", "[html]", "[plain]", "[tag:x]", "<b>", "</b>", "<br>",
        "&lt;", "$$x$$", "\\(y\\)", "$CATEGORY: x", "=1+1", "-5", "TRUE", "\u{2028}", "＝",
    ]

    static func make(number: Int, using random: inout some RandomNumberGenerator) -> Question {
        let type = QuestionType.allCases[number % QuestionType.allCases.count]
        var question = Question(
            id: "q\(number)", type: type,
            domain: Bool.random(using: &random) ? "d.\(number % 3)" : nil,
            difficulty: Int.random(in: 1...5, using: &random), stem: text("Q", using: &random),
            options: [], key: .options([]),
            explanation: Bool.random(using: &random) ? text("e", using: &random) : nil,
            tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in text("t", using: &random)
            },
            isRetired: Bool.random(using: &random))
        if type == .codeSnippet || number % 7 == 0 {
            question.code = CodeSnippet(
                language: "swift", text: text("{", using: &random) + text("}", using: &random))
        }
        if type == .numericEntry {
            let notations = ["-5", "9.81:0.01", "-40:2%", "-9.83..9.8"]
            let notation = notations[number / 5 % notations.count]
            question.key = NumericKey(notation: notation).map(QuestionKey.number) ?? question.key
        } else {
            addOptions(to: &question, using: &random)
        }
        return question
    }

    private static func addOptions(
        to question: inout Question, using random: inout some RandomNumberGenerator
    ) {
        let count = Int.random(in: 2...6, using: &random)
        question.options = (0..<count).map { index in
            QuestionOption(
                id: Bool.random(using: &random)
                    ? "x\(index)" : String(UnicodeScalar(UInt8(97 + index))),
                text: text("\(index)", using: &random),
                isPinned: Int.random(in: 0..<9, using: &random) == 0,
                feedback: question.type != .ordering && Bool.random(using: &random)
                    ? text("f", using: &random) : nil)
        }
        question.shufflesOptions = Bool.random(using: &random)
        let order = Array(0..<count).shuffled(using: &random)
        switch question.type {
        case .ordering: question.key = .options(order)
        case .multiChoice:
            let rightCount = Int.random(in: 1...count, using: &random)
            question.key = .options(order.prefix(rightCount).sorted())
        default: question.key = .options([order[0]])
        }
    }

    /// Returns a text with a visible word between pieces of any kind.
    private static func text(
        _ word: String, using random: inout some RandomNumberGenerator
    ) -> String {
        let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
        }
        // Half of the texts have no white space at their ends, which GIFT could not say.
        let begin = Bool.random(using: &random) ? (pieces.randomElement(using: &random) ?? "") : ""
        return begin + word + parts.joined()
            + (Int.random(in: 0..<8, using: &random) == 0 ? "" : word)
    }
}
