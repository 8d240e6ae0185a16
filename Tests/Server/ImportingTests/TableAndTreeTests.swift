import ContentModel
import Foundation
import Importing
import Testing

@Suite struct TableImportTests {
    @Test func columnsOfManyKinds() throws {
        let result = try imported(
            """
            Question;A;B;C;Answer;Category
            "What; exactly?";one;"two
            lines";three;B;maths
            Which?;x;y;;A;Two words
            Broken;x;y;;D;maths
            """.replacing("Question", with: "question"), .csv,
            mapping: ["correct": "Answer", "domain": "Category"])
        #expect(result.questions.count == 2)
        #expect(result.questions[0].stem == "What; exactly?" && result.questions[0].correct == [1])
        #expect(result.questions[0].options[1].text == "two\nlines")
        #expect(result.questions[0].domain == "maths")
        #expect(result.questions[1].options.count == 2 && result.questions[1].tags == ["Two words"])
        #expect(
            result.skipped == [
                .init(
                    place: "line 5", code: .keyUnknown, reason: "its key \"D\" names no option",
                    text: "Broken")
            ])
    }

    @Test func aQuoteThatNeverEndsIsAnError() {
        #expect(throws: ImportError.self) { try imported("stem,a\n\"open,b\n", .csv) }
    }

    @Test func listsOfMapsInOtherShapes() throws {
        let trivia = """
            {"response_code": 0, "results": [
              {"category": "History", "type": "multiple", "difficulty": "easy",
               "question": "Who wrote &quot;Faust&quot;?", "correct_answer": "Goethe",
               "incorrect_answers": ["Schiller", "Lessing", "Kleist"]},
              {"question": "Index?", "options": ["a", "b"], "answer": 0},
              {"question": "Map?", "choices": {"A": "x", "B": "y"}, "answer": "B"},
              {"question": "Flags?", "answers": [{"text": "x", "isCorrect": true}, {"text": "y"}]},
              {"question": "No key?", "options": ["a", "b"]},
              {"nothing": true}
            ]}
            """
        let result = try imported(trivia, .json)
        #expect(result.questions.map(\.correct) == [[0], [0], [1], [0]])
        #expect(result.questions[0].stem == "Who wrote \"Faust\"?")
        #expect(result.questions[0].difficulty == 2 && result.questions[0].domain == "History")
        #expect(
            result.skipped.map(\.reason) == [
                "it has no field for the key; its fields are \"options\", \"question\"",
                "it has no field for the question; its fields are \"nothing\"; --map names it, as in --map \"stem=nothing\"",
            ])
    }

    @Test func ourOwnShapeIsCheckedByOurRules() throws {
        let yaml = """
            questions:
              - id: one
                type: single-choice
                difficulty: 2
                stem: One?
                options: [{ id: a, text: A }, { id: b, text: B }]
                correct: [0]
              - id: two
                type: single-choice
                difficulty: 9
                stem: Two?
                options: [{ id: a, text: A }, { id: b, text: B }]
                correct: [7]
            """
        let result = try imported(yaml, .yaml)
        #expect(result.questions.map(\.id) == ["one"])
        #expect(result.skipped.map(\.place) == ["line 8"])
        #expect(throws: ImportError.self) { try imported("{\"a\": 1}", .json) }
        #expect(throws: ImportError.self) { try imported("[1, ", .json) }
    }

    @Test func encodingsAreFoundOutAndStated() throws {
        let text = "Größe?\nA. groß\nB. klein\nANSWER: A\n"
        let cases: [(Data?, String)] = [
            (text.data(using: .utf8), "UTF-8"),
            (Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), "UTF-8 with a byte order mark"),
            (text.data(using: .utf16LittleEndian), "UTF-16LE"),
            (Data([0xFE, 0xFF]) + (text.data(using: .utf16BigEndian) ?? Data()), "UTF-16BE"),
            (text.data(using: .windowsCP1252), "Windows-1252"),
        ]
        for (data, encoding) in cases {
            let result = try imported([UInt8](#require(data)), .aiken)
            #expect(result.encoding == encoding)
            #expect(result.questions.map(\.stem) == ["Größe?"], "\(encoding)")
        }
        #expect(throws: ImportError.self) { try imported([0x41, 0x81, 0x8D, 0xFF], .aiken) }
        #expect(throws: ImportError.self) { try imported([0, 0, 0, 1, 2, 3], .aiken) }
    }

    @Test func idsStayUniqueAcrossImports() throws {
        var importer = QuestionImporter()
        let text = "::same::One?{=a ~b}\n\n::same::Two?{=a ~b}\n\nThree?{=a ~b}"
        let first = try importer.read(Array(text.utf8), file: "one.gift")
        #expect(first.questions.map(\.stem) == ["One?", "Two?", "Three?"])
        #expect(first.questions.prefix(2).map(\.id) == ["same", "same-2"])
        #expect(first.notes.map(\.place) == ["line 3"] && first.skipped.isEmpty)
        let second = try importer.read(Array(text.utf8), file: "two.gift")
        #expect(second.questions.isEmpty && second.foundCount == 3)
        #expect(second.skipped.count { $0.reason.contains("there already") } == 3)
    }

    @Test func strangeTextStaysAsItIs() throws {
        let text = "::rtl::מה זה \u{202B}abc\u{202C}\u{200D}?{=כן ~לא}\n\n::blank::\u{200B}{=a ~b}"
        let result = try imported(text, .gift)
        #expect(result.questions.map(\.stem) == ["מה זה \u{202B}abc\u{202C}\u{200D}?"])
        #expect(result.skipped.map(\.reason) == ["the stem is blank"])
    }

    @Test func aFileOfNoKnownFormatIsRefused() {
        #expect(throws: ImportError.self) { try imported(Array("hello".utf8), nil, file: "x.txt") }
    }
}
