import ContentModel
import Importing
import Testing

/// Keys that may be the letter, the number or the label of an option, or its text: the file decides, or refuses.
@Suite struct KeyMeaningTests {
    private func read(
        _ text: String, _ format: ImportFormat, keys: KeyReading? = nil
    ) throws -> ImportResult {
        var settings = ImportSettings()
        settings.keys = keys
        return try imported(Array(text.utf8), format, settings: settings)
    }

    private func keys(_ result: ImportResult) -> [[String]] {
        result.questions.map { question in question.correct.map { question.options[$0].text } }
    }

    // MARK: Answer lines

    private static let metal: [ImportFormat: String] = [
        .markdown: "Metal?\nA) O\nB) Fe\n\nAnswer: B\n\n",
        .html: "<p>Metal?</p><p>A) O<br>B) Fe</p><p>Answer: B</p>",
        .cards: "Metal?<br>A) O<br>B) Fe\tB\n",
    ]
    private static let grade: [ImportFormat: String] = [
        .markdown: "Grade?\nA) F\nB) A\n\nAnswer: A\n\n",
        .html: "<p>Grade?</p><p>A) F<br>B) A</p><p>Answer: A</p>",
        .cards: "Grade?<br>A) F<br>B) A\tA\n",
    ]

    @Test(arguments: [ImportFormat.markdown, .html, .cards])
    func theLetterOfAnOptionAndItsTextAreDecidedByTheFile(format: ImportFormat) throws {
        let head = format == .cards ? "#separator:tab\n#html:true\n" : ""
        let grade = try #require(Self.grade[format])
        let metal = try #require(Self.metal[format])
        #expect(keys(try read(head + grade + metal, format)) == [["F"], ["Fe"]])
        // With answers that only can be texts, the same is a text.
        let text = metal.replacing("Answer: B", with: "Answer: Fe")
            .replacing("\tB", with: "\tFe")
        #expect(keys(try read(head + grade + text, format)) == [["A"], ["Fe"]])
        let open = try read(head + grade, format)
        #expect(open.questions.isEmpty)
        let reason = open.skipped.first?.reason ?? ""
        #expect(reason.contains("letters: \"F\"; texts: \"A\""), "\(reason)")
        #expect(reason.contains("--keys letters or --keys texts"))
        #expect(keys(try read(head + grade, format, keys: .letters)) == [["F"]])
        #expect(keys(try read(head + grade, format, keys: .texts)) == [["A"]])
        #expect(throws: ImportError.self) { try read(head + metal, format, keys: .texts) }
    }

    @Test func theNumberOfAnOptionAndItsTextAreDecidedByTheFile() throws {
        let spider = "### How many legs has a spider?\n\n1. 4\n2. 8\n3. 2\n\nAnswer: 2\n\n"
        let metal = "### Metal?\n\n1. O\n2. Fe\n3. Ne\n\nAnswer: 2\n\n"
        #expect(keys(try read(metal + spider, .markdown)) == [["Fe"], ["8"]])
        let open = try read(spider, .markdown)
        #expect(open.skipped.first?.reason.contains("texts: \"2\"; numbers from 1: \"8\"") == true)
        #expect(keys(try read(spider, .markdown, keys: .fromOne)) == [["8"]])
        #expect(keys(try read(spider, .markdown, keys: .texts)) == [["2"]])
    }

    @Test func theFirstOfAFoldedAnswerIsNoTextByChance() throws {
        let fold = "Grade?\nA) F\nB) A\n\n<details><summary>Answer</summary>A</details>\n"
        let result = try read(fold, .markdown)
        #expect(result.questions.isEmpty && result.skipped.count == 1)
    }

    @Test func aLetterWithItsTextDecidesForWord() throws {
        var word = SampleDocument()
        for line in [
            "1. Which grade is best?", "A. A", "B. B", "C. C", "Correct answer: C. C",
            "2. Which blood group?", "A. B", "B. A", "C. 0", "Correct answer: A",
        ] {
            word.add(line)
        }
        let result = try imported(word.bytes(), nil, file: "bank.docx")
        #expect(keys(result) == [["C"], ["B"]])
    }

