import Accounts
import ContentModel
import Foundation
import HTTPTypes
import Ledger
import Publishing
import TestSupport
import Testing
import Workflows

@testable import DeskWeb

/// What is shown before a publish is what ships.
struct PublishPagesTests {
    private static func edit(_ world: DeskWorld, _ old: String, _ new: String) throws {
        let path = "content/exams/int/made/questions.yaml"
        try world.folder.write(
            try world.folder.text(path).replacing(old, with: new), to: path)
    }

    private static func release(_ world: DeskWorld) throws -> Int {
        try Publisher(folder: world.content, releaseDirectory: world.release).status().release
    }

    private static func shown(_ page: DeskReply) throws -> String {
        String(try #require(page.body.firstMatch(of: /name="shown" value="([^"]+)"/)).1)
    }

    @Test func whatIsShownIsWhatShips() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author, .publisher])
        #expect(try await browser.get("/desk/publish").body.contains("<h1>Nothing to publish</h1>"))
        try Self.edit(world, "reference type", "kind of reference")
        try Self.edit(
            world, "text: Double }]\n  correct: [0]", "text: Double }]\n  correct: [1]")

        let page = try await browser.get("/desk/publish")
        let reply = try await browser.post("/desk/publish", [("shown", try Self.shown(page))])

        #expect(page.body.contains("<h1>Publish release 2</h1>"))
        let key = try #require(page.body.range(of: "Right answer"))
        let wording = try #require(page.body.range(of: "Wording"))
        #expect(key.lowerBound < wording.lowerBound)
        #expect(page.body.contains("<del><span class=\"hidden\">removed </span>"))
        #expect(reply.status == 303)
        #expect(try Self.release(world) == 2)
        let releases = try await browser.get("/desk/releases")
        #expect(releases.body.contains("Release 2 is out"))
        #expect(releases.body.contains("ada@example.org"))
    }

    @Test(arguments: [true, false])
    func aSignedReleaseIsPublishedWithTheDesksKeysAlone(hasKeys: Bool) async throws {
        let world = try await DeskWorld(signs: hasKeys)
        let browser = try await world.browser([.author, .publisher])
        try Self.edit(world, "reference type", "kind of reference")
        let page = try await browser.get("/desk/publish")
        let reply = try await browser.post("/desk/publish", [("shown", try Self.shown(page))])
        let status = try TrustAdministration(releaseDirectory: world.release, now: Date()).status()
        #expect(status?.namesCurrentRelease == true)
        #expect(try Self.release(world) == (hasKeys ? 2 : 1))
        guard !hasKeys else {
            #expect(reply.status == 303)
            return
        }
        #expect(reply.status >= 400 && reply.body.contains("--desk-keys"), "\(reply.body)")
    }

    @Test func aKeyThatWasChangedByHandIsScoredAgainByOnePress() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author, .publisher])
        try Self.edit(
            world, "text: Double }]\n  correct: [0]", "text: Double }]\n  correct: [1]")
        let page = try await browser.get("/desk/publish")
        let note =
            "q1 in int/made has another key. Answers that were given before keep their grade."
        #expect(page.body.contains(note))

        let reply = try await browser.post(
            "/desk/publish/regrade", [("bank", "int/made"), ("question", "q1")])

        #expect(reply.location == "/desk/publish")
        let after = try await browser.get("/desk/publish")
        #expect(after.body.contains("answers to a released version of q1 are graded again"))
        #expect(!after.body.contains(note))
        let corrections = try world.folder.text("content/exams/int/made/corrections.yaml")
        #expect(corrections.contains("was: a") && corrections.contains("is: b"))
        // Who approves or publishes sees whose answers are scored again, also in a release of nothing else.
        #expect(after.body.contains("Scored again") && after.body.contains("Answers to 1 version"))
        _ = try await browser.post("/desk/publish", [("shown", try Self.shown(after))])
        let bank = try Blueprint(released: world.folder.read("release/exams/int/made.json"))
        #expect(bank.corrections.map(\.question) == ["q1"])
    }

    @Test(arguments: [
        ("int/made", "q2", 404), ("int/made", "q9", 404), ("../made", "q1", 404), ("", "", 404),
    ]) func thereIsNothingToScoreAgainWithoutAChangedKey(
        bank: String, question: String, status: Int
    ) async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])

        let reply = try await browser.post(
            "/desk/publish/regrade", [("bank", bank), ("question", question)])

        #expect(reply.status == status)
        #expect(!world.folder.exists("content/exams/int/made/corrections.yaml"))
    }

    @Test func anEditInBetweenStopsThePublish() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author, .publisher])
        try Self.edit(world, "reference type", "kind of reference")
        let shown = try Self.shown(try await browser.get("/desk/publish"))
        try Self.edit(world, "kind of reference", "sort of reference")

        let reply = try await browser.post("/desk/publish", [("shown", shown)])

        #expect(reply.status == 409)
        #expect(reply.body.contains("Nothing was published; look at it again."))
        #expect(reply.body.contains("sort of reference"))
        #expect(try Self.release(world) == 1)
    }

    @Test func aBankThatComesIsNamedWithItsQuestions() async throws {
        let world = try await DeskWorld()
        try world.folder.write(
            "title: Other\nversion: \"1.0.0\"\n", to: "content/exams/int/other/exam.yaml")
        try world.folder.write(
            DeskWorld.sampleQuestions.replacing("id: q", with: "id: new-"),
            to: "content/exams/int/other/questions.yaml")

        let page = try await world.browser([.author, .publisher]).get("/desk/publish")

        for words in [
            ">exams/int/other.json</code>", ">new-1</code>", "/desk/questions/int~other/new-2\"",
        ] {
            #expect(page.body.contains(words), "\(words)")
        }
    }

    @Test func errorsStopThePublishAndAreNamed() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author, .publisher])
        try Self.edit(world, "correct: [0]", "correct: [7]")

        let page = try await browser.get("/desk/publish")

        #expect(page.body.contains("<h1>Errors stop the publish</h1>"))
        #expect(page.body.contains("questions.yaml"))
        #expect(!page.body.contains("name=\"shown\""))
    }

    @Test func aSecondPersonApprovesAndAnEditVoidsIt() async throws {
        let world = try await DeskWorld(needsApproval: true)
        let ada = try await world.browser([.author, .publisher])
        let bob = try await world.browser([.publisher], email: "bob@example.org")
        try Self.edit(world, "reference type", "kind of reference")
        let page = try await ada.get("/desk/publish")
        let shown = try Self.shown(page)

        let alone = try await ada.post("/desk/publish", [("shown", shown)])
        let approved = try await ada.post("/desk/publish/approve", [("shown", shown)])
        let own = try await ada.post("/desk/publish", [("shown", shown)])
        try Self.edit(world, "kind of reference", "sort of reference")
        let edited = try Self.shown(try await bob.get("/desk/publish"))
        let voided = try await bob.post("/desk/publish", [("shown", edited)])
        try Self.edit(world, "sort of reference", "kind of reference")
        let second = try await bob.post("/desk/publish", [("shown", shown)])

        #expect(page.body.contains("A second person approves"))
        #expect(
            [alone.status, approved.status, own.status, voided.status] as [Int] == [
                409, 303, 409, 409,
            ])
        #expect(own.body.contains("You approved these changes yourself"))
        #expect(second.status == 303)
        #expect(try Self.release(world) == 2)
    }

    @Test func anApprovalGoesWithTheRole() async throws {
        let world = try await DeskWorld(needsApproval: true)
        let ada = try await world.browser([.author, .publisher])
        let bob = try await world.account("bob@example.org", [.author])
        var browser = DeskBrowser(world: world, cookie: nil)
        browser.cookie = try await browser.post(
            "/desk/sign-in", [("email", "bob@example.org"), ("password", DeskWorld.password)]
        ).cookie
        try Self.edit(world, "reference type", "kind of reference")
        let shown = try Self.shown(try await browser.get("/desk/publish"))
        let approved = try await browser.post("/desk/publish/approve", [("shown", shown)])
        _ = try await world.users.administration?.set(
            .author, isGranted: false, of: bob, by: "operator:test")

        let refused = try await ada.post("/desk/publish", [("shown", shown)])

        #expect([approved.status, refused.status] as [Int] == [303, 409])
        #expect(refused.body.contains("Somebody else has to approve"))
        #expect(try Self.release(world) == 1)
    }

    @Test func whoPublishedAndWhoRolledBackIsWrittenDown() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author, .publisher])
        try Self.edit(world, "reference type", "kind of reference")
        let shown = try Self.shown(try await browser.get("/desk/publish"))
        _ = try await browser.post("/desk/publish", [("shown", shown)])
        _ = try await browser.post("/desk/releases/1/roll-back", [("current", "2")])

        let entries = try #require(try await world.users.administration?.entries(action: "content"))
        #expect(entries.map(\.action) == [.contentRolledBack, .contentPublished])
        #expect(entries.map(\.subject) == ["3", "2"])
        #expect(entries.allSatisfy { $0.detail == "ada@example.org" })
    }

    @Test func aReleaseWhoseProcessEndedBeforeItsEntryGetsItOnce() async throws {
        struct Killed: Error {}
        let world = try await DeskWorld()
        try Self.edit(world, "reference type", "kind of reference")
        var place = world.desk.workplace
        place.reached = { if $0 == .released { throw Killed() } }
        let ada = Actor(id: "a", name: "ada", address: "ada@example.org")
        await #expect(throws: Killed.self) {
            try await ReleaseChange(.publish).run(in: place, by: ada)
        }
        let bob = Actor(id: "b", name: "bob", address: "bob@example.org")
        for _ in 1...2 {
            let outcome = try await ReleaseChange(.publish).run(in: world.desk.workplace, by: bob)
            #expect(outcome.sentence == "Nothing changed; release 2 stays.")
        }
        let entries = try #require(try await world.users.administration?.entries(action: "content"))
        #expect(entries.map(\.subject) == ["2"])
        #expect(entries.map(\.actor) == ["b"] && entries.map(\.detail) == ["ada@example.org"])
    }

    @Test func whoApprovedTooEarlyPublishesOnceSomebodyElseApprovedAsWell() async throws {
        let world = try await DeskWorld(needsApproval: true)
        let ada = try await world.browser([.author, .publisher])
        let bob = try await world.browser([.author], email: "bob@example.org")
        try Self.edit(world, "reference type", "kind of reference")
        let shown = try Self.shown(try await ada.get("/desk/publish"))
        _ = try await ada.post("/desk/publish/approve", [("shown", shown)])

        let page = try await bob.get("/desk/publish")
        _ = try await bob.post("/desk/publish/approve", [("shown", shown)])
        let ready = try await ada.get("/desk/publish")
        let done = try await ada.post("/desk/publish", [("shown", shown)])

        #expect(page.body.contains("Approve these changes"))
        #expect(!ready.body.contains("Approve these changes"))
        #expect(ready.body.contains("bob@example.org approved"))
        #expect(done.status == 303)
    }

    @Test func rollingBackShowsTheReverseAndLeavesTheFolder() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author, .publisher])
        try Self.edit(world, "reference type", "kind of reference")
        let shown = try Self.shown(try await browser.get("/desk/publish"))
        _ = try await browser.post("/desk/publish", [("shown", shown)])

        let page = try await browser.get("/desk/releases/1/roll-back")
        let stale = try await browser.post("/desk/releases/1/roll-back", [("current", "1")])
        let reply = try await browser.post("/desk/releases/1/roll-back", [("current", "2")])

        #expect(page.body.contains("int/made"))
        #expect(page.body.contains("<ins>"))
        #expect(stale.status == 409)
        #expect(reply.status == 303)
        #expect(try Self.release(world) == 3)
        #expect(
            try world.folder.text("content/exams/int/made/questions.yaml")
                .contains("kind of reference"))
        #expect(try await browser.get("/desk/releases/99/roll-back").status == 404)
    }
}
