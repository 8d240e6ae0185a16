import Accounts
import Foundation
import HTTPTypes
import Ledger
import Publishing
import Review
import TestSupport
import Testing

@testable import DeskWeb

/// The page of a doubted key, from the evidence to the fix.
struct ProposalPagesTests {
    /// Adds a proposal about the first question, whose key `a` is doubted in favour of `b`.
    static func propose(
        _ world: DeskWorld, proposedKey: String? = "b", question: String = "q1"
    ) async throws -> Int64 {
        let review = try #require(world.users.review)
        var evidence = Proposal.Evidence(
            respondents: 120, reports: 2, score: 3.5, probability: 0.97, outcome: "act",
            labels: ["a", "b"], shares: [0.3, 0.7])
        evidence.groups = [(40, 0.5), (40, 0.3), (40, 0.1)].map {
            .init(count: $0.0, shares: [$0.1, 1 - $0.1])
        }
        let proposal = Proposal(
            bank: "int/made", question: question,
            version: "sha256:\(String(repeating: "0", count: 64))",
            key: "a", proposedKey: proposedKey, evidence: evidence, flaggedAt: 1_700_000_000_000)
        let stored = try await review.changeProposals { _ in ProposalChanges(proposals: [proposal])
        }
        return try #require(stored.first).number
    }

    /// Presses a button of a proposal's page as it is now.
    static func confirm(
        _ browser: DeskBrowser, _ number: Int64, _ form: [(String, String)]
    ) async throws -> DeskReply {
        let page = try await browser.get("/desk/proposals/\(number)")
        let shown = page.body.firstMatch(of: /name="shown" value="([0-9a-f]+)"/)
        return try await browser.post(
            "/desk/proposals/\(number)/confirm",
            form + [("shown", shown.map { String($0.1) } ?? "")])
    }

    private static func state(_ number: Int64, _ world: DeskWorld) async throws -> Proposal.State? {
        try await world.users.review?.proposal(number)?.state
    }

    @Test func thePageSaysWhyAndProposesTheKey() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        let browser = try await world.browser([.author, .publisher])

        let page = try await browser.get("/desk/proposals/\(number)")