    @Test(arguments: ["<ol start=\"2\">", "<ol reversed>"])
    func aListThatDoesNotCountFromOneIsRefused(list: String) throws {
        let page = "<p>1. Gas?</p>\(list)<li>Ne</li><li>Fe</li></ol><p>Answer: 2</p>"
        let result = try read(page, .html)
        #expect(result.questions.isEmpty)
        #expect(result.skipped.map(\.reason) == ["the numbers of its options do not count from 1"])
    }

    // MARK: Flags in columns

    @Test(arguments: [
        "question,option_a,correct_a,option_b,correct_b\nMetal?,O,0,Fe,1\nGas?,Ne,1,Fe,0",
        "Question,A,Correct,B,Correct\nMetal?,O,0,Fe,1\nGas?,Ne,1,Fe,0",
        "Frage;Antwort 1;richtig;Antwort 2;richtig\nMetal?;O;0;Fe;1\nGas?;Ne;1;Fe;0",
        "Question,Option A,Option B,Correct A,Correct B\nMetal?,O,Fe,0,1\nGas?,Ne,Fe,1,0",
        "Question,Answer A,Correct A,Answer B,Correct B\nMetal?,O,,Fe,x\nGas?,Ne,x,Fe,",
    ])
    func aColumnBesideEachOptionSaysWhetherItIsRight(table: String) throws {
        let result = try read(table, .csv)
        #expect(keys(result) == [["Fe"], ["Ne"]])
        #expect(result.profile?.keys == [.flags])
        #expect(result.notes.allSatisfy { !$0.message.contains("is not read") })
    }

    @Test func severalFlagsAreSeveralKeysAndOtherCellsRefuse() throws {
        let table = "Question,A,Correct,B,Correct\nGases?,Ne,1,Ar,1\nX?,a,0,b,0\nY?,a,2,b,0"
        let result = try read(table, .csv)
        #expect(keys(result) == [["Ne", "Ar"]])
        #expect(result.skipped.map(\.place) == ["line 3", "line 4"])
    }

    @Test func keyColumnsOfOneNameWithoutOrderRefuseTheFile() {
        let table = "Question,A,B,Correct,Correct\nMetal?,O,Fe,0,1\nGas?,Ne,Fe,1,0"
        let error = #expect(throws: ImportError.self) { try read(table, .csv) }
        #expect(error?.reason.contains("several columns for the key") == true)
    }

    // MARK: Labels

