import Accounts
import ContentModel
import Foundation
import HTTPTypes
import Publishing
import TestSupport
import Testing

@testable import DeskWeb

/// What the index of the content folder knows, and what it reads again.
struct ContentIndexTests {
    private static func bank(_ count: Int, from first: Int = 0) -> String {
        (first..<first + count).map { number in
            """
            - id: q\(number)
              type: single-choice
              difficulty: \(number % 5 + 1)
              stem: Question number \(number)?
              options: [{ id: a, text: Yes \(number) }, { id: b, text: No }]
              correct: [0]

            """
        }.joined()
    }

    @Test func onlyChangedBanksAreReadAgain() async throws {
        let world = try await DeskWorld()
        try world.folder.write(
            "title: Second\nversion: \"1\"\n", to: "content/exams/int/second/exam.yaml")
        try world.folder.write(Self.bank(3), to: "content/exams/int/second/questions.yaml")

        let first = try await world.desk.content.snapshot()
        #expect(first.banks.map(\.name) == ["int/made", "int/second"])
        #expect(first.banksRead == 2)
        #expect(try await world.desk.content.snapshot().banksRead == 0)

        try world.folder.write(Self.bank(4), to: "content/exams/int/second/questions.yaml")
        let next = try await world.desk.content.snapshot()
        #expect(next.banksRead == 1)
        #expect(next.bank("int/second")?.questions.count == 4)
    }

    @Test func changesAreThoseSinceTheRelease() async throws {
        let world = try await DeskWorld()
        let before = try await world.desk.content.snapshot()
        #expect(before.banks.flatMap(\.questions).allSatisfy { $0.change == nil })

        try world.folder.write(
            DeskWorld.sampleQuestions.replacing("Double", with: "Decimal") + Self.bank(1, from: 9),
            to: "content/exams/int/made/questions.yaml")
        let bank = try #require(try await world.desk.content.snapshot().bank("int/made"))
        #expect(bank.questions.map(\.change) == [.changed, nil, .new])
        #expect(bank.released("q1")?.options[1].text == "Double")
        #expect(bank.released("q9") == nil)

        _ = try Publisher(folder: world.content, releaseDirectory: world.release).publish(
            nowSeconds: 1_700_000_100, generatedAt: "2023-11-14T22:15:00Z")
        let after = try await world.desk.content.snapshot()
        #expect(after.banks.flatMap(\.questions).allSatisfy { $0.change == nil })
    }

    @Test func problemsBelongToTheirQuestions() async throws {
        let world = try await DeskWorld()
        try world.folder.write(
            """
            questions:
              - id: q1
                type: single-choice
                difficulty: 1
                stem: Fine?
                options: [{ id: a, text: A one }, { id: b, text: B two }]
                correct: [0]
              - id: q2
                type: single-choice
                stem: ""
                options: [{ id: a, text: A one }, { id: a, text: B two }]
                correct: [7]
              - stem: No id
            other: 1
            """, to: "content/exams/int/made/questions.yaml")

        let bank = try #require(try await world.desk.content.snapshot().bank("int/made"))

        #expect(bank.questions.map(\.id) == ["q1", "q2"])
        #expect(bank.questions.map(\.errors) == [0, 4])
        #expect(bank.content.problems.contains { $0.message.contains("\"other\"") })
        #expect(bank.content.problems.contains { $0.message.contains("\"id\" is missing") })
    }

    @Test func fiveThousandQuestionsOfTwoBanksAreFoundByPages() async throws {
        let world = try await DeskWorld()
        try world.folder.write(
            "title: Large\nversion: \"1\"\n", to: "content/exams/int/large/exam.yaml")
        try world.folder.write(Self.bank(2_500), to: "content/exams/int/large/questions-1.yaml")
        try world.folder.write(
            Self.bank(2_498, from: 2_500), to: "content/exams/int/large/questions-2.yaml")
        let browser = try await world.browser([.author])
        _ = try await browser.get("/desk/questions")

        let clock = ContinuousClock()
        let start = clock.now
        let page = try await browser.get("/desk/questions?page=50")
        print("a page of 5,000 questions:", clock.now - start, page.body.utf8.count, "bytes")
        #expect(page.body.contains("4901 to 5000 of 5000"))
        #expect(page.body.utf8.count < 100_000)
        let snapshot = try await world.desk.content.snapshot()
        var seen: Set<String> = []
        for number in 1...50 {
            let found = FoundQuestions(QuestionFilter(), in: snapshot, doubted: [])
            for row in found.page(number) { seen.insert("\(row.bank)/\(row.question.id)") }
        }
        #expect(seen.count == 5_000)
        let one = try await browser.get("/desk/questions?q=number%204997%3F")
        #expect(one.body.contains(">q4997</code>"))
        #expect(one.body.contains("1 to 1 of 1"))
    }
}
