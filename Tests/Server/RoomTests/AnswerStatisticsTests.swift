import ContentModel
import GRDB
import ServiceAPI
import Tables
import TestSupport
import Testing
import UserData

@testable import Ledger

/// Kept statistics against what all answers say.
@Suite struct AnswerStatisticsTests {
    private let service: ServiceFixture
    private let user: String

    init() async throws {
        service = try await ServiceFixture()
        user = try await service.user().user
    }

    private func row(using random: inout SeededGenerator) -> AnswerRow {
        let question = Int.random(in: 0..<6, using: &random)
        return AnswerRow(
            bank: ["int/swift", "es"].randomElement(using: &random) ?? "es", session: "s",
            question: "q\(question)",
            domain: Int.random(in: 0..<6, using: &random) == 0 ? nil : "d\(question % 3)",
            isCorrect: Bool.random(using: &random),
            takenMilliseconds: Int64.random(in: 0...1000, using: &random), exposuresBefore: 0,
            mode: "study",
            milliseconds: Int.random(in: 0..<50, using: &random) == 0
                ? FieldValue.integerMax
                : 1_790_000_000_000 + Int64.random(in: 0..<480, using: &random) * 3_600_000)
    }

    @discardableResult
    private func push(
        _ rows: [AnswerRow?], of client: String, first: UInt64
    ) async throws -> AnswerVector {
        let columns = AnswerColumns(
            span: AnswerSpan(client: ClientID(client), first: first, count: rows.count),
            rows: rows)
        let request = ExchangeRequest(
            number: 1, user: user, client: ClientID(client), epoch: nil, cursor: 0,
            operations: [], answers: [columns.span])
        return try await service.users.exchange(
            ExchangeCall(request: request, answers: [columns]), of: user
        ).response.knownAnswers
    }

    private func isSound() async throws -> Bool {
        try await service.database.connections.read { [user] database in
            try AnswerStatistics(of: user, in: database).isSound()
        }
    }

    @Test(arguments: 1...15)
    func statisticsAreThoseOfAllAnswers(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var held = AnswerVector()
        for _ in 0..<20 {
            let client = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let known = held[ClientID(client)]
            // Some runs repeat what is known, and some leave a gap.
            let first = max(1, Int64(known) + Int64.random(in: -3...2, using: &random))
            let rows = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                Int.random(in: 0..<10, using: &random) == 0 ? nil : row(using: &random)
            }
            held = try await push(rows, of: client, first: UInt64(first))
            #expect(try await isSound(), "seed \(seed)")
        }
        #expect(held.total > 0)
    }

    @Test func whatAnOlderServerKeptIsCountedWhenItIsAskedFor() async throws {
        var random = SeededGenerator(seed: 1)
        try await push((0..<50).map { _ in row(using: &random) }, of: "a", first: 1)
        try await push((0..<50).map { _ in row(using: &random) }, of: "b", first: 1)
        let progress = try await service.users.progress(of: user)
        try await service.database.connections.write { [user] database in
            try AnswerStatistics(of: user, in: database).reset()
        }
        // What comes before anybody asks waits, too.
        #expect(try await !isSound())
        #expect(try await service.users.progress(of: user) == progress)
        try await push((0..<50).map { _ in row(using: &random) }, of: "a", first: 51)
        #expect(try await isSound())
    }

    @Test func anOlderUserWhoAnswersBeforeAnybodyAsksIsCounted() async throws {
        var random = SeededGenerator(seed: 2)
        try await push((0..<50).map { _ in row(using: &random) }, of: "a", first: 1)
        try await service.database.connections.write { [user] database in
            try AnswerStatistics(of: user, in: database).reset()
        }
        try await push((0..<50).map { _ in row(using: &random) }, of: "a", first: 51)
        _ = try await service.users.progress(of: user)
        #expect(try await isSound())
    }

    @Test func progressShowsDaysAndDomains() async throws {
        func answer(_ question: String, _ domain: String?, _ day: Int64, _ isCorrect: Bool)
            -> AnswerRow
        {
            AnswerRow(
                bank: "es", session: "s", question: question, domain: domain,
                isCorrect: isCorrect, takenMilliseconds: 10, exposuresBefore: 0, mode: "study",
                milliseconds: day * 86_400_000 + 5)
        }
        try await push(
            [
                answer("q", "net", 20_000, true), answer("q", "net", 20_000, false),
                answer("r", nil, 20_001, true),
            ], of: "a", first: 1)
        let expected: JSONValue = [
            "days": [
                [
                    "day": "2024-10-05", "answers": 1, "correct": 1, "questions": 1,
                    "takenMilliseconds": 10,
                ],
                [
                    "day": "2024-10-04", "answers": 2, "correct": 1, "questions": 1,
                    "takenMilliseconds": 20,
                ],
            ],
            "domains": [
                [
                    "bank": "es", "answers": 1, "correct": 1, "questions": 1,
                    "lastMilliseconds": 1_728_086_400_005,
                ],
                [
                    "bank": "es", "domain": "net", "answers": 2, "correct": 1, "questions": 1,
                    "lastMilliseconds": 1_728_000_000_005,
                ],
            ],
        ]
        #expect(try await service.users.progress(of: user) == expected)
    }

    @Test func aDeletedAccountLeavesNoStatistics() async throws {
        var random = SeededGenerator(seed: 3)
        try await push((0..<50).map { _ in row(using: &random) }, of: "a", first: 1)
        try await service.database.connections.write { database in
            try database.execute(sql: "DELETE FROM account")
            let tables = [
                "answered_question", "question_day", "question_domain", "day_statistics",
                "domain_statistics", "answerRow", "answerQuestion", "answerSession",
                "answerResponse",
            ]
            for table in tables {
                #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") == 0)
            }
        }
    }
}