    @Test(arguments: [
        (#"{"letter": "B", "text": "Ne"}, {"letter": "A", "text": "Fe"}"#, #""B""#),
        (#"{"value": "b", "text": "Ne"}, {"value": "a", "text": "Fe"}"#, #""b""#),
        (#"{"option": "B", "text": "Ne"}, {"option": "A", "text": "Fe"}"#, #""B""#),
        (#"{"key": "B", "text": "Ne"}, {"key": "A", "text": "Fe"}"#, #""B""#),
        (#"{"id": 7, "key": "B", "text": "Ne"}, {"id": 8, "key": "A", "text": "Fe"}"#, #""B""#),
        (#"{"number": 2, "text": "Ne"}, {"number": 1, "text": "Fe"}"#, "2"),
        (#"{"index": 1, "text": "Ne"}, {"index": 0, "text": "Fe"}"#, "1"),
        (#""B. Ne", "A. Fe""#, #""B""#),
        (#""(B) Ne", "(A) Fe", "(C) Au""#, #""(B)""#),
        (#""a. O", "c. Ne", "b. Sn""#, #""c""#),
    ])
    func theLabelOfAnOptionNamesIt(options: String, key: String) throws {
        let result = try read(
            "[{\"question\": \"Gas?\", \"options\": [\(options)], \"answer\": \(key)}]", .json)
        #expect(keys(result).map { $0.map { $0.suffix(2) } } == [["Ne"]])
    }

    @Test(arguments: [
        (#""a. O", "b. Ne", "b. Sn""#, "b"), (#""A. O", "C. Ne", "D. Sn""#, "B"),
        (#""E. coli", "S. aureus", "B. subtilis""#, "B"),
    ])
    func lettersThatNameNoneOrAnotherAreRefused(options: String, key: String) throws {
        let result = try read(
            "[{\"question\": \"Gas?\", \"options\": [\(options)], \"answer\": \"\(key)\"}]", .json)
        #expect(result.questions.isEmpty && result.skipped.count == 1)
    }

    @Test func typedLabelsOfColumnsName() throws {
        let result = try read("question,option1,option2,answer\nGas?,B. Ne,A. Fe,B", .csv)
        #expect(keys(result) == [["B. Ne"]])
    }

    @Test func anOptionMayJoinLettersItself() throws {
        let result = try read(
            "question,A,B,C,D,answer\nWhich?,x,y,A and B,none,A and B\nWhich2?,x,y,z,w,C", .csv)
        #expect(keys(result) == [["A and B"], ["z"]])
    }

    // MARK: Formats of text

    private static let bold =
        "# Quiz\n\n1. Metal?\n   - **O**\n   - Fe\n2. Gas?\n   - Zn\n   - **Ne**\n"

    @Test(arguments: [
        "\n## Answer key\n\n1. B\n2. B\n", "\nAnswers: 1-B, 2-B\n",
        "\n## Lösungen\n\n1: Fe\n2: Ne\n",
    ])
    func answersBelowListsWithBoldOptionsRefuseTheFile(end: String) throws {
        #expect(keys(try read(Self.bold, .markdown)) == [["O"], ["Ne"]])
        let error = #expect(throws: ImportError.self) { try read(Self.bold + end, .markdown) }
        #expect(error?.reason.contains("bold text") == true)
        #expect(error?.reason.contains("answers of its own") == true)
    }

    @Test func answersThatReadAsAListOfOptionsLeaveNoKey() throws {
        let result = try read(Self.bold + "\n1. B\n2. B\n", .markdown)
        #expect(result.questions.isEmpty && result.skipped.count > 1)
    }

    @Test func boldOnTheFirstOptionOfEveryListIsNoKey() throws {
        let list = { (number: Int) in "\(number). Which \(number)?\n   - **a**\n   - b\n" }
        #expect(try read(list(1) + list(2), .markdown).questions.count == 2)
        let error = #expect(throws: ImportError.self) {
            try read(list(1) + list(2) + list(3), .markdown)
        }
        #expect(error?.reason.contains("the first option of every list") == true)
    }

    @Test func aTableOfAnswersBelowBoldOptionsRefusesTheFile() throws {
        var word = SampleDocument()
        word.add("Metal?", level: 0)
        word.add("O", level: 1, format: "<w:b/>")
        word.add("Fe", level: 1)
        word.add("Gas?", level: 0)
        word.add("Zn", level: 1)
        word.add("Ne", level: 1, format: "<w:b/>")
        let cell = { (text: String) in "<w:tc><w:p><w:r><w:t>\(text)</w:t></w:r></w:p></w:tc>" }
        let row = { (one: String, two: String) in "<w:tr>\(cell(one))\(cell(two))</w:tr>" }
        word.addRaw("<w:tbl>\(row("1", "B"))\(row("2", "A"))</w:tbl>")
        let bytes = try word.bytes()
        #expect(throws: ImportError.self) { try imported(bytes, nil, file: "bank.docx") }
    }

    // MARK: Mistakes in letters

    @Test(arguments: [
        (ImportFormat.aiken, "Gas?\nA. Fe\nB. Au\nB. Hg\nD. Ar\nANSWER: B\n"),
        (.respondus, "1) Gas?\na. Fe\nc. Au\n*b. Ar\n"),
        (.markdown, "### Gas?\n\nA) Fe\nB) Au\nB) Hg\nD) Ar\n\nAnswer: B\n"),
        (.html, "<h3>Gas?</h3><p>A. Fe<br>B. Au<br>B. Hg<br>D. Ar</p><p>Answer: B</p>"),
    ])
    func aLabelWithinAnOptionRefusesTheQuestion(format: ImportFormat, text: String) throws {
        let result = try read(text, format)
        #expect(result.questions.isEmpty)
        #expect(result.skipped.first?.reason.contains("its letter is not the next") == true)
    }

    @Test func twoAnswersOfAikenRefuseTheQuestion() throws {
        let result = try read(
            "Metal?\nA. O\nB. Fe\nANSWER: A\nANSWER: B\n\nGas?\nA. Ne\nB. Fe\nANSWER: A\n", .aiken)
        #expect(keys(result) == [["Ne"]])
        #expect(result.skipped.first?.reason == "two lines ANSWER: stand below it")
    }
}
