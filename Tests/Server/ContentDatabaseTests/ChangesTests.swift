import ContentModel
import PostgresDriver
import ServiceAPI
import Testing

@testable import ContentDatabase

/// Reading the changes of an exam.
@Suite struct ChangesTests {
    private static func page(
        _ fixture: TablesFixture, _ exam: String = "de/a", since: String? = nil, limit: Int = 500
    ) async throws -> ChangesPage? {
        let request = try ChangesRequest(
            exam: try #require(ExamKey(exam)), since: since, limit: "\(limit)")
        return try await fixture.tables.changes(request)
    }

    private static func ids(_ page: ChangesPage?) throws -> [String] {
        try (page?.questions ?? []).map { json in
            let node = try JSONParser.parse(Array(json.utf8))
            guard case .string(let id)? = node.member("id")?.value.content else { return "" }
            return id
        }
    }

    @Test func oneChangeOfOneExamIsOneQuestion() async throws {
        let fixture = try await TablesFixture()
        let other = BankFixture.bank("de/b", ["o": "1"])
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1", "y": "1"]), other])
        try await fixture.fill()
        let all = try #require(try await Self.page(fixture))
        #expect(try Self.ids(all) == ["x", "y"] && all.isFromStart && !all.hasMore)
        let none = try #require(try await Self.page(fixture, since: all.next.description))
        #expect(none.questions == [] && none.removed == [] && !none.isFromStart)
        #expect(none.next == all.next)
        try fixture.publish(
            2,
            [BankFixture.bank("de/a", ["x": "1", "y": "2"]), BankFixture.bank("de/b", ["o": "2"])])
        try await fixture.fill()
        let one = try #require(try await Self.page(fixture, since: all.next.description))
        #expect(try Self.ids(one) == ["y"] && !one.isFromStart)
    }

    @Test func whatIsGoneIsNamedUntilItReturns() async throws {
        let fixture = try await TablesFixture()
        let both = BankFixture.bank("de/a", ["x": "1", "y": "1"])
        try fixture.publish(1, [both])
        try await fixture.fill()
        let start = try #require(try await Self.page(fixture)).next.description
        try fixture.publish(2, [BankFixture.bank("de/a", ["x": "1"])])
        try await fixture.fill()
        let gone = try #require(try await Self.page(fixture, since: start))
        #expect(gone.removed == ["y"] && gone.questions == [])
        try fixture.publish(3, [both])
        try await fixture.fill()
        let back = try #require(try await Self.page(fixture, since: start))
        #expect(try back.removed == [] && Self.ids(back) == ["y"])
    }

    @Test func anExamThatReturnsGoesOnWhereItWas() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1", "y": "1"])], updatedAt: 50)
        try await fixture.fill()
        let start = try #require(try await Self.page(fixture)).next.description
        try fixture.publish(2, [BankFixture.bank("de/b", ["o": "1"])])
        try await fixture.fill()
        #expect(try await Self.page(fixture) == nil)
        let regions = try await fixture.pool.query("select id from content.regions")
        #expect(try regions.column("id", as: String.self) == ["de"])
        // Its author's clock went back meanwhile.
        try fixture.publish(3, [BankFixture.bank("de/a", ["x": "1"])], updatedAt: 40)
        try await fixture.fill()
        let after = try #require(try await Self.page(fixture, since: start))
        #expect(try after.removed == ["y"] && Self.ids(after) == ["x"])
    }

