import Foundation
import HTTPTypes
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// An author's texts on the pages: feedback, their language, and numbers that are asked back.
@Suite struct AuthorsTextTests {
    private static func bank(
        _ kind: Blueprint.Kind, _ id: String, _ questions: [Question]
    ) -> Blueprint {
        var bank = Blueprint(kind: kind, id: id, title: "Made", version: "1", questions: questions)
        if kind == .placement { bank.levels = [1: "A1", 3: "B1", 5: "C1"] }
        return bank
    }

    private static func choice(_ type: QuestionType, correct: [Int], id: String = "q1") -> Question
    {
        Question(
            id: id, type: type, difficulty: 3, stem: "Which?",
            options: ["a", "b", "c"].map {
                QuestionOption(id: $0, text: "Option \($0)", feedback: "Because of `\($0)`.")
            }, correct: correct, explanation: "That is why.")
    }

    private static let number = Question(
        id: "n", type: .numericEntry, difficulty: 1, stem: "How many metres?",
        key: .number(NumericKey(.value(1080, .absolute(0)))))

    private func begin(_ browser: StudyBrowser, _ bank: String, _ mode: String) async throws
        -> String
    {
        let reply = try await browser.post("/session", [("bank", bank), ("mode", mode)])
        return try #require(reply.location)
    }

