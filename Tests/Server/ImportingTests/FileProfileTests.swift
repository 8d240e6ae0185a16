import ContentModel
import Importing
import Testing

/// What is decided about a whole file before its questions are read, and the options that decide it.
@Suite struct FileProfileTests {
    private func read(
        _ text: String, _ format: ImportFormat = .csv,
        _ change: (inout ImportSettings) -> Void = { _ in }
    ) throws -> ImportResult {
        var settings = ImportSettings()
        change(&settings)
        return try imported(Array(text.utf8), format, settings: settings)
    }

    private func right(_ result: ImportResult) -> [[String]] {
        result.questions.map { question in question.correct.map { question.options[$0].text } }
    }

    // MARK: Tables

    @Test(arguments: [
        "Frage;Antwort A;Antwort B;Antwort C;Richtig;Erklärung",
        "Fragetext;Antwort 1;Antwort 2;Antwort 3;Richtige Antwort;Begründung",
        "Pregunta;Opción A;Opción B;Opción C;Respuesta correcta;Explicación",
        "Question;Réponse A;Réponse B;Réponse C;Bonne réponse;Explication",
        "Domanda;Risposta A;Risposta B;Risposta C;Corretta;Spiegazione",
        "问题;选项A;选项B;选项C;答案;解析",
    ])
    func headersOfOtherLanguagesAreKnown(header: String) throws {
        let key = header.contains("1") ? "2" : "B"
        let result = try read("\(header)\nWelches?;Sauerstoff;Eisen;Helium;\(key);Darum.\n")
        #expect(right(result) == [["Eisen"]])
        #expect(result.questions.first?.explanation == "Darum." && result.notes.isEmpty)
    }

    private func rows(_ count: Int, _ line: (Int) -> String) -> String {
        (0..<count).map(line).joined(separator: "\n") + "\n"
    }

