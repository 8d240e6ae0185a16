import ContentModel
import Importing
import Testing

/// What other programs write beside a usual question: lists in lists, type words, entries, entities, cards.
@Suite struct ForeignShapeTests {
    @Test func listsAreFoundAtAnyDepthAndOthersAreNamed() throws {
        let result = try imported(
            """
            {"questions": [{"question": "1?", "options": ["a", "b"], "answer": "A"}],
             "more": {"part 2": [{"question": "2?", "options": ["a", "b"], "answer": "B"}]},
             "topics": [{"name": "t", "items": [{"question": "3?", "options": ["c", "d"], "answer": "B"}]}],
             "authors": [{"name": "x"}]}
            """, .json)
        #expect(result.questions.map(\.stem) == ["1?", "2?", "3?"] && result.foundCount == 3)
        #expect(result.questions.map(\.tags) == [[], ["part 2"], []])
        let unread = result.notes.map(\.message).filter { $0.contains("was not read") }
        #expect(unread.count == 2 && unread.contains { $0.contains("$.authors with 1 entry") })
    }

    @Test func listsOfYAMLAreRead() throws {
        let result = try imported(
            """
            easy:
              - question: Which is a metal?
                options: [Oxygen, Iron]
                answer: B
            hard:
              - question: Which is a gas?
                options: [Neon, Zinc]
                answer: A
            """, .yaml)
        #expect(result.questions.map(\.correct) == [[1], [0]])
    }

    @Test(arguments: ["jumble", "match", "order", "essay"])
    func aTypeWithoutAKeyOfOursIsRefused(word: String) throws {
        let choices = #"[{"answer": "a", "correct": true}, {"answer": "b", "correct": true}]"#
        let result = try imported(
            """
            [{"type": "\(word)", "question": "Put in order", "choices": \(choices)},
             {"type": "quiz", "question": "Which?", "choices": [{"answer": "c", "correct": true}, {"answer": "d"}]}]
            """, .json)
        #expect(result.questions.map(\.stem) == ["Which?"] && result.skipped.count == 1)
    }

    @Test func wordsOfOtherProgramsForTypesAreKnown() throws {
        func record(_ type: String, _ key: String) -> String {
            #"{"type": "\#(type)", "question": "\#(type)?", "options": ["a", "b", "c"], "answer": "\#(key)"}"#
        }
        let words = [
            ("single choice", "B"), ("checkbox", "C"), ("multiple", "A"), ("MCQ", "A, B"),
            ("radio", "A, B"),
        ]
        let text = "[" + words.map { record($0.0, $0.1) }.joined(separator: ",") + "]"
        let result = try imported(text, .json)
        #expect(
            result.questions.map(\.type) == [
                .singleChoice, .multiChoice, .singleChoice, .multiChoice,
            ])
        #expect(result.skipped.map(\.place) == ["line 1"])
    }

    private func entry(_ type: String, _ values: [String], mapped: [(String, Int)]) -> String {
        let mapping = mapped.map { "<mapEntry mapKey=\"\($0.0)\" mappedValue=\"\($0.1)\"/>" }
        return """
            <assessmentItem identifier="i"><responseDeclaration identifier="R" cardinality="single" baseType="\(type)">\
            <correctResponse>\(values.map { "<value>\($0)</value>" }.joined())</correctResponse>\
            <mapping>\(mapping.joined())</mapping></responseDeclaration><itemBody><p>g? \
            <textEntryInteraction responseIdentifier="R"/></p></itemBody></assessmentItem>
            """
    }

    @Test func acceptedValuesOfAnEntryNeverVanish() throws {
        let one = try imported(entry("float", ["26"], mapped: [("26.0", 1)]), .qti)
        #expect(one.questions.count == 1 && one.notes.isEmpty)
        for text in [
            entry("float", ["26", "27"], mapped: []),
            entry("integer", ["26"], mapped: [("26", 1), ("27", 1)]),
        ] {
            let result = try imported(text, .qti)
            #expect(result.questions.isEmpty)
            #expect(result.skipped.first?.reason.contains("right are 26, 27") == true)
        }
        let part = try imported(entry("float", ["26"], mapped: [("26", 2), ("25", 1)]), .qti)
        #expect(part.questions.count == 1 && part.notes.contains { $0.message.contains("\"25\"") })
        let words = try imported(
            entry("string", ["iron"], mapped: [("iron", 1), ("Fe", 1)]), .qti)
        #expect(words.skipped.first?.reason.contains("right are iron, Fe") == true)
    }

    @Test func allEntitiesOfHTML4AreRead() throws {
        let names = ["eacute", "Oslash", "thetasym", "there4", "frac34", "hearts", "sup1", "rlm"]
        let text = names.map { "&\($0);" }.joined(separator: "|")
        let result = try imported(
            #"[{"question": "\#(text)?", "options": ["a", "b"], "answer": "A"}]"#, .json)
        #expect(
            result.questions.first?.stem == "é|Ø|\u{3D1}|∴|¾|♥|¹|\u{200F}?")
    }

    @Test func cardsWithoutABackAreRefusedAndLongOnesKeepTheirLines() throws {
        let result = try imported(
            "#separator:tab\n#html:false\nFe\tiron\nNe\n\"Zn\n<b>\"\tzinc\nAu\tgold\n", .cards)
        #expect(result.questions.count == 3 && result.skipped.map(\.place) == ["line 4"])
        #expect(result.questions[1].stem.contains("<b>"))
    }

    @Test func titlesOfGIFTBeginAnewBelowABrace() throws {
        let result = try imported(
            "::1::One? {=a ~b}\n::2::Two? {\n=a\n~b\n}\n$CATEGORY: top/c\n::3::Three? {T}\n", .gift)
        #expect(result.questions.map(\.stem) == ["One?", "Two?", "Three?"])
        #expect(result.questions.map(\.domain) == [nil, nil, "c"])
    }

    @Test func initialsOfPeopleStayInTheirOrder() throws {
        let result = try imported(
            """
            [{"question": "Who?", "options": ["A. Turing", "B. Russell"], "answer": "A. Turing"},
             {"question": "Which?", "options": ["Iron", "Neon"], "answer": "Iron"}]
            """, .json)
        #expect(result.questions[0].options.map(\.text) == ["A. Turing", "B. Russell"])
        #expect(result.questions.map(\.shufflesOptions) == [false, true])
    }
}
