import ContentModel
import Testing

@testable import Importing

/// Readers that lose or spoil something, planted behind the real ones: the guards must find what they did.
@Suite struct ImportGuardTests {
    private let lists = """
        {"easy": [{"question": "1?", "options": ["a", "b"], "answer": 0},
                  {"question": "2?", "options": [{"text": "a"}, {"text": "b"}], "answer": 0}],
         "hard \\u0041": [{"question": "3?", "options": ["a", "b"], "answer": 1}],
         "authors": [{"name": "{"}, {"name": "]"}]}
        """

    private func read(_ text: String) throws -> ImportedDrafts {
        try StructuredReader.read(
            Array(text.utf8), file: "bank", isJSON: true, settings: ImportSettings())
    }

    @Test func theBytesShowEachList() throws {
        let counts = ListCount.json(lists)
        #expect(
            counts == ["$.easy": 2, "$.easy[].options": 2, "$.hard A": 1, "$.authors": 2])
        let drafts = try read(lists)
        try ListCount.check(counts, against: drafts.lists ?? [], found: 3, file: "bank")
        #expect(drafts.begun == 3 && drafts.notes.contains { $0.message.contains("$.authors") })
    }

    @Test func aReaderOfTheFirstListIsFound() throws {
        var planted = try read(lists)
        planted.drafts = Array(planted.drafts.prefix(2))
        planted.lists = planted.lists.map { Array($0.prefix(1)) }
        let error = #expect(throws: ImportError.self) {
            try ListCount.check(
                ListCount.json(lists), against: planted.lists ?? [], found: 2, file: "bank")
        }
        #expect(error?.reason.contains("2 entries in the list $.authors") == true)
    }

    @Test func aReaderThatLosesARecordIsFound() throws {
        let drafts = try read(lists)
        #expect(throws: ImportError.self) {
            try ListCount.check(
                ListCount.json(lists), against: drafts.lists ?? [], found: 2, file: "bank")
        }
        let xml = """
            <?xml version="1.0"?><!-- <question/> --><quiz><question type="category"/>
            <question type='essay' name=">"><text><![CDATA[<question>]]></text></question><g:question/></quiz>
            """
        #expect(ElementCount.questions(xml) == 2)
        #expect(throws: ImportError.self) {
            try ElementCount.check(ElementCount.questions(xml), found: 1, file: "quiz.xml")
        }
        #expect(ElementCount.questions("<manifest><item/><item/></manifest>") == 0)
        #expect(
            ElementCount.questions("<q:questestinterop><item a=\"1\"/></q:questestinterop>") == 1)
        #expect(ElementCount.questions("<qti-assessment-item x=\"1\"/>") == 1)
    }

    private func refusal(stem: String = "Which is a metal?", option: String = "Iron") -> ImportCode?
    {
        Leftovers.refusal(question(stem: stem, option: option))?.code
    }

    private func question(stem: String, option: String) -> Question {
        Question(
            id: "q", type: .singleChoice, difficulty: 3, stem: stem,
            options: [.init(id: "a", text: option), .init(id: "b", text: "Neon")],
            key: .options([0]))
    }

    @Test(arguments: [
        "Which? <details><summary>Answer</summary>", "Which? </details>",
        "Which?\nA. Iron\nB. Neon\nAnswer: B", "Which?\n**Correct Answer:** (b)",
        "Which? @@PLUGINFILE@@/a.png", "See $IMS-CC-FILEBASE$/a.png", "The {1:MC:=iron~neon} is",
        "The {{c1::iron}} is",
    ])
    func aTextWithAMarkOfAnotherProgramIsRefused(text: String) {
        #expect(refusal(stem: text) == .leftover)
        #expect(refusal(option: text) == .leftover)
    }

    @Test(arguments: ["Orl\u{FFFD}ans?", "Wh\u{7}ich?"])
    func aTextThatIsDamagedIsRefused(text: String) {
        #expect(refusal(stem: text) == .damaged && refusal(option: text) == .damaged)
    }

    @Test(arguments: [
        "Which is a metal?", "What does `<details>` do?", "The answer: a metal or a gas?",
        "Which {a, b} is a set?", "Answer: Be brief.", "Was ist \u{201E}Fe\u{201C}?\n\tIron",
    ])
    func aTextThatIsWholeIsNot(text: String) {
        #expect(refusal(stem: text) == nil && refusal(option: text) == nil)
    }

    @Test(arguments: [
        ("OrlÃ©ans or KÃ¶ln?", "decoded"), ("caf&eacute;?", "HTML"), ("a<br>b", "HTML"),
        ("<b>Which</b>?", "HTML"), ("Is%20this%20a%20metal?", "decoded"), ("%50%Iron", "mark"),
        ("[html]Which?", "mark"),
    ])
    func whatMayBeALossIsNoted(text: String, word: String) {
        let notes = Leftovers.notes(question(stem: text, option: "Iron"))
        #expect(notes.count == 1 && notes.first?.message.contains(word) == true)
    }

    @Test(arguments: [
        "Is x < y and y > z?", "R&D; a &unknown; name", "ÄÖÜ ß é", "50% of %", "List<String>",
    ])
    func whatIsMeantIsNotNoted(text: String) {
        #expect(Leftovers.notes(question(stem: text, option: "Iron")).isEmpty)
    }

    @Test func aFoldThatIsKeptAsTextIsRefused() throws {
        let text = "Which? <details>\n\n- A. Iron\n- B. Neon\n\nAnswer: A\n"
        var drafts = try MarkdownReader.read(text)
        // The planted reader keeps the element that the real one removes.
        drafts.drafts = drafts.drafts.map { draft in
            var draft = draft
            draft.stem += " <details>"
            return draft
        }
        var finisher = DraftFinisher(
            known: KnownQuestions(bank: []), domain: nil, declared: nil, updatesBank: false)
        let result = finisher.finish(drafts, file: "bank", format: .markdown)
        #expect(result.questions.isEmpty && result.skipped.count == 1)
        #expect(result.skipped.first?.reason.contains("folded part") == true)
    }

    // MARK: Unread text

    private func result(_ text: String) throws -> (ImportResult, ImportedDrafts) {
        let drafts = try MarkdownReader.read(text)
        var finisher = DraftFinisher(
            known: KnownQuestions(bank: []), domain: nil, declared: nil, updatesBank: false)
        return (finisher.finish(drafts, file: "bank", format: .markdown), drafts)
    }

    private func markdown(_ count: Int) -> String {
        (1...count).map { number in
            let words = (1...6).map { "word\(number)x\($0)" }.joined(separator: " ")
            return "## Which \(words) is right?\n\n- [x] The right \(words)\n- [ ] Neon\n\n"
        }.joined()
    }

    @Test func aReaderThatLosesQuestionsLeavesUnreadText() throws {
        let text = markdown(9)
        var (whole, drafts) = try result(text)
        let units = try #require(UnreadText.units(text, .markdown, drafts))
        #expect(UnreadText(units, in: whole).unread.isEmpty)
        // The planted reader loses the last questions, and counts what it has.
        whole.questions.removeLast(4)
        let planted = UnreadText(units, in: whole)
        #expect(planted.unread.count == 8 && planted.count == 18 && planted.isFailure)
        #expect(planted.shown?.contains("8 of 18") == true)
        drafts.skipped = [.init(place: "line 1", code: .keyNone, reason: "no key")]
        #expect(UnreadText.units(text, .markdown, drafts)?.first?.line == 6)
    }

    /// Six pictures are missing: their questions are refused, and their texts are no sign that the reader lost some.
    @Test func textsOfRefusedQuestionsAreNotUnread() throws {
        let rows = (1...10).map { number in
            let words = (1...6).map { "word\(number)x\($0)" }.joined(separator: " ")
            return "Which \(words) is right?,this,that,a,\(number < 7 ? "p\(number).png" : "")\n"
        }
        let text = "question,a,b,correct,image\n" + rows.joined()
        let result = try imported(Array(text.utf8), nil, file: "bank.csv")
        #expect(result.questions.count == 4 && result.skipped.count == 6)
        #expect(!result.notes.contains { $0.code == .unreadText })
    }

    /// The words of an address are those of no text.
    @Test func addressesAreNoWords() {
        #expect(WordTriples("https://a.example/one/two/three/four/five/six.png").count == 0)
        #expect(WordTriples("see (http://a.example/one/two) or the next one").count == 5)
        #expect(WordTriples("the https and http schemes").count == 5)
    }

    @Test func textThatIsInNoQuestionIsNotedOrRefused() throws {
        let note = "This remark of the translator has more than six words in it.\n\n"
        let one = try imported(note + markdown(3), .markdown)
        #expect(one.questions.count == 3 && one.notes.contains { $0.message.contains("line 1:") })
        let many = (1...8).map { "\($0) remarks of the translator have more than six words.\n\n" }
        let text = Array((many.joined() + markdown(1)).utf8)
        let error = #expect(throws: ImportError.self) { try imported(text, .markdown) }
        #expect(error?.reason.contains("--accept unread") == true)
        var settings = ImportSettings()
        settings.acceptsUnread = true
        #expect(try imported(text, .markdown, settings: settings).questions.count == 1)
    }

    @Test func fieldsAndListsThatANoteNamesAreNotUnreadAgain() throws {
        let passage = "a long passage with many words that no question shows"
        let result = try imported(
            """
            {"q": [{"question": "Which?", "options": ["x", "y"], "answer": "x", "passage": "\(passage)"}],
             "authors": [{"name": "\(passage)"}], "about": "\(passage)"}
            """, .json)
        #expect(result.notes.contains { $0.message.hasPrefix("1 of 1 long") })
    }
}
