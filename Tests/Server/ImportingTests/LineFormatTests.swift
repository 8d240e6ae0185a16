import ContentModel
import Testing

@testable import Importing

/// Texts of a question on some lines: Aiken, Respondus, Blackboard, Brightspace, cards.
@Suite struct LineFormatTests {
    private func keys(_ result: ImportResult) -> [[String]] {
        result.questions.map { question in question.correct.map { question.options[$0].text } }
    }

    private func read(
        _ text: String, file: String = "bank.txt", settings: ImportSettings = ImportSettings(),
        format: ImportFormat? = nil
    ) throws -> ImportResult {
        try imported(Array(text.utf8), format, file: file, settings: settings)
    }

    // MARK: Aiken

    @Test func optionsOfAikenNeedNoSpace() throws {
        let result = try read("Which?\nA)x\nB)y\nC)z\nANSWER: AC\n")
        #expect(result.format == .aiken && keys(result) == [["x", "z"]])
        let initials = try read("Which?\nA.I. or\nA. x\nB. y\nANSWER: B\n", format: .aiken)
        #expect(initials.questions.first?.stem == "Which?\nA.I. or")
    }

    @Test func aWordIsNoListOfLetters() throws {
        let result = try read("Which?\nA. x\nB. y\nC. z\nD. w\nANSWER: BAD\n")
        #expect(result.questions.isEmpty && result.skipped.count == 1)
    }

    /// The line was read as the beginning of the next question.
    @Test func aLineOfFeedbackBelowTheAnswerIsTheExplanation() throws {
        let one = "Which?\nA. x\nB. y\nANSWER: B\n"
        let result = try read(
            one + "Feedback: Y it is.\nWho?\nA. she\nB. he\nANSWER: A\n\nExplanation: the last?\n"
                + "A. z\nB. w\nANSWER: A\n", format: .aiken)
        #expect(result.questions.map(\.stem) == ["Which?", "Who?", "Explanation: the last?"])
        #expect(result.questions.map(\.explanation) == ["Y it is.", nil, nil])
    }

    // MARK: Respondus

    @Test func starsOfRespondusAreKeys() throws {
        let result = try read(
            """
            A quiz for the first term

            Type: MA
            Points: 2
            1) Which are gases?
            ~ Think of lamps.
            *a) Argon
            @ Yes.
            b) Zinc
            *c) Neon

            Type: E
            2) Why?

            3. Two lines
            of a stem
            a. one
            and more
            *b. two

            Without a number?
            *a. yes
            b. no
            """)
        #expect(result.format == .respondus && result.foundCount == 4)
        #expect(keys(result) == [["Argon", "Neon"], ["two"], ["yes"]])
        #expect(result.questions[0].type == .multiChoice)
        #expect(result.questions[0].options[0].feedback == "Yes.")
        #expect(result.questions[0].explanation == "Think of lamps.")
        #expect(result.questions[1].stem == "Two lines\nof a stem")
        #expect(result.questions[1].options[0].text == "one\nand more")
        #expect(result.skipped.map(\.place) == ["line 12"])
        #expect(result.notes.contains { $0.message.contains("above the first question") })
    }

    @Test func aListOfAnswersAtTheEndIsTheKey() throws {
        let questions = "1. One?\nA. x\nB. y\n\n2. Two?\n*A. x\nB. y\n\n3. Three?\nA. x\nB. y\n"
        let result = try read(questions + "\nAnswers:\n1. B\n2. B\n4. A\n")
        #expect(keys(result) == [["y"]])
        #expect(result.skipped.map(\.reason).contains { $0.contains("different options") })
        #expect(result.skipped.map(\.reason).contains { $0.contains("no answer for its number") })
    }

    @Test func oneAllowedAnswerHasOneStar() throws {
        let result = try read("Type: MC\n1. One?\n*a. x\n*b. y\n\n2. Two?\na. x\nb. y\n")
        #expect(result.questions.isEmpty && result.skipped.count == 2)
    }

    // MARK: Blackboard