        #expect(page.status == 200)
        for words in [
            "97 of 100 such keys", "The better people are, the more choose Double",
            "answered by 120 people", "Make Double right and publish", "Make Double right only",
            "<code>2.5</code>", "role=\"img\"", "<dd class=\"is-wrong\" dir=\"auto\">Float</dd>",
        ] {
            #expect(page.body.contains(words), "\(words)")
        }
        #expect(page.body.matches(of: /button filled/).count == 1)
    }

    @Test func confirmingChangesTheKeyAloneAndPublishes() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        let browser = try await world.browser([.author, .publisher])

        let reply = try await Self.confirm(browser, number, [("then", "publish")])

        #expect(reply.status == 303)
        #expect(reply.location == "/desk/proposals/\(number)")
        let before = DeskWorld.sampleQuestions
        let start = try #require(before.range(of: "correct: [0]"))
        #expect(
            try world.folder.text("content/exams/int/made/questions.yaml")
                == before.replacingCharacters(in: start, with: "correct: [1]"))
        #expect(try await Self.state(number, world) == .confirmed)
        #expect(
            try Publisher(folder: world.content, releaseDirectory: world.release).status().release
                == 2)
        let page = try await browser.get("/desk/proposals/\(number)")
        #expect(page.body.contains("Release 2 is out"))
        let entries = try await world.users.administration?.entries(action: "proposal")
        #expect(entries?.first?.action == .proposalConfirmed)
    }

    @Test func anAuthorCorrectsAndSomebodyElsePublishes() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        let author = try await world.browser([.author])

        let page = try await author.get("/desk/proposals/\(number)")
        let forced = try await author.post(
            "/desk/proposals/\(number)/confirm", [("then", "publish")])
        let state = try await Self.state(number, world)
        let saved = try await Self.confirm(author, number, [("then", "save")])

        #expect(!page.body.contains("and publish</button>"))
        #expect(forced.status == 403)
        #expect(state == .open)
        #expect(saved.status == 303)
        #expect(
            try Publisher(folder: world.content, releaseDirectory: world.release).status().release
                == 1)
    }

    @Test(arguments: [
        ("exams/int/made/exam.yaml", "title: Made anew\nversion: \"1.0.1\"\n"),
        (
            "exams/int/made/questions.yaml",
            DeskWorld.sampleQuestions.replacing("reference type", with: "kind of reference")
        ),
        (
            "exams/int/made/questions.yaml",
            DeskWorld.sampleQuestions.replacing("Of which type", with: "Which type")
        ), ("assets/note.txt", "An asset."),
    ])
    func otherChangesAreNotPublishedByTheWay(file: String, text: String) async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        try world.folder.write(text, to: "content/" + file)
        let browser = try await world.browser([.author, .publisher])

        let page = try await browser.get("/desk/proposals/\(number)")

        #expect(page.body.contains("Other changes wait"))
        #expect(!page.body.contains("right and publish"))
        // Neither does a press on a page that was shown before the other change came.
        let pressed = try await Self.confirm(browser, number, [("then", "publish")])
        #expect(pressed.status == 409)
        #expect(pressed.body.contains("(Double) now, it was"))
        #expect(pressed.body.contains("nothing was published"))
        #expect(
            try Publisher(folder: world.content, releaseDirectory: world.release).status().release
                == 1)
    }

    @Test func whatThePageDidNotShowIsNotConfirmed() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        let browser = try await world.browser([.author, .publisher])
        let path = "/desk/proposals/\(number)"
        let page = try await browser.get(path)
        let shown = String(
            try #require(page.body.firstMatch(of: /name="shown" value="([0-9a-f]+)"/)).1)

        // Further answers propose another key meanwhile.
        let review = try #require(world.users.review)
        _ = try await review.changeProposals { newest in
            var proposal = newest[0]
            proposal.proposedKey = nil
            return ProposalChanges(proposals: [proposal])
        }
        let other = try await browser.post(
            path + "/confirm", [("then", "publish"), ("shown", shown), ("key", "b")])
        _ = try await review.changeProposals { newest in
            var proposal = newest[0]
            proposal.proposedKey = "b"
            return ProposalChanges(proposals: [proposal])
        }
        // A colleague swaps the texts of the options.
        let swapped = DeskWorld.sampleQuestions.replacing("Float", with: "Half")
        try world.folder.write(swapped, to: "content/exams/int/made/questions.yaml")
        let edited = try await browser.post(
            path + "/confirm", [("then", "publish"), ("shown", shown)])
        let none = try await browser.post(path + "/confirm", [("then", "save")])

        #expect([other.status, edited.status, none.status] as [Int] == [409, 409, 409])
        #expect(edited.body.contains("changed since you were shown it"))
        #expect(try world.folder.text("content/exams/int/made/questions.yaml") == swapped)
        #expect(try await Self.state(number, world) == .open)
    }

    @Test func whatIsConfirmedAndNotPublishedIsPublishedFromThePage() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        let author = try await world.browser([.author])
        let saved = try await Self.confirm(author, number, [("then", "save")])
        let waits = try await author.get("/desk/proposals/\(number)")
        let publisher = try await world.browser([.author, .publisher], email: "b@example.org")
        let page = try await publisher.get("/desk/proposals/\(number)")
        let shipped = try await Self.confirm(publisher, number, [("then", "publish")])
        let done = try await publisher.get("/desk/proposals/\(number)")

        #expect(saved.status == 303 && shipped.status == 303)
        #expect(waits.body.contains("It is not published yet."))
        #expect(waits.body.contains("questions.yaml has this key. Somebody who may publish"))
        #expect(page.body.contains("Make Double right and publish"))
        #expect(!page.body.contains("Make Double right only"))
        #expect(done.body.contains("Release 2 is out") && !done.body.contains("right and publish"))
        #expect(
            try await world.users.administration?.entries(action: "proposal").count == 1)
    }

    @Test func twoPeopleConfirmAndOneReleaseFollows() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        let one = try await world.browser([.author, .publisher])
        let two = try await world.browser([.author, .publisher], email: "bob@example.org")
        async let first = Self.confirm(one, number, [("then", "publish")])
        async let second = Self.confirm(two, number, [("then", "publish")])
        let statuses = try await [first.status, second.status].sorted()

        #expect(statuses == [303, 409])
        #expect(
            try Publisher(folder: world.content, releaseDirectory: world.release).status().release
                == 2)
    }

    @Test func withoutAProposedKeyOneIsChosen() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world, proposedKey: nil)
        let browser = try await world.browser([.author, .publisher])

        let page = try await browser.get("/desk/proposals/\(number)")
        let empty = try await Self.confirm(browser, number, [("then", "save")])
        let unknown = try await Self.confirm(browser, number, [("then", "save"), ("key", "z")])
        let present = try await Self.confirm(browser, number, [("then", "save"), ("key", "a")])
        let chosen = try await Self.confirm(browser, number, [("then", "save"), ("key", "b")])

        #expect(page.body.contains("Too few answers to say"))
        #expect(!page.body.contains("button filled"))
        #expect(empty.status == 422)
        #expect(unknown.status == 409)
        #expect(present.status == 422 && present.body.contains("dismiss the proposal"))
        #expect(chosen.status == 303)
    }

    @Test func dismissingWantsAReasonAndIsDoneOnce() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world)
        let browser = try await world.browser([.author])
        let path = "/desk/proposals/\(number)/dismiss"

        let empty = try await browser.post(path, [("reason", " ")])
        let done = try await browser.post(path, [("reason", "Float is meant.")])
        let again = try await browser.post(path, [("reason", "Once more")])

        #expect(empty.status == 422)
        #expect(empty.body.contains("needs a reason"))
        #expect(done.status == 303)
        #expect(again.status == 409)
        #expect(try await Self.state(number, world) == .dismissed)
        let page = try await browser.get("/desk/proposals/\(number)")
        #expect(page.body.contains("Float is meant."))
    }

    @Test func contentOfAuthorsIsEscaped() async throws {
        let script = "<script>alert(1)</script>"
        let world = try await DeskWorld(
            questions: DeskWorld.sampleQuestions.replacing("Of which type", with: script)
                .replacing("Double", with: "'\"><img src=x onerror=alert(1)>'"))
        let number = try await Self.propose(world)
        let browser = try await world.browser([.author, .publisher])

        let page = try await browser.get("/desk/proposals/\(number)")

        #expect(!page.body.contains(script))
        #expect(!page.body.contains("<img src=x"))
        #expect(page.body.contains("&lt;script&gt;"))
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let world = try await DeskWorld()
        let number = try await Self.propose(world, question: "gone")
        let browser = try await world.browser([.author, .publisher])

        let page = try await browser.get("/desk/proposals/\(number)")

        #expect(page.body.contains("The content folder has no such question any more."))
        #expect(!page.body.contains("/confirm"))
        #expect(try await browser.get("/desk/proposals/99").status == 404)
        #expect(try await browser.get("/desk/proposals/x").status == 404)
        #expect(try await browser.get("/desk/nothing").status == 404)
    }
}
