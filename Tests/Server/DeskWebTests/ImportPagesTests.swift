import Accounts
import Foundation
import HTTPTypes
import Importing
import TestSupport
import Testing

@testable import DeskWeb

/// The page of the import: the ledger first, and nothing written before it was seen.
struct ImportPagesTests {
    private static let gift = """
        ::s1:: What is 2+2? { =4 ~5 ~6 }

        ::s2:: Which is a value type? { =struct ~class }

        ::s3:: Write about it. {}

        """

    private static func files(_ world: DeskWorld) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.content + "/exams/int/made")
            .sorted()
    }

    private static func form(
        _ text: String = gift, bank: String = "int/made", then: String = "check",
        shown: String? = nil
    ) -> [(String, String)] {
        [("bank", bank), ("text", text), ("then", then)] + (shown.map { [("shown", $0)] } ?? [])
    }

    @Test func theLedgerComesFirstAndNothingIsWritten() async throws {
        let world = try await DeskWorld()
        let before = try Self.files(world)
        let browser = try await world.browser([.author])

        let empty = try await browser.get("/desk/import?bank=int%2Fmade")
        let page = try await browser.post("/desk/import", Self.form())

        #expect(empty.body.contains("<option value=\"int/made\" selected>"))
        #expect(page.status == 200)
        for words in [
            "Found 3: 2 to import, 1 skipped", "Import 2 questions", "Read as GIFT", "line 5",
        ] {
            #expect(page.body.contains(words), "\(words)")
        }
        #expect(page.body.matches(of: /button filled/).count == 1)
        #expect(try Self.files(world) == before)
    }

    @Test func whatWasShownIsImportedOnce() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let page = try await browser.post("/desk/import", Self.form())
        let form = Self.form(then: "import", shown: try page.shown)

        async let first = browser.post("/desk/import", form)
        async let second = browser.post("/desk/import", form)
        let statuses = try await [first.status, second.status].sorted()

        #expect(statuses == [303, 409])
        #expect(
            try Self.files(world) == ["exam.yaml", "questions-import.yaml", "questions.yaml"])
        let text = try world.folder.text("content/exams/int/made/questions-import.yaml")
        #expect(text.contains("What is 2+2?") && text.contains("struct"))
        #expect(
            try world.folder.text("content/exams/int/made/questions.yaml")
                == DeskWorld.sampleQuestions)
        let again = try await browser.post("/desk/import", Self.form())
        #expect(again.body.contains("Found 3: 0 to import, 3 skipped"))
        #expect(!again.body.contains("value=\"import\""))
    }

    @Test func anotherTextOrBankThanShownStops() async throws {
        let world = try await DeskWorld()
        let before = try Self.files(world)
        let browser = try await world.browser([.author])
        let page = try await browser.post("/desk/import", Self.form())
        let shown = try page.shown

        let edited = try await browser.post(
            "/desk/import",
            Self.form(Self.gift.replacing("=4", with: "=5"), then: "import", shown: shown))
        let unseen = try await browser.post("/desk/import", Self.form(then: "import"))
        try world.folder.write(
            """
            - id: x1
              type: single-choice
              difficulty: 1
              stem: "What is 2+2?"
              options: [{ id: a, text: "4" }, { id: b, text: "5" }, { id: c, text: "6" }]
              correct: [0]

            """,
            to: "content/exams/int/made/questions-more.yaml")
        let changed = try await browser.post(
            "/desk/import", Self.form(then: "import", shown: shown))

        for reply in [edited, unseen, changed] {
            #expect(reply.status == 409)
            #expect(reply.body.contains("Nothing was imported"))
        }
        #expect(try Self.files(world) == (before + ["questions-more.yaml"]).sorted())
    }

    @Test func lineBreaksOfBrowsersMakeNoDifference() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let page = try await browser.post("/desk/import", Self.form())

        let reply = try await browser.post(
            "/desk/import",
            Self.form(
                Self.gift.replacing("\n", with: "\r\n"), then: "import", shown: try page.shown))

        #expect(reply.status == 303)
    }

    @Test func aDifferentQuestionIsReplacedOnlyIfWanted() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let csv = """
            id,stem,option_a,option_b,correct,difficulty
            q1,Of which type is `2.5`?,Float,Double,B,1

            """

        let kept = try await browser.post("/desk/import", Self.form(csv))
        let shown = try await browser.post("/desk/import", Self.form(csv) + [("update", "true")])
        let done = try await browser.post(
            "/desk/import",
            Self.form(csv, then: "import", shown: try shown.shown) + [("update", "true")])

        #expect(kept.body.contains("Found 1: 0 to import, 1 skipped"))
        #expect(kept.body.contains("Other than in the bank"))
        #expect(shown.body.contains("Import 1 question<"))
        #expect(done.status == 303)
        let before = DeskWorld.sampleQuestions
        let start = try #require(before.range(of: "correct: [0]"))
        #expect(
            try world.folder.text("content/exams/int/made/questions.yaml")
                == before.replacingCharacters(in: start, with: "correct: [1]"))
    }

    @Test func whatSomebodyElseSavedMeanwhileIsNotReplaced() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let csv = """
            id,stem,option_a,option_b,correct,difficulty
            q1,Of which type is `2.5`?,Float,Double,B,1

            """
        let page = try await browser.post("/desk/import", Self.form(csv) + [("update", "true")])
        let edited = DeskWorld.sampleQuestions.replacing("Of which type is", with: "What type has")
        try world.folder.write(edited, to: "content/exams/int/made/questions.yaml")

        let reply = try await browser.post(
            "/desk/import",
            Self.form(csv, then: "import", shown: try page.shown) + [("update", "true")])

        #expect(reply.status == 409)
        #expect(reply.body.contains("Nothing was imported"))
        #expect(try world.folder.text("content/exams/int/made/questions.yaml") == edited)
    }

    @Test(arguments: [
        "int/none", "../int/made", "int/../int/made", "/etc", "int%2Fmade", "", "int/made/..",
        "languages/en", "int/made/",
    ]) func unknownBanksAreRefused(bank: String) async throws {
        let world = try await DeskWorld()
        let before = try Self.files(world)
        let browser = try await world.browser([.author])

        let reply = try await browser.post("/desk/import", Self.form(bank: bank))
        let forced = try await browser.post(
            "/desk/import", Self.form(bank: bank, then: "import", shown: "00"))

        #expect(reply.status == 422 && forced.status == 422)
        #expect(reply.body.contains("no such bank"))
        #expect(reply.body.contains("What is 2+2?"))
        #expect(try Self.files(world) == before)
    }

    @Test func whatCannotBeReadIsSaidAndKept() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])

        let prose = try await browser.post("/desk/import", Self.form("Just a sentence."))
        let blank = try await browser.post("/desk/import", Self.form(" \n "))
        let large = try await browser.post(
            "/desk/import", Self.form(String(repeating: "a", count: 1_000_001)))
        let domain = try await browser.post(
            "/desk/import", Self.form() + [("domain", "a b/c")])

        #expect(
            [prose.status, blank.status, large.status, domain.status] as [Int] == [
                422, 422, 422, 422,
            ])
        #expect(prose.body.contains("Just a sentence."))
        #expect(prose.body.contains("no known format"))
        #expect(large.body.contains("more than 1 MB"))
        #expect(domain.body.contains("domain-problem"))
        for page in [prose, blank] { #expect(!page.body.contains("--format")) }
    }

    @Test func hostileTextIsEscapedEverywhere() async throws {
        let script = "</textarea><script>alert(1)</script>"
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let text = """
            ::a::\(script) { =\(script)1 ~\(script)2 }

            ::\(script):: {}

            """

        let page = try await browser.post(
            "/desk/import", Self.form(text) + [("domain", "x"), ("format", script)])
        let refused = try await browser.post(
            "/desk/import", Self.form(text, bank: script) + [("domain", script)])

        #expect(page.status == 200 && refused.status == 422)
        for reply in [page, refused] {
            #expect(!reply.body.contains("<script>alert"))
            #expect(reply.body.contains("&lt;script&gt;"))
            #expect(reply.body.matches(of: /<\/textarea>/).count == 1)
        }
    }

    @Test(arguments: [
        ("[{\"stem\": \"x\"}]", "json"), ("{\"stem\": 1}\n{\"stem\": 2}\n", "jsonl"),
        ("<quiz><question/></quiz>", "moodle-xml"), ("<assessmentItem/>", "qti"),
        ("- id: a\n  stem: b\n", "yaml"), ("stem,option_a,correct\n", "csv"),
        ("Question;Answer 1;Correct\n", "csv"), ("# A\n\n- [x] b\n- [ ] c\n", "markdown"),
        ("What?\nA. a\nB. b\nANSWER: A\n", "aiken"), ("x {=y}", "gift"),
        ("{\"__type__\": \"Deck\"}", "crowdanki"),
    ]) func formatsAreToldByTheText(text: String, format: String) {
        #expect(PastedText.format(of: text)?.rawValue == format)
    }
}
