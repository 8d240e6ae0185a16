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

    // MARK: Files

    /// A table in Windows-1252, which no text field could hold.
    private static let table: [UInt8] =
        Array("Frage;A;B;Richtig\nWelche Stra".utf8) + [0xDF]
        + Array("e?;Berg;Tal;B\nLeer?;;;A\n".utf8)

    private static func fileForm(
        _ then: String = "check", _ more: [(String, String)] = []
    ) -> [(String, String)] { [("bank", "int/made"), ("then", then), ("text", "")] + more }

    @Test func aFileIsShownAsATableAndWrittenWithoutBeingSentAgain() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let before = try Self.files(world)

        let page = try await browser.post(
            "/desk/import", Self.fileForm(), file: ("C:\\Daten\\bank.csv", Self.table))
        #expect(page.status == 200, "\(page.body)")
        for words in [
            "Found 2: 1 to import, 1 skipped", "Read as CSV, Windows-1252", "Welche Straße?",
            "<strong dir=\"auto\">bank.csv</strong>", "keys: letters", "separator: semicolon",
            "right: ", ">skipped<", "line 3", "Leer?",
        ] { #expect(page.body.contains(words), "\(words)") }
        #expect(page.body.matches(of: /button filled/).count == 1)
        #expect(try Self.files(world) == before)

        let done = try await browser.post(
            "/desk/import",
            Self.fileForm("import", [("upload", try page.upload), ("shown", try page.shown)]))
        #expect(done.status == 303, "\(done.body)")
        #expect(
            try world.folder.text("content/exams/int/made/questions-bank.yaml")
                .contains("Welche Straße?"))
        let again = try await browser.post(
            "/desk/import", Self.fileForm("check", [("upload", try page.upload)]))
        #expect(again.status == 422 && again.body.contains("no longer has this file"))
    }

    @Test func theFileOfAnotherIsNotRead() async throws {
        let world = try await DeskWorld()
        let (one, other) = (
            try await world.browser([.author]),
            try await world.browser([.author], email: "bob@example.org")
        )
        let page = try await one.post(
            "/desk/import", Self.fileForm(), file: ("bank.csv", Self.table))
        let reply = try await other.post(
            "/desk/import", Self.fileForm("check", [("upload", try page.upload)]))
        #expect(reply.status == 422 && !reply.body.contains("Straße"))
    }

    @Test func whatTheAuthorSaysOfAFileDecides() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let bytes = Array("One|Two|x|y|Key\nSun?|Moon?|yes|no|B\n".utf8)
        let more = [
            ("column-stem", "Two"), ("column-correct", "Key"), ("separator", "bar"),
            ("header", "yes"), ("keys", "letters"), ("format", "csv"),
        ]
        let page = try await browser.post(
            "/desk/import", Self.fileForm("check", more), file: ("made.txt", bytes))
        #expect(page.status == 200, "\(page.body)")
        #expect(
            page.body.contains("Moon?") && page.body.contains("<details class=\"desk-more\" open>"))
        #expect(page.body.contains("value=\"Two\""))
    }

    @Test func aFileThatIsTooLargeOrNoQuestionIsRefusedAtItsField() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let large = try await browser.post(
            "/desk/import", Self.fileForm(),
            file: ("a.csv", [UInt8](repeating: 0x61, count: 8 * 1024 * 1024 + 1)))
        #expect(large.status == 422 && large.body.contains("more than 8 MB"))
        let empty = try await browser.post(
            "/desk/import", Self.fileForm(), file: ("<b>.docx", [0x50, 0x4B, 3, 4]))
        #expect(empty.status == 422 && empty.body.contains("id=\"file-problem\""))
        #expect(!empty.body.contains("<b>.docx") && empty.body.contains("&lt;b&gt;.docx"))
        let none = try await browser.post(
            "/desk/import", Self.form() + [("upload", "")], file: ("", []))
        #expect(none.status == 200 && none.body.contains("Found 3"))
    }

    // MARK: Taking back

    @Test func anImportIsOneCommitAndIsTakenBackAsOne() async throws {
        let world = try await DeskWorld()
        for words in [
            ["init", "-q"], ["config", "user.name", "made"], ["config", "user.email", "m@m"],
            ["add", "."], ["commit", "-qm", "start"],
        ] { try world.git(words) }
        let before = try Self.files(world)
        let browser = try await world.browser([.author])
        let csv = """
            id,stem,option_a,option_b,correct,difficulty
            q1,Of which type is `2.5`?,Float,Double,B,1
            new,What is 2+2?,4,5,A,1

            """
        let update = [("update", "true")]
        let page = try await browser.post("/desk/import", Self.form(csv) + update)
        let done = try await browser.post(
            "/desk/import", Self.form(csv, then: "import", shown: try page.shown) + update)
        #expect(done.status == 303)
        let after = try await browser.get("/desk/import")
        let id = try #require(after.body.firstMatch(of: /Take the import (\S+) back/)?.1)
        #expect(try world.git(["log", "--format=%s"]).split(separator: "\n").count == 2)

        let undone = try await browser.post("/desk/import/undo", [("id", String(id))])
        #expect(undone.status == 303, "\(undone.body)")
        #expect(try Self.files(world) == before)
        #expect(
            try world.folder.text("content/exams/int/made/questions.yaml")
                == DeskWorld.sampleQuestions)
        #expect(
            try world.git(["log", "-1", "--format=%s"]) == "Take back the import \(id)\n")
        #expect(try world.git(["status", "--porcelain"]).isEmpty)
        let again = try await browser.post("/desk/import/undo", [("id", String(id))])
        #expect(again.status == 409 && again.body.contains("no import to take back"))
    }

    @Test func anImportWhoseFileChangedSinceStays() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let page = try await browser.post("/desk/import", Self.form())
        _ = try await browser.post(
            "/desk/import", Self.form(then: "import", shown: try page.shown))
        let file = "content/exams/int/made/questions-import.yaml"
        let edited = try world.folder.text(file) + "# looked at\n"
        try world.folder.write(edited, to: file)
        let list = try await browser.get("/desk/import")
        let id = try #require(list.body.firstMatch(of: /Take the import (\S+) back/)?.1)
        let reply = try await browser.post("/desk/import/undo", [("id", String(id))])
        #expect(reply.status == 409 && reply.body.contains("changed since the import"))
        #expect(try world.folder.text(file) == edited)
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
