import ContentModel
import Testing

/// The form of a question's texts: declared by an author, and in a release only where it says something.
@Suite struct QuestionTextTests {
    private static func question(_ id: String, stem: String, _ more: String = "") -> String {
        """
        {"id": "\(id)", "type": "single-choice", "difficulty": 1, "stem": "\(stem)", \(more)
         "options": [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}], "correct": [0]}
        """
    }

    private func bank(_ head: String, _ questions: [String]) throws -> (Blueprint, [Problem]) {
        let report = DecodingReport(file: "exam.yaml", strictness: .authored)
        let node = try JSONParser.parse(Array("{\"title\": \"T\"\(head)}".utf8))
        var bank = try #require(Blueprint.readExam(node, id: "int/demo", report: report))
        let list = "[\(questions.joined(separator: ","))]"
        bank.addQuestions(try JSONParser.parse(Array(list.utf8)), report: report)
        return (bank, report.problems)
    }

    private static let sources = [
        question("same", stem: "Which planet is largest?"),
        question("strong", stem: "Which is **not** a prime?"),
        question("own", stem: "What is 2 **3** 4?", "\"text\": \"plain\","),
    ]

    @Test func aDeclaredFormChangesOnlyQuestionsThatItMeans() throws {
        let (plain, _) = try bank("", Self.sources)
        let (marked, problems) = try bank(", \"text\": \"markdown\"", Self.sources)
        #expect(problems.allSatisfy { $0.rule.severity == .warning })
        #expect(marked.questions.map(\.textForm) == [.plain, .markdown, .plain])
        let versions = zip(plain.questions, marked.questions).map {
            $0.contentVersion == $1.contentVersion
        }
        #expect(versions == [true, false, true])
        #expect(marked.canonicalBytes == marked.json.canonicalBytes)
        let released = try Blueprint(released: marked.canonicalBytes)
        #expect(released.questions == marked.questions)
    }

    @Test func aQuestionDeclaresItsOwnForm() throws {
        let (bank, _) = try bank(
            "", [Self.question("q", stem: "Solve $x^2=6$.", "\"text\": \"markdown\",")])
        #expect(bank.questions[0].textForm == .markdown)
        #expect(bank.questions[0].richStem.plainText != bank.questions[0].stem)
    }

    @Test func aListShowsATextWithoutTheMarksOfItsForm() {
        let source = "Which is **not** `even`, with $x^2=6$?"
        let line = TextRun.line(of: source, in: .markdown)
        #expect(line.map(\.words) == ["Which is not even, with x² = 6?"])
        let plain = TextRun.line(of: "Is `2` **even**?", in: .plain)
        #expect(plain.map(\.words) == ["Is ", "2", " **even**?"])
        #expect(plain.map(\.isCode) == [false, true, false])
        let short = TextRun.line(of: source, in: .markdown, countMax: 13)
        #expect(short.map(\.words) == ["Which is not…"], "what the learner reads is cut")
    }

    @Test func aFileOfABankSaysAFormOnlyWhereTheBankMeansAnother() throws {
        let (bank, _) = try bank(", \"text\": \"markdown\"", Self.sources)
        for form in TextForm.allCases {
            let written = bank.questions.map { $0.json(inBankOf: form) }
            let report = DecodingReport(file: "", strictness: .authored)
            let read = try written.map {
                try #require(
                    Question.read(
                        JSONParser.parse($0.canonicalBytes), form: form, report: report))
            }
            #expect(read == bank.questions)
            let says = written.map { value in
                if case .object(let members) = value { members["text"] != nil } else { false }
            }
            #expect(says == [false, form == .plain, form == .markdown])
        }
    }

    @Test func aFormOfALaterVersionIsLeftOut() throws {
        let (bank, _) = try bank("", [Self.sources[0], Self.sources[1]])
        var later = bank.json
        guard case .object(var members) = later, case .array(var list)? = members["questions"],
            case .object(var question) = list[1]
        else { return }
        question["text"] = "markdown-2"
        list[1] = .object(question)
        members["questions"] = .array(list)
        later = .object(members)
        let report = DecodingReport(file: "", strictness: .device)
        let read = Blueprint.read(try JSONParser.parse(later.canonicalBytes), report: report)
        #expect(read?.questions.map(\.id) == ["same"])
        #expect(read?.leftOutCount == 1)
    }

    @Test(arguments: ["rich", "Markdown", ""])
    func anUnknownFormIsAnError(form: String) throws {
        let (_, problems) = try bank(", \"text\": \"\(form)\"", [])
        #expect(problems.map(\.rule) == [.invalidValue])
        #expect(problems[0].message.contains("plain or markdown"))
    }

    @Test func picturesInTextsAreMedia() throws {
        let (bank, _) = try bank(
            "",
            [Self.question("q", stem: "See ![a wheel](w.svg).", "\"text\": \"markdown\",")])
        #expect(bank.questions[0].mediaNames == ["w.svg"])
    }

    @Test(arguments: ["de", "pt-BR", "zh-Hant-TW"])
    func aBankSaysItsLanguage(tag: String) throws {
        let (bank, problems) = try bank(", \"language\": \"\(tag)\"", [Self.sources[0]])
        #expect(problems.isEmpty)
        #expect(bank.textLanguage == tag)
        #expect(bank.canonicalBytes == bank.json.canonicalBytes)
        #expect(try Blueprint(released: bank.canonicalBytes).textLanguage == tag)
    }

    @Test(arguments: ["", "d", "de_DE", "de-", "123", "abcdefghi", "de-ä"])
    func aLanguageIsATag(tag: String) throws {
        let (bank, problems) = try bank(", \"language\": \"\(tag)\"", [Self.sources[0]])
        #expect(problems.map(\.rule) == [.invalidValue])
        #expect(bank.textLanguage == nil)
    }

    @Test func aPlacementTestIsInItsLanguage() {
        let test = Blueprint(kind: .placement, id: "es", title: "", version: "", questions: [])
        #expect(test.textLanguage == "es")
    }
}
