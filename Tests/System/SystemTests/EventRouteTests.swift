import Foundation
import HTTPTypes
import Ledger
import LiveEvents
import ServerTestSupport
import ServiceAPI
import TestSupport
import Testing
import UserData

/// The routes of live events as a stranger would call them.
@Suite struct EventRouteTests {
    private let folder: TemporaryFolder
    private let router: InProcessRouter
    private let users: UserBackend
    private let clock = StoryClock()
    private let tokens: AccountBody.Tokens

    init() async throws {
        folder = try TemporaryFolder()
        users = try await Story.users(folder, clock)
        router = InProcessRouter(release: folder.path + "/none", users: users)
        let reply = try await router.send(.post, UserDataRoutes.accounts + "/anonymous")
        tokens = try AccountBody.Tokens(reply.body)
        let start = clock.now
        try await users.events?.set(
            EventDefinition(
                name: "finals", title: "Finals", bank: "es", startsAt: start,
                endsAt: start + 600, rule: EventRule(pointsMax: 50)))
        var follower = EventFollower(try #require(users.events))
        try await follower.step(now: start)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", token: String? = nil
    ) async throws -> InProcessRouter.Answer {
        try await router.send(
            method, UserDataRoutes.events + path,
            [
                .authorization: "Bearer " + (token ?? tokens.accessToken),
                .contentType: "application/json",
            ], body: Array(body.utf8))
    }

    @Test func nobodyUnknownTakesPart() async throws {
        for (method, path) in [
            (HTTPRequest.Method.get, ""), (.get, "/finals"), (.get, "/finals/stream"),
            (.post, "/finals/submissions"),
        ] {
            let reply = try await router.send(
                method, UserDataRoutes.events + path, [.contentType: "application/json"])
            #expect(reply.status == .unauthorized, "\(path)")
        }
    }

    @Test func aLearnerSubmitsAndSeesTheOwnPlace() async throws {
        let other = try AccountBody.Tokens(
            try await router.send(.post, UserDataRoutes.accounts + "/anonymous").body)
        let list = try await send(.get, "")
        #expect(try LiveEvent.list(list.body).map(\.title) == ["Finals"])
        for (token, points) in [(tokens.accessToken, 20), (other.accessToken, 30)] {
            let reply = try await send(
                .post, "/finals/submissions", #"{"id":"a","points":\#(points)}"#, token: token)
            #expect(reply.status == .ok)
        }
        let again = try await send(.post, "/finals/submissions", #"{"id":"a","points":1}"#)
        #expect(
            try EventReceipt(again.body)
                == EventReceipt(result: .duplicate, score: 20, rank: 2, placeCount: 2))
        let page = try LiveEventPage(try await send(.get, "/finals?top=1").body)
        #expect(page.top.map(\.score) == [30] && page.own?.rank == 2 && page.placeCount == 2)
        #expect(
            page.asOf == Date(timeIntervalSince1970: clock.now.timeIntervalSince1970.rounded(.down))
        )
    }

    @Test func whatIsWrongIsSaid() async throws {
        for (method, path, body, status) in [
            (HTTPRequest.Method.get, "/none", "", 404), (.get, "/none/stream", "", 404),
            (.post, "/none/submissions", #"{"id":"a","points":1}"#, 404),
            (.get, "/finals?top=101", "", 400), (.get, "/finals?top=x", "", 400),
            (.post, "/finals/submissions", #"{"id":"a","points":51}"#, 400),
            (.post, "/finals/submissions", #"{"id":"a","points":-1}"#, 400),
            (.post, "/finals/submissions", #"{"id":"a","points":1.5}"#, 400),
            (.post, "/finals/submissions", #"{"id":"a"}"#, 400),
            (.post, "/finals/submissions", #"{"points":1}"#, 400),
            (.post, "/finals/submissions", #"{"id":"a b","points":1}"#, 400),
            (.post, "/finals/submissions", #"{"id":"a","points":1,"score":9}"#, 400),
            (.post, "/finals/submissions", "[]", 400), (.put, "/finals/submissions", "", 405),
            (.delete, "/finals", "", 405),
        ] {
            let reply = try await send(method, path, body)
            #expect(reply.status.code == status, "\(method) \(path) \(body)")
        }
        let page = try LiveEventPage(try await send(.get, "/finals").body)
        #expect(page.placeCount == 0 && page.own == nil)
    }

    @Test func aUserMakesAFewRequestsOnly() async throws {
        for _ in 0..<ServiceLimits.eventRequestsPerMinute {
            _ = try await send(.get, "/finals?top=0")
        }
        #expect(try await send(.get, "/finals?top=0").status == .tooManyRequests)
    }

    @Test func anExportHasTheScores() async throws {
        _ = try await send(.post, "/finals/submissions", #"{"id":"a","points":20}"#)
        let reply = try await router.send(
            .get, UserDataRoutes.accounts + "/export",
            [.authorization: "Bearer " + tokens.accessToken])
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(text.contains(#""events":[{"event":"finals","score":20,"submissions":1}]"#))
    }
}
