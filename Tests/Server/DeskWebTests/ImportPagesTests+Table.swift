import Accounts
import TestSupport
import Testing

@testable import DeskWeb

/// The table of an import: its menus, its filters, its pages, and the rows that a menu changed.
extension ImportPagesTests {
    /// The keys of the second and the third question are others if they are texts.
    private static let letters = """
        Question;A;B;C;Key
        Which letter is the second?;A;B;C;B
        Which letter is the first?;B;A;C;A
        Which one is a metal?;Iron;Oxygen;Neon;A

        """

    private static func paste(
        _ text: String, _ more: [(String, String)] = []
    ) -> [(String, String)] { [("bank", "int/made"), ("text", text)] + more }

    /// Returns a table with a bank of questions of which some have no key.
    private static func table(_ count: Int, keyless: Set<Int> = []) -> String {
        let rows = (1...count).map {
            "Is \($0) a number of its own?;yes \($0);no \($0);\(keyless.contains($0) ? "Z" : "A")"
        }
        return (["Question;A;B;Key"] + rows).joined(separator: "\n") + "\n"
    }

    @Test func aMenuThatChangesShowsTheRowsThatMoved() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])

        let first = try await browser.post(
            "/desk/import", Self.paste(Self.letters, [("keys", "letters")]))
        #expect(first.body.contains("Found 3: 3 to import, 0 skipped"), "\(first.body)")
        #expect(!first.body.contains(" changed.") && first.movedCount == 0)

        let second = try await browser.post(
            "/desk/import",
            Self.paste(Self.letters, [("keys", "texts"), ("shown", try first.shown)]))
        for words in [
            "Found 3: 2 to import, 1 skipped", "2 rows changed.", "changed (2)", "skipped (1)",
            "imported, key Iron", "imported, key B",
        ] { #expect(second.body.contains(words), "\(words)") }
        #expect(second.movedCount == 2 && second.rowCount == 3)

        // The same reading again, as for a filter or a page, is still compared with the one before.
        let same = [
            ("keys", "texts"), ("shown", try second.shown), ("before", try second.before),
        ]
        let changed = try await browser.post(
            "/desk/import", Self.paste(Self.letters, same + [("show", "changed")]))
        #expect(changed.rowCount == 2 && changed.movedCount == 2)
        #expect(!changed.body.contains("<span dir=\"auto\">Which letter is the second?"))

        // A setting that moves nothing says so.
        let still = try await browser.post(
            "/desk/import",
            Self.paste(Self.letters, same + [("separator", "semicolon"), ("show", "changed")]))
        #expect(still.body.contains("No row changed.") && still.rowCount == 0)
        #expect(still.body.contains("No row changed since the last reading."))
    }

    @Test func readingsOfOtherTextsAndOtherAuthorsAreNotCompared() async throws {
        let world = try await DeskWorld()
        let one = try await world.browser([.author])
        let other = try await world.browser([.author], email: "bob@example.org")
        let page = try await one.post(
            "/desk/import", Self.paste(Self.letters, [("keys", "letters")]))
        let more = [("keys", "texts"), ("shown", try page.shown), ("show", "changed")]

        let foreign = try await other.post("/desk/import", Self.paste(Self.letters, more))
        let edited = try await one.post(
            "/desk/import", Self.paste(Self.letters.replacing("Neon", with: "Argon"), more))

        for reply in [foreign, edited] {
            #expect(reply.status == 200 && reply.movedCount == 0 && reply.rowCount == 3)
            #expect(!reply.body.contains(" changed."))
        }
    }

    @Test func aMenuThatFitsNothingLosesNoComparison() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let page = try await browser.post(
            "/desk/import", Self.paste(Self.letters, [("keys", "letters")]))

        let unfit = try await browser.post(
            "/desk/import",
            Self.paste(Self.letters, [("keys", "flags"), ("shown", try page.shown)]))
        let fit = try await browser.post(
            "/desk/import",
            Self.paste(Self.letters, [("keys", "texts"), ("before", try unfit.before)]))

        #expect(unfit.status == 422 && unfit.body.contains("id=\"keys\""))
        #expect(try unfit.before == page.shown)
        #expect(fit.body.contains("2 rows changed."))
    }

    @Test func aFilterShowsItsRowsAndStaysChosen() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let text = Self.table(5, keyless: [2, 4])

        let all = try await browser.post("/desk/import", Self.paste(text))
        let skipped = try await browser.post(
            "/desk/import", Self.paste(text, [("show", "skipped")]))
        let problems = try await browser.post(
            "/desk/import", Self.paste(text, [("show", "problems")]))
        let unknown = try await browser.post(
            "/desk/import", Self.paste(text, [("show", "<script>")]))

        #expect(all.rowCount == 5 && all.body.contains("all (5)"))
        #expect(all.body.contains("id=\"show-all\" name=\"show\" value=\"all\" checked"))
        #expect(skipped.rowCount == 2 && skipped.body.contains("skipped (2)"))
        #expect(skipped.body.contains("name=\"show\" value=\"skipped\" checked"))
        let count = try #require(problems.body.firstMatch(of: /with problems \((\d+)\)/)?.1)
        #expect(problems.rowCount == Int(count) && problems.rowCount >= 2)
        #expect(unknown.rowCount == 5)
    }

    @Test func everyRowIsOnAPage() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let text = Self.table(450, keyless: [7, 300, 449])

        var seen: [String] = []
        for (page, rows) in [("1", 200), ("2", 200), ("3", 50)] {
            let reply = try await browser.post("/desk/import", Self.paste(text, [("page", page)]))
            #expect(reply.rowCount == rows, "page \(page)")
            #expect(reply.body.contains("id=\"previous\"") == (page != "1"))
            #expect(reply.body.contains("id=\"next\"") == (page != "3"))
            seen += reply.body.matches(of: /Is (\d+) a number of its own/).map { String($0.1) }
        }
        let behind = try await browser.post("/desk/import", Self.paste(text, [("page", "99")]))
        let none = try await browser.post("/desk/import", Self.paste(text, [("page", "-1")]))
        let skipped = try await browser.post(
            "/desk/import", Self.paste(text, [("page", "2"), ("show", "skipped")]))

        // The text field repeats the table on each page.
        let pages = seen.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        #expect(pages.count == 450 && pages.values.allSatisfy { $0 == 4 })
        #expect(behind.body.contains("Rows 401 to 450 of 450"))
        #expect(none.body.contains("Rows 1 to 200 of 450"))
        #expect(skipped.rowCount == 3 && !skipped.body.contains("id=\"previous\""))
    }

    @Test func onlyMenusOfTheFormatAreShownAndUsed() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let unused = [("separator", "tab"), ("list", "$.none"), ("keys", "flags")]

        let start = try await browser.get("/desk/import")
        let gift = try await browser.post(
            "/desk/import", Self.paste("What is 2+2? { =4 ~5 }\n", unused))
        let table = try await browser.post(
            "/desk/import", [("bank", "int/made")],
            file: ("bank.csv", Array(Self.letters.utf8)))
        let pasted = try await browser.post("/desk/import", Self.paste(Self.letters))

        #expect(start.menus == ["bank", "format"])
        #expect(gift.body.contains("Found 1: 1 to import"), "\(gift.body)")
        #expect(gift.menus == ["bank", "format", "text-form"])
        let ofTables = [
            "bank", "format", "keys", "header", "separator", "letters", "text-form", "values",
            "decimal",
        ]
        #expect(table.menus == ofTables + ["encoding"])
        #expect(pasted.menus == ofTables)
        #expect(table.body.contains("id=\"column-stem\"") && !gift.body.contains("column-stem"))
    }

    @Test func theAuthorChoosesTheListsOfADocument() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let text = """
            {"easy": [{"stem": "Which is a metal?", "options": ["Iron", "Neon"], "answer": "Iron"}],
             "hard": [{"stem": "Which is a noble gas?", "options": ["Iron", "Neon"], "answer": "Neon"}]}

            """

        let both = try await browser.post("/desk/import", Self.paste(text))
        let one = try await browser.post(
            "/desk/import", Self.paste(text, [("list", "$.easy"), ("shown", try both.shown)]))
        let none = try await browser.post("/desk/import", Self.paste(text, [("list", "$.no")]))

        #expect(both.body.contains("Found 2: 2 to import"), "\(both.body)")
        #expect(both.body.contains("name=\"list\" value=\"$.easy\">"))
        #expect(one.rowCount == 1 && one.body.contains("<bdi>$.hard</bdi> (1, not read)"))
        #expect(one.body.contains("name=\"list\" value=\"$.easy\" checked>"))
        #expect(one.body.contains("No row changed, 1 is gone."))
        #expect(none.status == 422 && none.body.contains("name=\"list\" value=\"$.no\" checked>"))
    }

    @Test func theAuthorNamesTheEncodingOfAFile() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let bytes =
            Array("Question;A;B;Key\nWelche Stra".utf8) + [0xDF] + Array("e?;Berg;Tal;B\n".utf8)

        let found = try await browser.post(
            "/desk/import", [("bank", "int/made")], file: ("bank.csv", bytes))
        let named = try await browser.post(
            "/desk/import",
            [
                ("bank", "int/made"), ("upload", try found.upload),
                ("shown", try found.shown), ("encoding", "windows-1251"),
            ])

        #expect(found.body.contains("Straße"))
        #expect(named.body.contains("StraЯe") && named.body.contains("Read as CSV, windows-1251"))
        #expect(named.body.contains("value=\"windows-1251\" selected"))
        // What moved is keys and states.
        #expect(named.body.contains("No row changed."))
    }

    @Test func anImportUnderOtherMenusThanShownWritesNothing() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let page = try await browser.post(
            "/desk/import", Self.paste(Self.letters, [("keys", "letters")]))

        let more = [("keys", "letters"), ("then", "import"), ("shown", try page.shown)]
        let other = try await browser.post(
            "/desk/import", Self.paste(Self.letters, more + [("separator", "semicolon")]))
        let same = try await browser.post("/desk/import", Self.paste(Self.letters, more))

        #expect(other.status == 409 && other.body.contains("Nothing was imported"))
        #expect(same.status == 303)
    }
}

extension DeskReply {
    /// The mark of the reading with which the shown one is compared.
    fileprivate var before: String {
        get throws {
            try String(#require(body.firstMatch(of: /name="before" value="([0-9a-f]+)"/)).1)
        }
    }

    /// The number of rows in the table.
    fileprivate var rowCount: Int { body.matches(of: /<tr(?: class="is-moved")?><td/).count }

    /// The number of rows with the mark of a change.
    fileprivate var movedCount: Int {
        body.matches(of: /<span class="tag">changed<\/span>/).count
    }

    /// The menus of the page.
    fileprivate var menus: [String] {
        body.matches(of: /<select class="select" id="([a-z-]+)"/).map { String($0.1) }
    }
}