    @Test func eachLineOfBlackboardIsAQuestion() throws {
        let result = try read(
            """
            MC\tWhich?\tOxygen\tincorrect\tIron\tcorrect
            MA\tWhich?\tNeon\tcorrect\tZinc\tincorrect\tArgon\tcorrect
            TF\tIron rusts.\tfalse
            ORD\tSort.\tone\ttwo\tthree
            NUM\tHow many?\t26\t0.5
            ESS\tWhy?\t
            MC\tTwo?\ta\tcorrect\tb\tcorrect
            MC\tOdd?\ta\tcorrect\tb
            XYZ\tWhat?
            """)
        #expect(result.format == .blackboard && result.foundCount == 9)
        #expect(
            result.questions.map(\.type.rawValue) == [
                "single-choice", "multi-choice", "single-choice", "ordering", "numeric-entry",
            ])
        #expect(keys(result)[2] == ["False"] && result.questions[3].correct == [0, 1, 2])
        #expect(result.questions[4].correctNumber?.notation == "26:0.5")
        #expect(result.skipped.count == 4)
    }

    // MARK: Brightspace

    @Test func rowsOfBrightspaceAreParts() throws {
        let result = try read(
            """
            //MULTIPLE CHOICE
            NewQuestion,MC,,,
            ID,m-1,,,
            Title,x,,,
            QuestionText,"<p>Which is
            NewQuestion?</p>",HTML,,
            Difficulty,2,,,
            Option,100,Iron,,Yes
            Option,0,Neon,,A gas
            Option,50,Zinc,,
            Feedback,Iron it is.,,,
            NewQuestion,TF,,,
            QuestionText,Iron rusts.,,,
            TRUE,100,,,
            FALSE,0,,,
            NewQuestion,O,,,
            QuestionText,Sort.,,,
            Item,one,,,
            Item,two,,,
            NewQuestion,WR,,,
            QuestionText,Why?,,,
            NewQuestion,MC,,,
            QuestionText,None?,,,
            Option,0,a,,
            """, file: "bank.csv")
        #expect(result.format == .brightspace && result.foundCount == 5)
        #expect(keys(result) == [["Iron"], ["True"], ["one", "two"]])
        let first = result.questions[0]
        #expect(first.id == "m-1" && first.stem == "Which is NewQuestion?" && first.difficulty == 2)
        #expect(first.options[1].feedback == "A gas" && first.explanation == "Iron it is.")
        #expect(result.notes.contains { $0.message.contains("50") && $0.message.contains("Zinc") })
        #expect(result.skipped.count == 2)
    }

    // MARK: Cards

    @Test func cardsHaveAHeaderOnlyOfKnownWords() throws {
        let table = try read("Term,Definition\nFe,iron\nNe,neon\nZn,zinc\n", file: "cards.csv")
        #expect(table.format == .cards && table.foundCount == 3)
        let german = try read("Frage\tAntwort\nFe\tiron\nNe\tneon\nZn\tzinc\n")
        #expect(german.foundCount == 3 && german.questions.count == 3)
        let none = try read("Answer\tcell\nFe\tiron\nNe\tneon\n")
        #expect(none.foundCount == 3)
    }

    @Test func aShortRowIsRefusedAlone() throws {
        let result = try read("Fe\tiron\nNe\nZn\tzinc\nAu\tgold\n")
        #expect(result.format == .cards && result.foundCount == 4)
        #expect(result.skipped.map(\.place) == ["line 2"])
    }

    @Test func separatorsCanBeNamed() throws {
        var settings = ImportSettings()
        settings.fieldSeparator = " - "
        settings.rowSeparator = ";"
        let result = try read(
            "Fe - iron;Ne - neon;x - y - z;Zn - zinc", settings: settings, format: .cards)
        #expect(keys(result) == [["iron"], ["neon"], ["zinc"]])
        #expect(result.skipped.map(\.place) == ["card 3"])
        settings.fieldSeparator = "\\t"
        settings.rowSeparator = "\\n\\n"
        let lines = try read("Fe\tiron\nore\n\nNe\tneon", settings: settings, format: .cards)
        #expect(keys(lines) == [["iron\nore"], ["neon"]] || lines.questions.count == 2)
    }

    // MARK: Counts

    @Test(arguments: [
        ("1. a?\n*a. x\nb. y\n\n2. b?\na) x\n*b) y\n", ImportFormat.respondus),
        ("1. a?\nA. x\nB. y\n\n2. b?\nA. x\nB. y\n\nAnswers:\n1. A\n2. B\n", .respondus),
        ("MC\ta\tx\tcorrect\ty\tincorrect\n\nTF\tb\ttrue\n", .blackboard),
        ("NewQuestion,MC,,\nQuestionText,\"a\nNewQuestion\"\n\"NewQuestion\",TF\n", .brightspace),
    ])
    func theLinesShowHowManyQuestionsThereAre(text: String, format: ImportFormat) throws {
        let count =
            switch format {
            case .respondus: QuestionBeginnings.respondus(text)
            case .blackboard: QuestionBeginnings.lineCount(text)
            default: QuestionBeginnings.brightspace(text)
            }
        #expect(count == 2)
    }

    @Test func cardsAreCountedByLines() {
        #expect(QuestionBeginnings.cards("a\tb\n\nc\td\n", hasHeader: false) == 2)
        #expect(QuestionBeginnings.cards("term\tdefinition\nc\td", hasHeader: true) == 1)
        #expect(QuestionBeginnings.cards("a\t\"b\nc\"", hasHeader: false) == 0)
    }
}
