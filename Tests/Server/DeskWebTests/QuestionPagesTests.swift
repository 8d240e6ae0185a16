import Accounts
import ContentModel
import Foundation
import HTTPTypes
import Publishing
import Review
import TestSupport
import Testing

@testable import DeskWeb

/// The list of questions and the page on which one is edited.
struct QuestionPagesTests {
    static let path = "/desk/questions/int~made/q1"

    /// The fields of the first question as its page sends them.
    static func fields(_ world: DeskWorld, _ changes: [String: String] = [:]) throws -> [(
        String, String
    )] {
        let value = try #require(
            try ContentEditor(folder: world.content).read(.question(id: "q1", bank: "int/made"))
                .value)
        var fields = [
            ("base", String(decoding: value.canonicalBytes, as: UTF8.self)),
            ("stem", "Of which type is `2.5`?"), ("option", "a"),
            ("option", "b"), ("text-0", "Float"), ("text-1", "Double"), ("feedback-0", ""),
            ("feedback-1", ""), ("right", "0"), ("shuffle", "on"), ("difficulty", "1"),
            ("tags", ""), ("explanation", ""), ("code-text", ""), ("code-language", ""),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.0 == name }
            fields.append((name, value))
        }
        return fields
    }

    static func file(_ world: DeskWorld) throws -> String {
        try world.folder.text("content/exams/int/made/questions.yaml")
    }

    // MARK: The list

    @Test func theListShowsEveryQuestionAndWhatNeedsAnAuthorFirst() async throws {
        let world = try await DeskWorld(
            questions: DeskWorld.sampleQuestions)
        try world.folder.write(
            DeskWorld.sampleQuestions.replacing("difficulty: 2", with: "difficulty: 9"),
            to: "content/exams/int/made/questions.yaml")
        let page = try await world.browser([.author]).get("/desk/questions")

        #expect(page.status == 200)
        let (first, second) = (page.body.range(of: ">q2</code>"), page.body.range(of: ">q1</code>"))
        #expect(try #require(first).lowerBound < #require(second).lowerBound)
        for words in [
            "1 error", "Made, 2 questions. 1 has problems.", "<code>2.5</code>", "Changed",
        ] {
            #expect(page.body.contains(words), "\(words)")
        }
        #expect(page.body.matches(of: /button filled/).count == 1)
    }

    @Test func theListShowsNoMarksOfAFormattedText() async throws {
        let questions = DeskWorld.sampleQuestions.replacing(
            "difficulty: 1\n", with: "difficulty: 1\n  text: markdown\n"
        ).replacing("`2.5`", with: "**this** number")
        let world = try await DeskWorld(questions: questions)
        let page = try await world.browser([.author]).get("/desk/questions")
        #expect(page.body.contains("this number") && !page.body.contains("**"), "\(page.body)")
    }

    @Test(arguments: [
        ("q=2.5", ["q1"]), ("q=REFERENCE%20type", ["q2"]), ("level=2", ["q2"]),
        ("state=errors", []),
        ("type=ordering", []), ("bank=int/made", ["q1", "q2"]), ("bank=int/other", []),
        ("state=retired", []), ("type=single-choice&level=1", ["q1"]), ("page=7", ["q1", "q2"]),
        ("level=x&state=y", ["q1", "q2"]),
    ]) func filtersShowWhatTheySay(query: String, ids: [String]) async throws {
        let world = try await DeskWorld()
        let page = try await world.browser([.author]).get("/desk/questions?\(query)")

        #expect(page.status == 200)
        for id in ["q1", "q2"] {
            #expect(page.body.contains(">\(id)</code>") == ids.contains(id), "\(id)")
        }
    }

    @Test func aDoubtedKeyIsSaid() async throws {
        let world = try await DeskWorld()
        let review = try #require(world.users.review)
        let proposal = Proposal(
            bank: "int/made", question: "q2",
            version: "sha256:\(String(repeating: "0", count: 64))",
            key: "a", proposedKey: "b",
            evidence: .init(
                respondents: 9, reports: 2, score: 3.5, probability: 0.97, outcome: "act",
                labels: ["a", "b"], shares: [0.3, 0.7]), flaggedAt: 1_700_000_000_000)
        _ = try await review.changeProposals { _ in ProposalChanges(proposals: [proposal]) }
        let browser = try await world.browser([.author])

        let page = try await browser.get("/desk/questions?state=doubted")

        #expect(page.body.contains("Key doubted"))
        #expect(page.body.contains(">q2</code>"))
        #expect(!page.body.contains(">q1</code>"))
    }

    @Test func theListSaysHowOftenAQuestionIsAnsweredRight() async throws {
        let world = try await DeskWorld()
        func item(_ question: String, answers: Int, right: Int) -> BankReview.Item {
            var item = BankReview.Item(
                question: question, version: "", key: "a", proposedKey: nil,
                evidence: .init(respondents: answers, reports: 0, score: 0))
            item.right = right
            return item
        }
        world.desk.shares.take(
            BankReview(
                bank: "int/made",
                items: [item("q1", answers: 41, right: 26), item("q2", answers: 19, right: 1)]))

        let page = try await world.browser([.author]).get("/desk/questions")

        #expect(page.body.contains("title=\"of 41 first answers\""))
        #expect(page.body.contains(">63 %</span>"))
        #expect(page.body.matches(of: /no answers yet/).count == 1)
        #expect(!page.body.contains("of 19"))
    }

    @Test func severalChosenOnesAreChangedInTheirFileAlone() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let both = [
            ("q", "int/made q1"), ("q", "int/made q2"), ("back", "level=1&bank=int%2Fmade"),
        ]

        let level = try await browser.post(
            "/desk/questions/change", both + [("do", "level"), ("level", "4")])
        #expect(level.status == 303)
        #expect(level.location == "/desk/questions?bank=int%2Fmade&level=1")
        #expect(
            try Self.file(world)
                == DeskWorld.sampleQuestions.replacing("difficulty: 1", with: "difficulty: 4")
                .replacing("difficulty: 2", with: "difficulty: 4"))

        _ = try await browser.post("/desk/questions/change", [both[0], ("do", "retire")])
        _ = try await browser.post(
            "/desk/questions/change", both + [("do", "tag"), ("tag", "numbers")])
        let file = try Self.file(world)
        #expect(file.contains("# the first"))
        #expect(file.matches(of: /retired: true/).count == 1)
        #expect(file.matches(of: /numbers/).count == 2)

        let none = try await browser.post("/desk/questions/change", [("do", "retire")])
        let wrong = try await browser.post(
            "/desk/questions/change", both + [("do", "level"), ("level", "9")])
        #expect([none.status, wrong.status] as [Int] == [422, 422])
        #expect(try Self.file(world) == file)
    }

    // MARK: Editing

    @Test func thePageShowsTheQuestionInTheLearnersOrder() async throws {
        let world = try await DeskWorld()
        let page = try await world.browser([.author]).get(Self.path)

        #expect(page.status == 200)
        var at = page.body.startIndex
        for part in [
            "name=\"csrf\"", "name=\"seen\"", "id=\"stem\"", "id=\"code-text\"", "value=\"Float\"",
            "value=\"Double\"", "id=\"explanation\"", "id=\"difficulty\"", "id=\"tags\"",
            "name=\"retired\"",
            "desk-phone-open",
        ] {
            let found = page.body.range(of: part, range: at..<page.body.endIndex)
            at = try #require(found, "\(part)").upperBound
        }
        #expect(page.body.utf8.count < 100_000)
        #expect(page.body.matches(of: /button filled/).count == 1)
        #expect(
            try await world.browser([.author], email: "b@example.org").get(
                "/desk/questions/int~made/none"
            ).status == 404)
        #expect(
            try await world.browser([.author], email: "c@example.org").get(
                "/desk/questions/int~none/q1"
            ).status == 404)
    }

    @Test func savingKeepsAllOtherBytes() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])

        let same = try await browser.post(Self.path, Self.fields(world))
        #expect(same.status == 303)
        #expect(try Self.file(world) == DeskWorld.sampleQuestions)

        let saved = try await browser.post(
            Self.path, Self.fields(world, ["text-1": "Decimal", "right": "1"]))
        #expect(saved.status == 303)
        #expect(saved.location == Self.path)
        let first = try #require(DeskWorld.sampleQuestions.range(of: "correct: [0]"))
        #expect(
            try Self.file(world)
                == DeskWorld.sampleQuestions.replacingCharacters(in: first, with: "correct: [1]")
                .replacing("Double", with: "Decimal"))
        let page = try await browser.get(Self.path)
        #expect(page.body.contains("Saved to exams/int/made/questions.yaml"))
        #expect(page.body.contains("The release has another key: Float."))
    }

    @Test func errorsStandAtTheirFieldsAndDoNotStopSaving() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let changes = ["text-1": "float", "difficulty": "7", "stem": " "]

        let check = try await browser.post(Self.path + "/check", Self.fields(world, changes))
        #expect(check.status == 200)
        for part in [
            "id=\"stem-messages\" class=\"desk-said\" data-part><p class=\"error\">",
            "id=\"difficulty-messages\" class=\"desk-said\" data-part><p class=\"error\">",
            "aria-describedby=\"options-1-messages\"", "href=\"#stem-messages\">2 errors",
            "1 warning", "differ in case only",
        ] {
            #expect(check.body.contains(part), "\(part)")
        }
        #expect(check.body.matches(of: /aria-invalid="true"/).count == 2)
        #expect(try Self.file(world) == DeskWorld.sampleQuestions)

        let saved = try await browser.post(Self.path, Self.fields(world, changes))
        #expect(saved.status == 303)
        #expect(try Self.file(world).contains("difficulty: 7"))
        #expect(try await browser.get(Self.path).body.contains("2 errors"))
    }

    @Test func aConflictLosesNothing() async throws {
        let world = try await DeskWorld()
        let (one, two) = (
            try await world.browser([.author]),
            try await world.browser([.author], email: "bob@example.org")
        )
        let mine = try Self.fields(world, ["stem": "Mine?", "text-0": "Half"])
        _ = try await two.post(
            Self.path, Self.fields(world, ["stem": "Theirs?", "explanation": "Theirs too"]))
        let theirs = try Self.file(world)

        let conflict = try await one.post(Self.path, mine)
        #expect(conflict.status == 409)
        for words in [
            "Mine?", "Theirs?", "Theirs too", "value=\"Half\"", "Save mine", "Use the other",
        ] {
            #expect(conflict.body.contains(words), "\(words)")
        }
        #expect(try Self.file(world) == theirs)

        // The page has what only the other changed in its fields, and what was saved meanwhile as its beginning.
        #expect(conflict.body.contains("Theirs too</textarea>"))
        let again = try Self.fields(
            world, ["stem": "Mine?", "text-0": "Half", "explanation": "Theirs too"])
        #expect(try await one.post(Self.path, again).status == 303)
        let file = try Self.file(world)
        #expect(file.contains("Mine?") && file.contains("Theirs too"))
        #expect(!file.contains("Theirs?"))
    }

    @Test func whatOnlyTheOtherChangedIsNotPutBack() async throws {
        let world = try await DeskWorld()
        let (one, two) = (
            try await world.browser([.author]),
            try await world.browser([.author], email: "bob@example.org")
        )
        // One saw the wrong key, and corrects the explanation alone.
        let mine = try Self.fields(world, ["explanation": "Because."])
        _ = try await two.post(Self.path, Self.fields(world, ["right": "1"]))

        let saved = try await one.post(Self.path, mine)

        #expect(saved.status == 303)
        let page = try await one.get(Self.path)
        #expect(page.body.contains("with what somebody else changed meanwhile"))
        let file = try Self.file(world)
        #expect(file.contains("Because.") && file.contains("correct: [1]"))

        // Both choose another key: nothing is decided for them.
        let key = try Self.fields(world, ["right": "0"])
        _ = try await two.post(Self.path, Self.fields(world, ["right": "1", "text-0": "Half"]))
        let before = try Self.file(world)
        #expect(try await one.post(Self.path, key).status == 409)
        #expect(try Self.file(world) == before)
        #expect(try await one.post(Self.path, key.filter { $0.0 != "base" }).status == 400)
    }

    @Test func picturesOfTheBankAreShownAndNothingElse() async throws {
        let world = try await DeskWorld()
        let folder = "content/exams/int/made/"
        try world.folder.write(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: folder + "media/a.png")
        try world.folder.write(
            "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>",
            to: folder + "media/b.svg")
        try world.folder.write("<html><script>alert(1)</script>", to: folder + "media/c.svg")
        try world.folder.write(
            DeskWorld.sampleQuestions.replacing(
                "stem: Which is", with: "image: b.svg\n  stem: Which is"),
            to: folder + "questions.yaml")
        let browser = try await world.browser([.author])

        let page = try await browser.get("/desk/questions/int~made/q2")
        #expect(page.body.contains("<img src=\"/desk/media/int~made?name=b.svg\""))
        #expect(page.body.contains("value=\"b.svg\" list=\"pictures\""))
        let (bitmap, drawing) = (
            try await browser.get("/desk/media/int~made?name=a.png"),
            try await browser.get("/desk/media/int~made?name=b.svg")
        )
        #expect([bitmap.status, drawing.status] as [Int] == [200, 200])
        #expect(drawing.headers[.contentType] == "image/svg+xml")
        #expect(drawing.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
        for name in ["c.svg", "d.png", "../exam.yaml", "..%2Fexam.yaml", "", "%00"] {
            #expect(
                try await browser.get("/desk/media/int~made?name=\(name)").status == 404, "\(name)")
        }
    }

    @Test func aQuestionThatWasNeverReleasedIsDeletedAndNoOther() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        _ = try await browser.post(
            "/desk/questions/new",
            [("bank", "int/made"), ("type", "single-choice"), ("id", "q3"), ("stem", "By mistake")])
        let path = "/desk/questions/int~made/q3"
        #expect(try await browser.get(path).body.contains("Delete this question"))
        #expect(try await !browser.get(Self.path).body.contains("Delete this question"))
        let value = try #require(
            try ContentEditor(folder: world.content).read(.question(id: "q3", bank: "int/made"))
                .value)
        let base = ("base", String(decoding: value.canonicalBytes, as: UTF8.self))

        let stale = try await browser.post(path + "/delete", [("base", "{}")])
        let released = try await browser.post(Self.path + "/delete", [base])
        let done = try await browser.post(path + "/delete", [base])

        #expect([stale.status, released.status, done.status] as [Int] == [409, 409, 303])
        #expect(try Self.file(world) == DeskWorld.sampleQuestions)
    }

    @Test func aNewQuestionHasNoKeyThatNobodyChose() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        for (id, type) in [
            ("n1", "single-choice"), ("n2", "multi-choice"), ("n3", "numeric-entry"),
        ] {
            _ = try await browser.post(
                "/desk/questions/new",
                [("bank", "int/made"), ("type", type), ("id", id), ("stem", "Which, \(id)?")])
            let page = try await browser.get("/desk/questions/int~made/\(id)")
            #expect(!page.body.contains("name=\"right\" value=\"0\" checked"), "\(id)")
            #expect(page.body.contains("key") || page.body.contains("number"), "\(id)")
            #expect(page.body.contains("error"), "\(id)")
        }
    }

    @Test func placesThatTwoOptionsHaveMakeNoKey() async throws {
        let world = try await DeskWorld(
            questions: DeskWorld.sampleQuestions.replacing("correct: [0]", with: "correct: [1, 0]")
                .replacing("single-choice", with: "ordering"))
        let browser = try await world.browser([.author])
        for places in [("1", "1"), ("1", "9"), ("0", "1"), ("x", "1")] {
            let reply = try await browser.post(
                Self.path + "/check",
                Self.fields(world, ["place-0": places.0, "place-1": places.1]))
            #expect(reply.body.contains("1 error<"), "\(places)")
        }
        let right = try await browser.post(
            Self.path + "/check", Self.fields(world, ["place-0": "1", "place-1": "2"]))
        #expect(!right.body.contains("error<"))
    }

    @Test func optionsAreAddedMovedAndRemovedWithoutSaving() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])

        let added = try await browser.post(
            Self.path + "/check", Self.fields(world, ["do": "add", "stem": "Typed"]))
        #expect(added.body.contains("name=\"option\" value=\"c\""))
        #expect(added.body.contains("Typed"))
        let moved = try await browser.post(Self.path + "/check", Self.fields(world, ["do": "up:1"]))
        #expect(
            try #require(moved.body.range(of: "value=\"Double\"")).lowerBound
                < #require(moved.body.range(of: "value=\"Float\"")).lowerBound)
        let removed = try await browser.post(
            Self.path + "/check", Self.fields(world, ["do": "remove:0"]))
        #expect(!removed.body.contains("value=\"Float\""))
        #expect(try Self.file(world) == DeskWorld.sampleQuestions)
    }

    @Test func hostileTextIsShownAsText() async throws {
        let hostile = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'"
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        var changes: [String: String] = [:]
        for name in [
            "stem", "text-0", "text-1", "feedback-0", "explanation", "code-text", "code-language",
            "tags", "domain", "difficulty",
        ] { changes[name] = hostile + name }
        #expect(try await browser.post(Self.path, Self.fields(world, changes)).status == 303)

        for path in [
            Self.path, "/desk/questions", "/desk/questions/duplicates",
            "/desk/questions?q=%3Cscript%3Ealert(1)%3C/script%3E&bank=%22%3E%3Cimg%20src=x",
            "/desk/questions/new?bank=%22%3E%3Cimg%20src=x",
        ] {
            let page = try await browser.get(path)
            #expect(page.status == 200)
            #expect(!page.body.contains("<script>alert"), "\(path)")
            #expect(!page.body.contains("<img src=x"), "\(path)")
        }
        let check = try await browser.post(Self.path + "/check", Self.fields(world, changes))
        #expect(!check.body.contains("<script>alert"))
    }

    // MARK: New ones and duplicates

    @Test func aNewQuestionIsAddedInTheStyleOfItsFile() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])

        let form = try await browser.get("/desk/questions/new?bank=int/made")
        #expect(form.body.contains("value=\"q3\""))
        let fields = [
            ("bank", "int/made"), ("type", "multi-choice"), ("id", "q3"), ("stem", "Why?"),
        ]
        let reply = try await browser.post("/desk/questions/new", fields)
        #expect(reply.status == 303)
        #expect(reply.location == "/desk/questions/int~made/q3")
        let file = try Self.file(world)
        #expect(file.hasPrefix(DeskWorld.sampleQuestions.trimmed))
        #expect(file.contains("\n- id: q3\n  type: multi-choice\n  stem: Why?\n"))
        #expect(try await browser.get("/desk/questions/int~made/q3").body.contains("error"))

        let twice = try await browser.post("/desk/questions/new", fields)
        #expect(twice.status == 422)
        let unsafe = try await browser.post(
            "/desk/questions/new",
            [("bank", "../.."), ("type", "ordering"), ("id", "q4"), ("stem", "?")])
        #expect(unsafe.status == 422)
        #expect(try Self.file(world) == file)
    }

    @Test func questionsThatAskTheSameStandTogether() async throws {
        let world = try await DeskWorld(
            questions: DeskWorld.sampleQuestions.replacing(
                "Which is a reference type?", with: "OF which  type is `2.5`?"))
        let browser = try await world.browser([.author])

        let page = try await browser.get("/desk/questions/duplicates")

        #expect(page.body.contains("One text is asked more than once."))
        #expect(page.body.contains("/desk/questions/int~made/q1"))
        #expect(page.body.contains("/desk/questions/int~made/q2"))
    }
}