    /// Two releases have one second: neither a cursor nor that second misses the later one.
    @Test func twoReleasesInOneSecondLoseNothing() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1", "y": "1"])], updatedAt: 7)
        try await fixture.fill()
        let first = try #require(try await Self.page(fixture))
        try fixture.publish(2, [BankFixture.bank("de/a", ["x": "2", "y": "1"])], updatedAt: 7)
        try await fixture.fill()
        let second = try #require(try await Self.page(fixture, since: first.next.description))
        #expect(try Self.ids(second) == ["x"])
        #expect(second.updatedAt == first.updatedAt)
        let bySecond = try await Self.page(fixture, since: "1970-01-01T00:00:07Z")
        #expect(try Set(Self.ids(bySecond)) == ["x", "y"])
        let later = try await Self.page(fixture, since: "1970-01-01T00:00:07.000001Z")
        #expect(later?.questions == [])
    }

    @Test func aCursorOfAnotherHistoryBeginsFromTheStart() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1"])])
        try await fixture.fill()
        let start = try #require(try await Self.page(fixture)).next
        var beyond = start
        beyond.revision += 1
        var other = start
        other.epoch = start.epoch == "00000000" ? "00000001" : "00000000"
        for cursor in [beyond, other] {
            let page = try #require(try await Self.page(fixture, since: cursor.description))
            #expect(page.isFromStart && page.next == start && page.questions.count == 1)
        }
    }

    @Test func pagesAreBoundedInRowsAndBytes() async throws {
        let fixture = try await TablesFixture()
        var bank = BankFixture.bank("de/a", [:])
        let long = String(repeating: "x", count: 16_000)
        bank.questions = (0..<120).map {
            BankFixture.question("q\($0 + 100)", stem: long, difficulty: $0 % 2 + 1)
        }
        try fixture.publish(1, [bank])
        try await fixture.fill()
        var seen: [String] = []
        var since: String?
        for turn in 0..<10 {
            let page = try #require(try await Self.page(fixture, since: since))
            #expect(page.bytes.count < ServiceLimits.contentPageBytesMax + 10_000)
            #expect(page.isFromStart == (turn == 0))
            seen += try Self.ids(page)
            since = page.next.description
            if !page.hasMore { break }
            #expect(page.questions.count > 40)
        }
        #expect(seen == bank.questions.map(\.id))
        let three = try #require(try await Self.page(fixture, limit: 3))
        #expect(three.questions.count == 3 && three.hasMore)
        try await expectSameQuestions(bank, fixture)
    }

    private func expectSameQuestions(_ bank: Blueprint, _ fixture: TablesFixture) async throws {
        let exam = try #require(ExamKey(bank.id))
        var after: String?
        var count = 0
        repeat {
            let request = try QuestionsRequest(
                exam: exam, difficulty: "2", after: after, limit: nil)
            let page = try #require(try await fixture.tables.questions(request))
            #expect(page.bytes.count < ServiceLimits.contentPageBytesMax + 10_000)
            count += page.questions.count
            after = page.next
        } while after != nil
        #expect(count == bank.questions.count { $0.difficulty == 2 })
    }

    @Test func aDifficultyHasItsQuestionsWithoutRetiredOnes() async throws {
        let fixture = try await TablesFixture()
        var bank = BankFixture.bank("de/a", [:])
        bank.questions = (1...10).map {
            BankFixture.question("q\($0)", stem: "\($0)", difficulty: $0 % 5 + 1)
        }
        bank.questions[2].isRetired = true
        try fixture.publish(1, [bank])
        try await fixture.fill()
        let exam = try #require(ExamKey("de/a"))
        for difficulty in 1...5 {
            let request = try QuestionsRequest(
                exam: exam, difficulty: "\(difficulty)", after: nil, limit: nil)
            let page = try #require(try await fixture.tables.questions(request))
            let expected = bank.questions.filter { $0.difficulty == difficulty && !$0.isRetired }
            #expect(page.questions.count == expected.count && page.next == nil)
        }
        let empty = try QuestionsRequest(exam: exam, difficulty: nil, after: "zzz", limit: nil)
        #expect(try await fixture.tables.questions(empty)?.questions == [])
        let unknown = try QuestionsRequest(
            exam: try #require(ExamKey("de/none")), difficulty: nil, after: nil, limit: nil)
        #expect(try await fixture.tables.questions(unknown) == nil)
    }
}
