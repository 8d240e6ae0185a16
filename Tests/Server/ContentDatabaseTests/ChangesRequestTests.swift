import PostgresDriver
import ServiceAPI
import Testing

@testable import ContentDatabase

@Suite struct ChangesRequestTests {
    private static func request(
        since: String? = nil, limit: String? = nil
    ) throws -> ChangesRequest {
        try ChangesRequest(
            exam: try #require(ExamKey("de/aws")), since: since, limit: limit)
    }

    @Test func aCursorSurvivesItsText() throws {
        let cursor = ChangesCursor(
            epoch: "0a1b2c3d", time: Moment(microseconds: 1_795_000_000_000_001), revision: 17,
            id: "q.1-x")
        #expect(cursor.description == "0a1b2c3d.1795000000000001.17.q.1-x")
        #expect(ChangesCursor(cursor.description) == cursor)
        #expect(try Self.request(since: cursor.description).since == .cursor(cursor))
    }

    @Test(arguments: [
        "0a1b2c3d.1.1", "0A1B2C3D.1.1.q", "0a1b2c3.1.1.q", "0a1b2c3d.-1.1.q", "0a1b2c3d.1.-1.q",
        "0a1b2c3d.1.1.q q", "0a1b2c3d.1.1.'", "0a1b2c3d.999999999999999999.1.q",
        "0a1b2c3d.1.99999999999999999999.q", "yesterday", "2026-11-22",
    ])
    func otherTextsAreRefused(since: String) {
        #expect(throws: WireError.self) { try Self.request(since: since) }
    }

    @Test func nothingAndATimeAreOtherBeginnings() throws {
        #expect(try Self.request().since == .beginning)
        #expect(try Self.request(since: "").since == .beginning)
        #expect(
            try Self.request(since: "1970-01-01T00:00:01Z").since
                == .time(Moment(microseconds: 1_000_000)))
    }

    @Test(arguments: ["0", "-1", "501", "x", ""])
    func limitsAreBounded(limit: String) throws {
        #expect(throws: WireError.self) { try Self.request(limit: limit) }
        #expect(throws: WireError.self) {
            try QuestionsRequest(
                exam: try #require(ExamKey("de/aws")), difficulty: nil, after: nil, limit: limit)
        }
    }

    @Test(arguments: [("0", ""), ("6", ""), ("x", ""), ("1", "a b"), ("1", "'")])
    func otherQuestionsAreRefused(difficulty: String, after: String) throws {
        let exam = try #require(ExamKey("de/aws"))
        #expect(throws: WireError.self) {
            try QuestionsRequest(exam: exam, difficulty: difficulty, after: after, limit: nil)
        }
    }

    /// The text of each statement is one, whatever is asked for: values are parameters alone.
    @Test func valuesNeverBecomeText() throws {
        let exam = try #require(ExamKey("de/aws"))
        let cursor = "0a1b2c3d.1.1.evil"
        let changed = try Self.request(since: cursor).statement.sql
        let unchanged = try Self.request().statement.sql
        #expect(changed == unchanged && !changed.contains("evil"))
        let all = try QuestionsRequest(exam: exam, difficulty: nil, after: nil, limit: nil)
        let some = try QuestionsRequest(exam: exam, difficulty: "3", after: "evil", limit: "7")
        #expect(all.statement.sql == some.statement.sql)
    }
}