    @Test func columnsAreFoundByTheirContentInTenRows() throws {
        let header = "Kysymys,Vaihtoehto A,Vaihtoehto B,Oikea,Luku\n"
        let text =
            header + rows(10) { "Mikä on \($0)?,yksi \($0),kaksi \($0),\(["A", "B"][$0 % 2]),9\n" }
        let result = try read(text)
        #expect(right(result) == (0..<10).map { [$0 % 2 == 0 ? "yksi \($0)" : "kaksi \($0)"] })
        #expect(result.profile?.columns["correct"] == ["Oikea"])
        #expect(result.notes.contains { $0.message.contains("by their content") })
        let few = #expect(throws: ImportError.self) {
            try read(header + "Mikä?,yksi,kaksi,A,9\n")
        }
        #expect(
            few?.reason.contains(
                "--map \"stem=Kysymys\" \"option_a=Vaihtoehto A\" \"option_b=Vaihtoehto B\" \"correct=Oikea\""
            ) == true)
    }

    @Test func twoColumnsThatMayBeTheKeyAreAskedAbout() throws {
        let text =
            "Kysymys,Vaihtoehto A,Vaihtoehto B,Oikea,Ryhmä\n"
            + rows(12) { "Mikä \($0)?,yksi,kaksi,\(["A", "B"][$0 % 2]),\(["B", "A"][$0 % 2])" }
        let error = #expect(throws: ImportError.self) { try read(text) }
        #expect(error?.reason.contains("\"Oikea\" and \"Ryhmä\"") == true)
    }

    @Test func aFirstRowThatIsAQuestionIsOne() throws {
        let text = "Which is a metal?,Oxygen,Iron,Neon,B\nWhich is a gas?,Neon,Zinc,Gold,A\n"
        let result = try read(text)
        #expect(right(result) == [["Iron"], ["Neon"]] && result.foundCount == 2)
        #expect(result.profile?.hasHeader == false)
        #expect(result.notes.contains { $0.message.contains("--header yes") })
        let numbered = try read("1;One?;iron;neon;zinc;B\n2;Two?;iron;neon;zinc;C\n")
        #expect(right(numbered) == [["neon"], ["zinc"]])
    }

    @Test func theUserDecidesAboutTheHeader() throws {
        let text = "Which is a metal?,Oxygen,Iron,Neon,B\nWhich is a gas?,Neon,Zinc,Gold,A\n"
        #expect(try read(text) { $0.hasHeader = true }.foundCount == 1)
        let mapped = try read("Who?,a,b,A\nWhat?,c,d,B\n") {
            $0.hasHeader = false
            $0.mapping = [
                "stem": "column 1", "option_a": "column 2", "option_b": "column 3",
                "correct": "column 4",
            ]
        }
        #expect(right(mapped) == [["a"], ["d"]])
    }

    @Test func theSeparatorGivesMostRowsOneWidth() throws {
        let texts = "question;A;B;answer\nOne, two, or three?;1,5;2,5;B\nFour, or five?;a,b;c,d;A\n"
        #expect(right(try read(texts)) == [["2,5"], ["a,b"]])
        #expect(right(try read("question|A|B|answer\nWhich?|x|y|B\n")) == [["y"]])
        let quoted = "question;A;B;answer\n\"a \"\"b\"\"; c\nd\";x;y;A\nWhich?;x;y;B\n"
        #expect(try read(quoted).questions.map(\.stem) == ["a \"b\"; c\nd", "Which?"])
        let inside = "question,A,B,answer\n\"Which?\n| a | b |\n| c | d |\n| e | f |\",x,y,A\n"
        #expect(right(try read(inside)) == [["x"]])
        let chosen = try read("question;A;B;answer,x\nWhich?;x;y;B,1\n") { $0.separator = ";" }
        #expect(chosen.foundCount == 1)
    }

    @Test func answersOfPeopleAreNoQuestions() {
        let text =
            "Aikaleima,Which is a metal?\n2026-01-02 10:00:00,Iron\n2026-01-03 10:00:00,Zinc\n"
        let error = #expect(throws: ImportError.self) { try read(text) }
        #expect(error?.reason.contains("underway analyse") == true)
    }

    // MARK: Numbers and values

    @Test func aDecimalCommaIsReadWhereNoNumberHasAPoint() throws {
        let header = "question;correct;tolerance;unit\n"
        let result = try read(header + "How many?;2,5;0,1;l\nHow long?;3;;m\n")
        #expect(result.questions.map { $0.correctNumber?.text } == ["2.5 ± 0.1 l", "3 m"])
        #expect(result.profile?.decimal == .comma)
        #expect(result.notes.map(\.message) == ["the numbers were read with a decimal comma"])
        let both = try read(header + "How many?;2,5;;\nHow long?;2.5;;\n")
        #expect(both.questions.map { $0.correctNumber?.text } == ["2.5"] && both.skipped.count == 1)
        let chosen = try read(header + "How many?;2,5;;\nHow long?;2.5;;\n") { $0.decimal = .comma }
        #expect(chosen.questions.count == 2)
    }

    @Test func aToleranceOfAQuestionWithOptionsIsListedAsUnread() throws {
        let result = try read("question,A,B,answer,tolerance\nWhich?,x,y,A,5\n")
        #expect(result.notes.contains { $0.message.contains("\"tolerance\" of 1 record") })
    }

    @Test func codedValuesAreDecodedOnlyWhereAllAre() throws {
        func record(_ stem: String) -> String {
            #"{"question": "\#(stem)", "correct_answer": "SXJvbg==", "incorrect_answers": ["TmVvbg=="]}"#
        }
        let coded = "V2hpY2ggaXMgYSBtZXRhbD8="
        let result = try read("[\(record(coded))]", .json)
        #expect(result.questions.map(\.stem) == ["Which is a metal?"])
        #expect(right(result) == [["Iron"]] && result.profile?.values == .base64)
        let mixed = try read("[\(record(coded)), \(record("Which?"))]", .json)
        #expect(mixed.questions.map(\.stem) == [coded, "Which?"])
        let chosen = try read("[\(record(coded))]", .json) { $0.values = .asTyped }
        #expect(chosen.questions.map(\.stem) == [coded])
        #expect(throws: ImportError.self) {
            try read("[\(record("Which one?").replacing("==", with: "!"))]", .json) {
                $0.values = .base64
            }
        }
    }

    // MARK: Letters and numbers before texts

    @Test func numbersBeforeQuestionsGoIfTheyAscend() throws {
        func table(_ stems: [String]) throws -> [String] {
            try read("question,A,B,answer\n" + stems.map { "\($0),x,y,A\n" }.joined()).questions
                .map(\.stem)
        }
        #expect(try table(["1. One?", "2. Two?", "12. Three?"]) == ["One?", "Two?", "Three?"])
        #expect(try table(["Q1: One?", "Question 2: Two?"]) == ["One?", "Two?"])
        #expect(try table(["2. Bundesliga?", "1. FC Köln?"]) == ["2. Bundesliga?", "1. FC Köln?"])
        #expect(try table(["3. One?", "Two?"]) == ["3. One?", "Two?"])
    }

    @Test func theUserDecidesAboutLetters() throws {
        let text = "question,A,B,answer\nWho?,A. Turing,B. Russell,A\n"
        let kept = try read(text) { $0.letters = .keep }
        #expect(kept.questions[0].options.map(\.text) == ["A. Turing", "B. Russell"])
        #expect(!kept.questions[0].shufflesOptions && kept.profile?.letters == .keep)
        let removed = try read(text)
        #expect(removed.questions[0].options.map(\.text) == ["Turing", "Russell"])
        #expect(throws: ImportError.self) {
            try read("question,A,B,answer\nWho?,x,y,A\n") { $0.letters = .remove }
        }
    }

    @Test func theUserChoosesLists() throws {
        let text = """
            {"easy": [{"question": "1?", "options": ["a", "b"], "answer": "A"}],
             "hard": [{"question": "2?", "options": ["a", "b"], "answer": "B"}]}
            """
        let result = try read(text, .json) { $0.lists = ["$.hard"] }
        #expect(result.questions.map(\.stem) == ["2?"])
        #expect(result.profile?.unreadLists.map(\.path) == ["$.easy"])
        let error = #expect(throws: ImportError.self) {
            try read(text, .json) { $0.lists = ["$.other"] }
        }
        #expect(error?.reason.contains("its lists are $.easy, $.hard") == true)
        #expect(
            try read(text, .json).profile?.lines.first == "questions in $.easy (1), $.hard (1)")
    }
}
