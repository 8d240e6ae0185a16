import ContentModel
import HTTPTypes
import ServerTestSupport
import TestSupport
import Testing

@testable import ContentDatabase

/// A server without a database answers as one with tables that were filled once.
@Suite struct PublishedBankTests {
    private static func bank(seed: UInt64) -> Blueprint {
        var random = SeededGenerator(seed: seed)
        var bank = BankFixture.bank("de/a", [:])
        bank.questions = (0..<150).shuffled(using: &random).map { number in
            let length = Int.random(in: 1...16_000, using: &random)
            var question = BankFixture.question(
                "q.\(number)", stem: String(repeating: "é", count: length / 2 + 1),
                difficulty: Int.random(in: 1...5, using: &random))
            question.isRetired = Int.random(in: 0..<5, using: &random) == 0
            return question
        }
        return bank
    }

    private static func values(_ questions: [String]) throws -> [JSONValue] {
        try questions.map { try JSONParser.parse(Array($0.utf8)).value }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func bothAnswerAlike(seed: UInt64) async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [Self.bank(seed: seed)], updatedAt: 7)
        try await fixture.fill()
        let exam = try #require(ExamKey("de/a"))
        let release = try PublishedRelease(directory: fixture.folder.path)
        let bank = try #require(try release.publishedBank(of: exam))
        for limit in ["1", "7", "500"] {
            var pages = 0
            var since: (tables: String?, bank: String?)
            while pages < 200 {
                let fromTables = try #require(
                    try await fixture.tables.changes(
                        ChangesRequest(exam: exam, since: since.tables, limit: limit)))
                let fromBank = bank.changes(
                    try ChangesRequest(exam: exam, since: since.bank, limit: limit))
                try expectAlike(fromTables, fromBank, "seed \(seed), limit \(limit)")
                since = (fromTables.next.description, fromBank.next.description)
                pages += 1
                if !fromTables.hasMore { break }
            }
            let none = bank.changes(
                try ChangesRequest(exam: exam, since: since.bank, limit: limit))
            #expect(none.questions == [] && none.next.description == since.bank)
            for difficulty in [nil, "1", "5"] {
                try await expectSameQuestions(fixture, bank, difficulty, limit)
            }
        }
    }

    private func expectAlike(_ one: ChangesPage, _ other: ChangesPage, _ comment: Comment) throws {
        #expect(try Self.values(one.questions) == Self.values(other.questions), comment)
        #expect(one.removed == [] && other.removed == [], comment)
        #expect(one.next.id == other.next.id && one.hasMore == other.hasMore, comment)
        #expect(one.isFromStart == other.isFromStart && one.updatedAt == other.updatedAt, comment)
    }

    private func expectSameQuestions(
        _ fixture: TablesFixture, _ bank: PublishedBank, _ difficulty: String?, _ limit: String
    ) async throws {
        var after: String?
        repeat {
            let request = try QuestionsRequest(
                exam: bank.exam, difficulty: difficulty, after: after, limit: limit)
            let fromTables = try #require(try await fixture.tables.questions(request))
            let fromBank = bank.questions(request)
            #expect(try Self.values(fromTables.questions) == Self.values(fromBank.questions))
            #expect(fromTables.next == fromBank.next)
            after = fromTables.next
        } while after != nil
    }

    @Test func timesDecideLikeThoseOfTheTables() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1"])], updatedAt: 7)
        try await fixture.fill()
        let exam = try #require(ExamKey("de/a"))
        let release = try PublishedRelease(directory: fixture.folder.path)
        let bank = try #require(try release.publishedBank(of: exam))
        for second in ["06", "07", "08"] {
            let request = try ChangesRequest(
                exam: exam, since: "1970-01-01T00:00:\(second)Z", limit: nil)
            let fromTables = try await fixture.tables.changes(request)
            #expect(fromTables?.questions.count == bank.changes(request).questions.count)
        }
    }

    @Test func theReleaseIsServedWithoutADatabase() async throws {
        let folder = try TemporaryFolder()
        let router = InProcessRouter(release: folder.path)
        let path = "/api/v1/exams/de/a/"
        #expect(try await router.get(path + "changes").status == .notFound)
        let other = BankFixture.bank("de/b", ["o": "1"])
        try folder.publish(1, [BankFixture.bank("de/a", ["x": "1", "y": "1"]), other])
        let first = try await Self.members(router, path + "changes")
        #expect(first["full"] == true && first["questions"]?.count == 2)
        let next = try #require(first["next"]?.text)
        // Another exam changes: nothing comes.
        try folder.publish(2, [BankFixture.bank("de/a", ["x": "1", "y": "1"])])
        let second = try await Self.members(router, path + "changes?since=\(next)")
        #expect(second["full"] == nil && second["questions"]?.count == 0)
        try folder.publish(3, [BankFixture.bank("de/a", ["x": "2"])])
        let third = try await Self.members(router, path + "changes?since=\(next)")
        #expect(third["full"] == true && third["questions"]?.count == 1)
        let questions = try await Self.members(router, path + "questions?difficulty=1")
        #expect(questions["questions"] == [BankFixture.question("x", stem: "2").json])
        #expect(try await router.get("/api/v1/exams/de/b/questions").status == .notFound)
    }

    @Test func banksComeAndGoFromMemory() async throws {
        let folder = try TemporaryFolder()
        let banks = (1...9).map { BankFixture.bank("de/e\($0)", ["x": "\($0)"]) }
        try folder.publish(1, banks)
        let router = InProcessRouter(release: folder.path)
        for _ in 0..<3 {
            for number in 1...9 {
                let members = try await Self.members(
                    router, "/api/v1/exams/de/e\(number)/questions")
                let expected = BankFixture.question("x", stem: "\(number)").json
                #expect(members["questions"] == [expected])
            }
        }
        // What is in memory needs no file.
        let object = ReleasePath.object(Checksum(of: banks[8].canonicalBytes)).text
        try folder.write("damaged", to: object)
        #expect(try await router.get("/api/v1/exams/de/e9/questions").status == .ok)
        let first = ReleasePath.object(Checksum(of: banks[0].canonicalBytes)).text
        try folder.write("damaged", to: first)
        #expect(
            try await router.get("/api/v1/exams/de/e1/questions").status == .serviceUnavailable)
    }

    private static func members(
        _ router: InProcessRouter, _ path: String
    ) async throws -> [String: JSONValue] {
        let answer = try await router.get(path)
        guard answer.status == .ok,
            case .object(let members) = try JSONParser.parse(answer.body).value
        else {
            Issue.record("\(path): \(answer.status)")
            return [:]
        }
        return members
    }
}

extension JSONValue {
    fileprivate var count: Int? {
        guard case .array(let values) = self else { return nil }
        return values.count
    }

    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
