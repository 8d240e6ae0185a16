import Accounts
import Foundation
import HTTPTypes
import Publishing
import TestSupport
import Testing

@testable import DeskWeb

/// What a question was, and the way back to it.
struct QuestionHistoryTests {
    private static let path = QuestionPagesTests.path
    private static let file = "content/exams/int/made/questions.yaml"

    /// A world with three releases: the second has another stem of the first question, the third another second question.
    private static func world() async throws -> DeskWorld {
        let world = try await DeskWorld()
        try edit(world, "Of which type is `2.5`?", "What is `2.5`?")
        try publish(world, author: "ada")
        try edit(world, "Which is a reference type?", "Which has a reference?")
        try publish(world, author: "bea")
        return world
    }

    private static func edit(_ world: DeskWorld, _ old: String, _ new: String) throws {
        let text = try world.folder.text(file)
        try #require(text.contains(old))
        try world.folder.write(text.replacing(old, with: new), to: file)
    }

    private static func publish(_ world: DeskWorld, author: String) throws {
        var publisher = Publisher(folder: world.content, releaseDirectory: world.release)
        publisher.author = author
        _ = try publisher.publish(
            nowSeconds: 1_700_100_000, generatedAt: "2023-11-16T02:00:00Z")
    }

    private static func git(_ world: DeskWorld, _ arguments: String...) throws {
        try world.git(arguments)
    }

    @Test func eachReleasedStateSaysWhatChangedWithItAndWhen() async throws {
        let world = try await Self.world()
        try Self.edit(world, "What is `2.5`?", "And what is `2.5`?")
        let page = try await world.browser([.author]).get(Self.path + "/history")

        #expect(page.status == 200)
        var rest = page.body[...]
        // The second question's change is none of the first: releases 2 and 3 have one state.
        for words in [
            "Not published yet", "<span class=\"hidden\">added </span>And", "Releases 2 to 3",
            ">ada<", "<del>", "Of which type", "Release 1<", "The oldest state that is kept.",
        ] {
            let range = try #require(rest.range(of: words), "\(words) in \(rest)")
            rest = rest[range.upperBound...]
        }
        #expect(!page.body.contains("bea"))
        #expect(page.body.contains("The content folder is in no git repository."))
        #expect(page.body.contains("\(Self.path)?from=release-1\""))
    }

    @Test func anEarlierStateFillsTheFormAndSavingBringsItBack() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let before = try world.folder.text(Self.file)

        let page = try await browser.get(Self.path + "?from=release-1")

        #expect(page.status == 200)
        #expect(page.body.contains("as release 1 had it. Nothing is saved until you press Save."))
        #expect(page.body.contains("Of which type is `2.5`?</textarea>"))
        #expect(try world.folder.text(Self.file) == before)
        let reply = try await browser.post(Self.path, try QuestionPagesTests.fields(world))
        #expect(reply.status == 303)
        let after = try world.folder.text(Self.file)
        #expect(after == before.replacing("What is `2.5`?", with: "Of which type is `2.5`?"))
    }

    @Test(arguments: [
        "release-9", "release-0", "release--1", "release-", "commit-abcdef1", "commit---help",
        "commit-HEAD", "other", "release-1-2", "%00",
    ]) func aStateThatIsNotKnownIsNotFound(name: String) async throws {
        let world = try await DeskWorld()
        let page = try await world.browser([.author]).get("\(Self.path)?from=\(name)")

        #expect(page.status == 404)
    }

    @Test func aQuestionThatWasOfAnotherTypeIsNotForcedIntoTheForm() async throws {
        let world = try await DeskWorld()
        try world.folder.write(
            DeskWorld.sampleQuestions.replacing("single-choice", with: "multi-choice"),
            to: Self.file)
        let page = try await world.browser([.author]).get(Self.path + "?from=release-1")

        #expect(page.status == 409)
        #expect(page.body.contains("a question of another type"))
    }

    @Test func commitsOfTheQuestionAloneAreListedAndCanBeBroughtBack() async throws {
        let world = try await DeskWorld()
        try Self.git(world, "init", "--quiet")
        try Self.git(world, "config", "user.name", "Cem & Co")
        try Self.git(world, "config", "user.email", "cem@example.org")
        try Self.git(world, "add", ".")
        try Self.git(world, "commit", "--quiet", "--message", "Begin")
        try Self.edit(world, "Which is a reference type?", "Which has a reference?")
        try Self.git(world, "commit", "--quiet", "--all", "--message", "Reword the second")
        try Self.edit(world, "Of which type is `2.5`?", "What is `2.5`?")
        try Self.git(world, "commit", "--quiet", "--all", "--message", "Shorten <the> first")
        let browser = try await world.browser([.author])

        let page = try await browser.get(Self.path + "/history")

        #expect(page.body.contains("Shorten &lt;the&gt; first"))
        #expect(page.body.contains("Cem &amp; Co"))
        #expect(!page.body.contains("Reword the second"))
        let links = page.body.matches(of: /from=(commit-[0-9a-f]+)"/)
        let link = try #require(links.first)
        #expect(links.count == 1)
        let old = try await browser.get("\(Self.path)?from=\(link.1)")
        #expect(old.status == 200)
        #expect(old.body.contains("Of which type is `2.5`?</textarea>"))

        try Self.edit(world, "What is `2.5`?", "What's `2.5`?")
        let dirty = try await browser.get(Self.path + "/history")
        #expect(dirty.body.contains("has changes that are not committed"))
    }

    @Test func aKeyThatWasShippedByHandIsScoredAgainFromTheHistory() async throws {
        let world = try await DeskWorld()
        try Self.edit(
            world, "text: Double }]\n  correct: [0]", "text: Double }]\n  correct: [1]")
        try Self.publish(world, author: "bea")
        let browser = try await world.browser([.author])
        let words = "Answers that were given to the former key keep their grade."
        #expect(try await browser.get(Self.path + "/history").body.contains(words))
        #expect(
            try await !browser.get("/desk/questions/int~made/q2/history").body.contains(words))

        let reply = try await browser.post(
            "/desk/publish/regrade", [("bank", "int/made"), ("question", "q1")])

        #expect(reply.status == 303)
        #expect(try await !browser.get(Self.path + "/history").body.contains(words))
        let publish = try await browser.get("/desk/publish")
        #expect(publish.body.contains("Scored again"))
    }

    @Test func aPublisherReadsButDoesNotBringBack() async throws {
        let world = try await Self.world()
        let page = try await world.browser([.publisher]).get(Self.path + "/history")

        #expect(page.status == 200)
        #expect(page.body.contains("Releases 2 to 3"))
        #expect(!page.body.contains("Bring back</a>"))
    }
}
