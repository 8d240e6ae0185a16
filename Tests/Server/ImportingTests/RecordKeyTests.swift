import ContentModel
import Importing
import Testing

/// The keys of tables and lists: indices, letters and texts.
@Suite struct RecordKeyTests {
    private func read(
        _ text: String, _ format: ImportFormat = .json, keys: KeyReading? = nil
    ) throws -> ImportResult {
        var importer = QuestionImporter()
        importer.settings.keys = keys
        let result = try importer.read(Array(text.utf8), file: "bank", format: format)
        #expect(result.foundCount == result.questions.count + result.skipped.count)
        return result
    }

    @Test func anIntegerIsAnIndexAlsoWhereOptionsAreNumbers() throws {
        let result = try read(
            """
            [{"question": "1 + 1?", "options": ["1", "2", "3"], "answer": 1},
             {"question": "1 - 1?", "options": ["0", "1", "2"], "answer": 0}]
            """)
        #expect(result.questions.map(\.correct) == [[1], [0]])
    }

    @Test func aBankThatCountsFromOneIsRecognisedAndSaid() throws {
        let result = try read(
            """
            [{"question": "1 + 1?", "options": ["1", "2", "3"], "answer": 2},
             {"question": "1 + 2?", "options": ["1", "2", "3"], "answer": 3}]
            """)
        #expect(result.questions.map(\.correct) == [[1], [2]])
        #expect(
            result.notes.map(\.message) == [
                "the keys count from 1, since some equal the number of options"
            ])
    }

    @Test func whatNothingTellsIsAskedAndCanBeDecided() throws {
        let bank = #"[{"question": "Which?", "options": ["x", "y", "z"], "answer": 1}]"#
        let error = #expect(throws: ImportError.self) { try read(bank) }
        #expect(error?.reason.contains("is from 0: \"y\", from 1: \"x\"") == true)
        #expect(error?.reason.contains("say --keys from-0 or --keys from-1") == true)
        let decided = try read(bank, keys: .fromOne)
        #expect(decided.questions.map(\.correct) == [[0]] && decided.notes.isEmpty)
    }

    @Test func oneKeyThatCountsOtherwiseAmongManyIsRefusedAlone() throws {
        func bank(_ keys: [Int]) -> String {
            let records = keys.enumerated().map { index, key in
                "{\"question\": \"Q\(index)?\", \"options\": [\"x\", \"y\"], \"answer\": \(key)}"
            }
            return "[" + records.joined(separator: ",") + "]"
        }
        let eight = Array(repeating: 0, count: 8)
        let stray = try read(bank(eight + [2] + eight))
        #expect(stray.questions.count == 16 && stray.skipped.map(\.place) == ["line 1"])
        #expect(throws: ImportError.self) { try read(bank(eight + [2, 2] + eight)) }
        #expect(throws: ImportError.self) { try read(bank([2] + eight + eight)) }
    }

    @Test func anotherFieldDecidesWhereNumbersBegin() throws {
        let result = try read(
            #"[{"question": "A?", "options": ["x", "y", "z"], "correctIndex": 1, "answer": "B"}]"#)
        #expect(result.questions.map(\.correct) == [[1]])
        let other = try read(
            #"[{"question": "A?", "options": ["x", "y", "z"], "correctIndex": 1, "answer": "C"}]"#)
        #expect(other.questions.isEmpty)
        #expect(other.skipped.first?.reason.contains("name different options") == true)
    }

    @Test func aFlagAndAFieldThatDisagreeRefuseTheQuestion() throws {
        let text = """
            [{"question": "A?", "answer": "A",
              "options": [{"text": "x", "isCorrect": false}, {"text": "y", "isCorrect": true}]}]
            """
        let result = try read(text)
        #expect(result.questions.isEmpty)
        #expect(
            result.skipped.map(\.reason) == [
                "its field answer (\"A\") and the flags of its options (\"y\") name different options as right"
            ])
        #expect(try read(text, keys: .flags).questions.map(\.correct) == [[1]])
        #expect(try read(text, keys: .letters).questions.map(\.correct) == [[0]])
    }

    @Test func aReadingThatNoKeyFitsIsAnError() {
        let bank = #"[{"question": "Which?", "options": ["x", "y"], "answer": "x"}]"#
        let error = #expect(throws: ImportError.self) { try read(bank, keys: .letters) }
        #expect(error?.reason.contains("no key that --keys letters reads") == true)
    }

    @Test func flagsForEachOptionAreAKey() throws {
        for key in ["[true, false, true]", "[1, 0, 1]", "\"1 0 1\"", "\"1,0,1\""] {
            let result = try read(
                "[{\"question\": \"Which?\", \"options\": [\"x\", \"y\", \"z\"], \"correct\": \(key)}]"
            )
            #expect(result.questions.map(\.correct) == [[0, 2]], "\(key)")
            #expect(result.profile?.keys == [.flags])
        }
    }

    @Test func aNumberWithoutOptionsIsAnEntryOnlyIfNothingMayBeItsOptions() throws {
        let entry = try read(#"[{"question": "How many legs has a cat?", "answer": 4}]"#)
        #expect(entry.questions.map { $0.correctNumber?.notation } == ["4"])
        for record in [
            #"{"question": "Which? 1) x 2) y", "answer": 2}"#,
            #"{"question": "Which?", "auswahl": ["x", "y"], "answer": 1}"#,
        ] {
            let result = try read("[\(record)]")
            #expect(result.questions.isEmpty && result.skipped.count == 1)
        }
    }

    @Test func aLetterIsTrueOrFalseOnlyWhereNoQuestionLacksItsOptions() throws {
        let plain = #"{"question": "Iron rusts.", "answer": "T"}"#
        let result = try read("[\(plain), {\"question\": \"Ice sinks.\", \"answer\": \"falsch\"}]")
        #expect(
            result.questions.map { $0.options.map(\.text) } == [
                ["True", "False"], ["True", "False"],
            ])
        #expect(result.questions.map(\.correct) == [[0], [1]])
        #expect(result.notes.contains { $0.message.hasPrefix("2 questions without options") })
        let mixed = try read("[\(plain), {\"question\": \"Which? A) x B) y\", \"answer\": \"B\"}]")
        #expect(mixed.questions.isEmpty && mixed.skipped.count == 2)
    }

    @Test func theProfileSaysWhy() throws {
        let result = try read(
            """
            [{"question": "1?", "options": ["A", "O", "B"], "answer": "B"},
             {"question": "2?", "options": ["x", "y", "z"], "answer": "C"}]
            """)
        #expect(result.profile?.lines == ["keys: letters (2 of 2 fit), 1 also fit texts"])
        #expect(result.profile?.decisive == ["letters": 1])
    }

    @Test func keysThatCountFromBothAreRefused() {
        let error = #expect(throws: ImportError.self) {
            try read(
                """
                [{"question": "A?", "options": ["x", "y"], "answer": 0},
                 {"question": "B?", "options": ["x", "y"], "answer": 2}]
                """)
        }
        #expect(error?.description.contains("--keys from-") == true)
    }

    @Test func aKeyBeyondTheOptionsIsSkippedWithAReason() throws {
        let result = try read(
            """
            [{"question": "A?", "options": ["x", "y"], "answer": 0},
             {"question": "B?", "options": ["x", "y"], "answer": 9223372036854775807},
             {"question": "C?", "options": ["x", "y"], "answer": -9223372036854775808}]
            """)
        #expect(result.questions.count == 1 && result.skipped.count == 2)
        #expect(result.skipped.allSatisfy { $0.reason.contains("names no option") })
    }

    @Test func aLetterThatDisagreesWithTheIndexIsARefusal() throws {
        let result = try read(
            """
            [{"question": "A?", "options": ["x", "y"], "correctIndex": 0, "answer": "B"},
             {"question": "B?", "options": ["x", "y"], "correctIndex": 1, "answer": "B"},
             {"question": "C?", "options": ["x", "y"], "answer": "y", "solution": "Because y is last."}]
            """)
        #expect(result.questions.map(\.stem) == ["B?", "C?"])
        #expect(result.questions.allSatisfy { $0.correct == [1] })
        #expect(
            result.skipped.map(\.reason) == [
                "its field answer (\"B\") and its field correctIndex (\"0\") name different options as right"
            ])
    }

    @Test func aTextStaysATextInATable() throws {
        let result = try read(
            """
            question,A,B,C,answer
            Half of 6?,2,3,4,3
            Half of 8?,2,3,4,4
            Half of 10?,4,5,6,5
            Which letter?,x,y,z,B
            """, .csv)
        #expect(result.questions.map(\.correct) == [[1], [2], [1], [1]])
        let open = try read("question,A,B,C,answer\nHalf of 6?,2,3,4,3\nWhich?,x,y,z,B\n", .csv)
        #expect(open.questions.map(\.correct) == [[1]])
    }

    @Test func fieldsThatAreNotReadAreListedOnceWithTheirCount() throws {
        let result = try read(
            """
            [{"question": "A?", "options": ["x", "y"], "answer": 0, "passage": "Long.", "refs": []},
             {"question": "B?", "options": ["x", "y"], "answer": 0, "passage": "Longer."},
             {"question": "C?", "options": ["x", "y"], "answer": 0, "figure": "f.png"}]
            """)
        let fields = result.notes.map(\.message).filter { $0.hasPrefix("the field") }
        #expect(fields.count == 3)
        #expect(
            fields[0]
                == "the field \"passage\" of 2 records is not read"
        )
        #expect(fields.contains { $0.hasPrefix("the field \"figure\" of 1 record ") })
    }

    @Test(arguments: [
        (#""options": ["a", null, "c"], "answer": 3"#, "c"),
        (#""options": ["a", "", "c", "d"], "answer": "C""#, "c"),
        (#""options": {"A": "a", "B": null, "C": "c", "D": "d"}, "answer": "C""#, "c"),
        (
            #""options": [{"id": "u"}, {"id": "v", "text": "b"}, {"id": "w", "text": "c"}], "answer": "v""#,
            "b"
        ),
        (
            #""options": [{"id": "u", "text": "a"}, {"id": "v"}, {"id": "w", "text": "c"}], "answer": "w""#,
            "c"
        ),
        (#""option_a": "a", "option_b": "", "option_c": "c", "option_d": "d", "answer": "C""#, "c"),
        (#""answer1": "a", "answer2": null, "answer3": "c", "answer4": "d", "answer": "3""#, "c"),
        (#""options": {"1": "a", "2": "b", "3": "c"}, "answer": 2"#, "b"),
    ])
    func anOptionWithoutATextMovesNoKey(fields: String, right: String) throws {
        let question = try read("[{\"question\": \"Which?\", \(fields)}]").questions.first
        let key = try #require(question)
        #expect(key.correct.map { key.options[$0].text } == [right])
        #expect(!key.options.contains { $0.text.isEmpty })
    }

    @Test(arguments: [
        #""options": [null, "b", "c"], "answer": 0"#,
        #""options": {"A": "a", "B": null, "C": "c"}, "answer": "B""#,
        #""options": {"A": "a", "B": "b", "C": null}, "answer": "C""#,
    ])
    func aKeyWithoutATextIsRefused(fields: String) throws {
        let result = try read("[{\"question\": \"Which?\", \(fields)}]")
        #expect(result.questions.isEmpty)
        #expect(result.skipped.first?.reason.contains("its key") == true)
    }

    @Test func emptyOptionsAtTheEndDoNotHideThatKeysCountFromOne() throws {
        let result = try read(
            #"[{"question": "Which?", "options": ["a", "b", null], "answer": 2}]"#)
        #expect(result.questions.map(\.correct) == [[1]])
    }

    private func table(_ rows: [String], columns: String) throws -> [[String]] {
        let text = (["Question,\(columns),Answer"] + rows).joined(separator: "\n")
        return try read(text, .csv).questions.map { q in q.correct.map { q.options[$0].text } }
    }

    @Test(arguments: ["Option 1,Option 2,Option 3,Option 4", "A,B,C,D"])
    func numbersAreTextsWhereOneCanOnlyBeThat(columns: String) throws {
        let legs = ["Cat?,2,3,4,6,4", "Bird?,3,2,4,8,2", "Ant?,2,4,8,6,6"]
        #expect(try table(legs, columns: columns) == [["4"], ["2"], ["6"]])
        let places = ["Cat?,2,3,4,6,3", "Which?,a,b,c,d,4"]
        #expect(try table(places, columns: columns) == [["4"], ["d"]])
    }

    @Test(arguments: ["Option 1,Option 2,Option 3,Option 4", "A,B,C,D"])
    func aNumberThatIsThePlaceOfOneAndTheTextOfAnotherIsRefused(columns: String) throws {
        let text = "Question,\(columns),Answer\nCat?,2,3,4,6,4\nBird?,1,2,4,6,2\nWhich?,a,b,c,d,A\n"
        let result = try read(text, .csv)
        #expect(result.skipped.map(\.place) == ["line 2"] || columns == "A,B,C,D")
        #expect(result.skipped.contains { $0.reason.contains("--keys texts") })
        let chosen = try read(text, .csv, keys: .fromOne)
        #expect(chosen.questions.map(\.correct) == [[3], [1], [0]])
    }

    @Test func numbersKeepTheirSpelling() throws {
        let yaml = "- question: Which?\n  options: [1.10, 1.9, 1e3, 010, -5, 2]\n  answer: 1.10\n"
        let question = try read(yaml, .yaml).questions.first
        #expect(question?.options.map(\.text) == ["1.10", "1.9", "1e3", "010", "-5", "2"])
        #expect(question?.correct == [0])
        let json = #"[{"question": "é?", "options": [3.50, 1E2, 7], "answer": 0}]"#
        #expect(try read(json).questions.first?.options.map(\.text) == ["3.50", "1E2", "7"])
        #expect(
            try read(String(json.dropFirst().dropLast()), .jsonLines).questions.first?.options
                .map(\.text) == ["3.50", "1E2", "7"])
    }

    @Test func theKeyOfKahootCountsItsColumns() throws {
        let text = """
            Question - max 120 characters,Answer 1 - max 75 characters,Answer 2 - max 75 characters,Answer 3 - max 75 characters,Correct answer(s) - choose at least one
            One?,a,b,,2
            Gap?,a,,c,3
            None?,a,b,,3
            """
        let result = try read(text, .csv)
        #expect(result.questions.map(\.correct) == [[1], [1]])
        #expect(result.skipped.map(\.reason) == ["its key 3 names no option; it has 2 options"])
        #expect(!result.notes.contains { $0.message.contains("count from") })
    }

    @Test func aLineThatNamesTheSeparatorIsNoHeader() throws {
        let result = try read("sep=;\nquestion;A;B;answer\nWhich, then?;x;y;B\n", .csv)
        #expect(result.questions.map(\.stem) == ["Which, then?"])
    }

    @Test func moreOptionsThanAQuestionMayHaveAreRefusedBeforeTheirKeys() throws {
        let list = (0..<50_000).map { "\"o\($0)\"" }.joined(separator: ",")
        let clock = ContinuousClock()
        var result: ImportResult?
        let time = try clock.measure {
            result = try read(
                "[{\"question\": \"Which?\", \"options\": [\(list)], \"answer\": [\(list)]}]")
        }
        #expect(result?.skipped.map(\.reason) == ["it has 50000 options; 64 are allowed"])
        #expect(time < .seconds(30), "took \(time)")
    }
}

/// Texts that are HTML, and texts that speak of it.
@Suite struct SourceTextFormTests {
    private func stems(
        _ list: [String], options: [String] = ["x", "y"], form: SourceTextForm? = nil
    ) throws -> [String] {
        let options = JSONValue.array(options.map { .string($0) })
        let json = JSONValue.array(
            list.map { ["question": .string($0), "options": options, "answer": 0] })
        var importer = QuestionImporter()
        importer.settings.textForm = form
        return try importer.read(json.canonicalBytes, file: "bank", format: .json).questions.map(
            \.stem)
    }

    @Test func aBankAboutHTMLComesInExact() throws {
        let bank = [
            "What does the <br> tag do?", "What does the `<b>x</b>` element do?",
            "Which hook runs after <App /> mounts?", "What is Array<Int>?",
            "When is a < b && b > c?",
            "What does &nbsp; stand for?",
        ]
        #expect(try stems(bank, options: ["<b>", "<i>"]) == bank)
        var importer = QuestionImporter()
        let options = try importer.read(
            Array(#"[{"question": "Bold?", "options": ["<b>", "<i>", "<em>"], "answer": 0}]"#.utf8),
            file: "bank", format: .json)
        #expect(options.questions[0].options.map(\.text) == ["<b>", "<i>", "<em>"])
    }

    @Test func aBankInHTMLIsRead() throws {
        #expect(
            try stems(["<p>What is <b>this</b>?</p>", "<p>And &lt;that&gt;?</p>", "Plain?"])
                == ["What is this?", "And <that>?", "Plain?"])
        #expect(
            try stems(["Who wrote &quot;Faust&quot;?", "Who?"]) == ["Who wrote \"Faust\"?", "Who?"])
    }

    @Test func theAuthorDecides() throws {
        #expect(
            try stems(["What does the <br> tag do?"], form: .html) != ["What does the <br> tag do?"]
        )
        #expect(try stems(["<p>One</p>"], form: .plain) == ["<p>One</p>"])
    }

    @Test func aTextWithoutMarkupKeepsItsSpaceBesideHTML() throws {
        let code = "What does it print?\nfor i in 1...3 {\n    print(i)\n}"
        #expect(
            try stems(["<p>What is <b>this</b>?</p>", "<p>And that?</p>", code])
                == ["What is this?", "And that?", code])
    }

    @Test func theFormIsSaidWhereATextSpeaksAgainstIt() throws {
        let notes = try imported(
            #"[{"question": "<p>What?</p>", "options": ["<b>", "<i>", "<a>"], "answer": 0}]"#, .json
        ).notes.map(\.message)
        #expect(notes.contains { $0.hasPrefix("1 text has tags") && $0.contains("--text html") })
    }

    @Test func theFormOfALongTextIsDecidedInLinearTime() throws {
        let clock = ContinuousClock()
        var formed: [String] = []
        let time = try clock.measure {
            formed = try stems(["<p>" + String(repeating: "x", count: 200_000), "Which?"])
        }
        #expect(time < .seconds(30), "took \(time), \(formed.count) stems")
    }
}
