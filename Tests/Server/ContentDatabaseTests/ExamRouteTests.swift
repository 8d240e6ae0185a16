import ContentModel
import Foundation
import HTTPTypes
import ServerTestSupport
import ServiceAPI
import TestSupport
import Testing

@testable import ContentDatabase

/// Published questions over HTTP.
@Suite struct ExamRouteTests {
    private static func world() async throws -> (TablesFixture, InProcessRouter) {
        let fixture = try await TablesFixture()
        var bank = BankFixture.bank("de/aws-saa", [:])
        bank.questions = (1...5).map {
            BankFixture.question("q\($0)", stem: "<\($0)>", difficulty: $0)
        }
        try fixture.publish(1, [bank], updatedAt: 7)
        try await fixture.fill()
        return (fixture, InProcessRouter(release: fixture.folder.path, tables: fixture.tables))
    }

    private static func json(_ answer: InProcessRouter.Answer) throws -> JSONValue {
        try JSONParser.parse(answer.body).value
    }

    @Test func aDifficultyIsAnswered() async throws {
        let (_, router) = try await Self.world()
        let answer = try await router.get("/api/v1/exams/de/aws-saa/questions?difficulty=3")
        #expect(answer.status == .ok && answer.headers[.contentType] == "application/json")
        let question = BankFixture.question("q3", stem: "<3>", difficulty: 3)
        #expect(
            try Self.json(answer) == [
                "exam": "de/aws-saa", "contentUpdatedAt": "1970-01-01T00:00:07.000000Z",
                "questions": [question.json],
            ])
    }

    @Test func pagesFollowEachOther() async throws {
        let (_, router) = try await Self.world()
        var path = "/api/v1/exams/de/aws-saa/questions?limit=2"
        var count = 0
        for _ in 0..<3 {
            let answer = try await router.get(path)
            guard case .object(let members) = try Self.json(answer),
                case .array(let questions)? = members["questions"]
            else { break }
            count += questions.count
            guard case .string(let next)? = members["next"] else { break }
            path = "/api/v1/exams/de/aws-saa/questions?limit=2&after=\(next)"
        }
        #expect(count == 5)
    }

    @Test func changesAreAnsweredFromTheStartAndFromACursor() async throws {
        let (fixture, router) = try await Self.world()
        let first = try Self.json(try await router.get("/api/v1/exams/de/aws-saa/changes"))
        guard case .object(let members) = first, case .string(let next)? = members["next"],
            case .array(let questions)? = members["questions"]
        else {
            Issue.record("no page: \(first)")
            return
        }
        #expect(members["full"] == true && members["more"] == nil && questions.count == 5)
        try fixture.publish(2, [BankFixture.bank("de/aws-saa", ["q1": "new"])], updatedAt: 7)
        try await fixture.fill()
        let second = try await router.get("/api/v1/exams/de/aws-saa/changes?since=\(next)")
        guard case .object(let later) = try Self.json(second) else { return }
        #expect(later["removed"] == ["q2", "q3", "q4", "q5"] && later["full"] == nil)
        #expect(later["questions"] == [BankFixture.question("q1", stem: "new").json])
        let byTime = try await router.get(
            "/api/v1/exams/de/aws-saa/changes?since=1970-01-01T00%3A00%3A07Z")
        #expect(byTime.status == .ok)
    }

    @Test func otherRequestsAreProblems() async throws {
        let (_, router) = try await Self.world()
        let problems: KeyValuePairs = [
            "de/none/questions": 404,
            "xx/none/changes": 404,
            "de/%27%20or%20true--/questions": 404,
            "de/a%2Fb/changes": 404,
            "de/%00/changes": 404,
            "de/aws-saa/questions?difficulty=0": 400,
            "de/aws-saa/questions?difficulty=3%20or%20true": 400,
            "de/aws-saa/questions?after=%27%3B--": 400,
            "de/aws-saa/questions?limit=501": 400,
            "de/aws-saa/changes?since=yesterday": 400,
            "de/aws-saa/changes?since=0a1b2c3d.1.1.%27": 400,
        ]
        for (path, status) in problems {
            let answer = try await router.get("/api/v1/exams/" + path)
            #expect(answer.status.code == status, "\(path)")
            #expect(answer.headers[.contentType] == "application/problem+json", "\(path)")
        }
    }

    @Test func readersOfOneAddressAreLimited() async throws {
        let fixture = try await TablesFixture()
        let now = Date(timeIntervalSince1970: 1_000)
        let router = InProcessRouter(
            release: fixture.folder.path, tables: fixture.tables, clock: { now })
        let path = "/api/v1/exams/de/none/changes?limit=x"
        for _ in 0..<ServiceLimits.contentRequestsPerMinute {
            #expect(try await router.get(path).status == .badRequest)
        }
        let last = try await router.get(path)
        #expect(last.status == .tooManyRequests && last.headers[.retryAfter] == "1")
    }

    @Test func aDatabaseWithoutTablesIsNoFaultOfTheReader() async throws {
        let (fixture, router) = try await Self.world()
        try await fixture.execute("drop schema content cascade")
        let answer = try await router.get("/api/v1/exams/de/aws-saa/changes")
        #expect(answer.status == .serviceUnavailable)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("outdatedSchema") && !text.contains("content."))
    }
}