    @Test func feedbackOnTheChoiceStandsFirstUnderWhyAndInTheReview() async throws {
        let browser = try StudyBrowser([
            Self.bank(.exam, "int/one", [Self.choice(.singleChoice, correct: [0])])
        ])
        let session = try await begin(browser, "int/one", "study")
        #expect(try await !browser.get("\(session)/1").body.contains("Because of"))
        _ = try await browser.post("\(session)/1", [("option", "b")])
        _ = try await browser.post("\(session)/finish", [])
        for page in ["\(session)/1", "\(session)/review"] {
            let body = try await browser.get(page).body
            let feedback = try #require(
                body.range(of: "Because of <code dir=\"ltr\">b</code>."), "\(page)")
            let why = try #require(body.range(of: "That is why."), "\(page)")
            #expect(feedback.lowerBound < why.lowerBound)
            #expect(body.contains("<strong>Your answer</strong>"))
            #expect(!body.contains("Because of <code dir=\"ltr\">a</code>"))
            _ = try await browser.get(session)
        }
    }

    @Test func feedbackOnSeveralChoicesNamesEach() async throws {
        let browser = try StudyBrowser([
            Self.bank(.exam, "int/several", [Self.choice(.multiChoice, correct: [0, 1])])
        ])
        let session = try await begin(browser, "int/several", "study")
        _ = try await browser.post("\(session)/1", [("option", "a"), ("option", "c")])
        let body = try await browser.get("\(session)/1").body
        #expect(body.contains("Option a</bdi></strong></p>"))
        #expect(body.contains("Option c</bdi></strong></p>"))
        #expect(!body.contains("Because of <code dir=\"ltr\">b</code>"))
    }

    @Test func textsCarryTheLanguageOfTheirContent() async throws {
        let browser = try StudyBrowser([
            Self.bank(
                .placement, "ar",
                (1...9).map { Self.choice(.singleChoice, correct: [0], id: "q\($0)") }),
            Self.bank(.exam, "int/one", [Self.choice(.singleChoice, correct: [0])]),
        ])
        let arabic = try await begin(browser, "ar", "placement")
        let known = try await browser.get("\(arabic)/1").body
        #expect(known.contains("<html lang=\"en\" dir=\"ltr\""))
        #expect(known.contains("<bdi lang=\"ar\" dir=\"rtl\">Which?</bdi>"))
        #expect(known.contains("<title lang=\"ar\" dir=\"rtl\">Which?</title>"))
        #expect(
            known.ranges(of: "<span lang=\"ar\" dir=\"rtl\"><span class=\"p\">Option").count == 3)
        let session = try await begin(browser, "int/one", "study")
        let open = try await browser.get("\(session)/1").body
        // Nobody said in which language the exam is: none is claimed.
        #expect(open.contains("<bdi lang=\"\" dir=\"auto\">Which?</bdi>"))
        #expect(open.ranges(of: "<span lang=\"\" dir=\"auto\"><span class=\"p\">Option").count == 3)
        _ = try await browser.post("\(session)/1", [("option", "b")])
        let checked = try await browser.get("\(session)/1").body
        #expect(
            checked.contains("<div class=\"text\" lang=\"\" dir=\"auto\"><p>That is why.</p></div>")
        )
        #expect(checked.contains("<div class=\"text\" lang=\"\" dir=\"auto\"><p>Because of"))
    }

    private static func formatted(_ stem: String, textForm: TextForm = .markdown) -> Blueprint {
        var bank = bank(
            .exam, "int/texts",
            [
                Question(
                    id: "q", type: .singleChoice, difficulty: 1, stem: stem,
                    options: [
                        QuestionOption(id: "a", text: "$x=\\pm\\sqrt{6}$", feedback: "**Yes.**"),
                        QuestionOption(id: "b", text: "<b>$\\fracc$</b>"),
                    ], correct: [0], explanation: "- one\n- two", textForm: textForm)
            ])
        bank.language = "de"
        return bank
    }

    @Test func aQuestionWithFormulasIsShownOnEachPage() async throws {
        let browser = try StudyBrowser([Self.formatted("Solve $x^2=6$.")])
        let session = try await begin(browser, "int/texts", "study")
        let open = try await browser.get("\(session)/1").body
        #expect(open.contains("<bdi lang=\"de\" dir=\"ltr\">Solve <math dir=\"ltr\"><msup>"))
        #expect(open.contains("<title lang=\"de\" dir=\"ltr\">Solve x² = 6.</title>"))
        #expect(open.contains("<span class=\"p\"><math dir=\"ltr\"><mi>x</mi>"))
        // A formula that is not known is shown whole, and no mark of HTML comes through.
        #expect(
            open.contains("&lt;b&gt;<code class=\"tex\" dir=\"ltr\">$\\fracc$</code>&lt;/b&gt;"))
        _ = try await browser.post("\(session)/1", [("option", "a")])
        for page in ["\(session)/1", "\(session)/review"] {
            let body = try await browser.get(page).body
            #expect(body.contains("<p><strong>Yes.</strong></p>"), "\(page)")
            #expect(body.contains("<ul><li>one</li><li>two</li></ul>"), "\(page)")
            _ = try await browser.get(session)
        }
    }

    @Test(arguments: [
        (
            "Read this:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nWhich is it?", true, "Which is it?",
            false
        ),
        ("Which is it?\n\n- one\n- two", false, "Which is it?", true),
        ("```\nlet a = 1\n```", false, nil, true), ("Which is it?", false, "Which is it?", false),
    ])
    func aPassageStandsAboveItsQuestion(
        stem: String, hasPassage: Bool, heading: String?, hasRest: Bool
    ) async throws {
        let browser = try StudyBrowser([Self.formatted(stem)])
        let session = try await begin(browser, "int/texts", "study")
        let page = try await browser.get("\(session)/1").body
        let fieldset = try #require(page.range(of: "<fieldset"))
        let passage = page.range(of: "id=\"passage\"")
        #expect((passage != nil) == hasPassage)
        if let passage { #expect(passage.lowerBound < fieldset.lowerBound) }
        #expect(page.contains("<fieldset aria-describedby=\"passage\">") == hasPassage)
        let shown = heading.map { "<bdi lang=\"de\" dir=\"ltr\">\($0)</bdi></h1>" }
        #expect(page.contains(shown ?? "<h1 class=\"hidden\">Question</h1>"))
        #expect(page[fieldset.upperBound...].contains("<div class=\"text\" lang=\"de\"") == hasRest)
    }

    @Test func aPlainTextHasNoMarks() async throws {
        let browser = try StudyBrowser([Self.formatted("Solve $x^2=6$, *now*.", textForm: .plain)])
        let session = try await begin(browser, "int/texts", "study")
        let page = try await browser.get("\(session)/1").body
        #expect(page.contains("<bdi lang=\"de\" dir=\"ltr\">Solve $x^2=6$, *now*.</bdi>"))
        #expect(!page.contains("<math"))
    }

    @Test func aTestInWhichEverythingIsSkippedGivesNoLevel() async throws {
        let browser = try StudyBrowser([
            Self.bank(
                .placement, "eo",
                (1...20).map { Self.choice(.singleChoice, correct: [0], id: "q\($0)") })
        ])
        let session = try await begin(browser, "eo", "placement")
        for _ in 1...40 {
            let page = try #require(try await browser.get(session).location)
            if page.hasSuffix("/result") { break }
            let reply = try await browser.post(page, [("step", "skip")])
            #expect(reply.status == 303, "\(page): \(reply.status)")
        }
        let result = try await browser.get("\(session)/result").body
        #expect(result.contains("<h1>No answer, so no level</h1>"))
        #expect(!result.contains("95 %") && !result.contains("Your level is"))
    }

    @Test func aNumberThatMayBeTwoIsAskedBackAndNothingIsGraded() async throws {
        let browser = try StudyBrowser([Self.bank(.exam, "int/number", [Self.number])])
        let german: HTTPFields = [.acceptLanguage: "de"]
        let session = try await begin(browser, "int/number", "study")
        let asked = try await browser.post("\(session)/1", [("number", "1.080")], german)
        #expect(asked.status == 422)
        #expect(asked.body.contains("Ist der Punkt in "))
        #expect(asked.body.contains("value=\"1.080\""))
        #expect(asked.body.contains("name=\"reading\" value=\"1,08\""))
        #expect(asked.body.contains("name=\"reading\" value=\"1080\""))
        let bank = try #require(QuestionFilter.Bank(name: "int/number"))
        #expect(try browser.userData.answers(of: bank).isEmpty)
        _ = try await browser.post(
            "\(session)/1", [("number", "1.080"), ("reading", "1080")], german)
        #expect(try browser.userData.answers(of: bank).map(\.isCorrect) == [true])
    }

    @Test(arguments: [
        ("1,080", 422, "Is the comma in"), ("1/3", 422, "has no end as a decimal"),
        ("five", 422, "Enter a number such as"), ("5 %", 422, "mean 5 or 0.05?"),
        ("", 422, "Enter a number first"), ("١٠٨٠", 303, ""), ("１０８０", 303, ""),
    ])
    func theReasonIsSaid(typed: String, status: Int, sentence: String) async throws {
        let browser = try StudyBrowser([Self.bank(.exam, "int/number", [Self.number])])
        let session = try await begin(browser, "int/number", "study")
        let reply = try await browser.post("\(session)/1", [("number", typed)])
        #expect(reply.status == status)
        #expect(reply.body.contains(sentence) || sentence.isEmpty)
        if status == 303 {
            let page = try await browser.get("\(session)/1").body
            #expect(page.contains("class=\"foot right\""))
        }
    }

    @Test func aFlagKeepsTheChoiceOfAnExamAndATypedTextThatIsNoNumberYet() async throws {
        let browser = try StudyBrowser([
            Self.bank(.exam, "int/both", [Self.choice(.singleChoice, correct: [0]), Self.number])
        ])
        let session = try await begin(browser, "int/both", "exam")
        for number in 1...2 {
            let isNumber = try await browser.get("\(session)/\(number)").body.contains(
                "id=\"number\"")
            let sent = isNumber ? ("number", "1,080") : ("option", "b")
            let reply = try await browser.post("\(session)/\(number)", [sent, ("step", "flag")])
            let page = try await browser.get(try #require(reply.location)).body
            #expect(page.contains(isNumber ? "value=\"1,080\"" : "value=\"b\" checked"))
        }
        let overview = try await browser.get("\(session)/overview").body
        #expect(overview.contains("1 answered, 1 open, 2 flagged"))
    }
}
