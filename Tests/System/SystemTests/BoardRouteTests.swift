import Boards
import ContentModel
import Foundation
import HTTPTypes
import Ledger
import ServerTestSupport
import ServiceAPI
import TestSupport
import Testing
import UserData

/// The routes of boards as a stranger would call them.
@Suite struct BoardRouteTests {
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
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", token: String? = nil
    ) async throws -> InProcessRouter.Answer {
        try await router.send(
            method, path,
            [
                .authorization: "Bearer " + (token ?? tokens.accessToken),
                .contentType: "application/json",
            ], body: Array(body.utf8))
    }

    private func define() async throws {
        let boards = try #require(users.boards)
        try await boards.storage.set(BoardDefinition(name: "driving", bank: "de/driving"))
        _ = try await boards.refresh()
    }

    private func answer(_ tokens: AccountBody.Tokens, right: Int) async throws {
        let date = Int64(clock.now.timeIntervalSince1970 * 1000)
        let rows = (0..<4).map { place in
            AnswerRow(
                bank: "de/driving", session: "s", question: "q\(place)", isCorrect: place < right,
                takenMilliseconds: 1, exposuresBefore: 0, mode: "exam", milliseconds: date)
        }
        let client = ClientID("phone")
        let span = AnswerSpan(client: client, first: 1, count: rows.count)
        let request = ExchangeRequest(
            number: 1, user: tokens.user, client: client, epoch: nil, cursor: 0, operations: [],
            knownAnswers: AnswerVector([client: 4]), answers: [span])
        let call = ExchangeCall(request: request, answers: [AnswerColumns(span: span, rows: rows)])
        let reply = try await send(
            .post, UserDataRoutes.exchange,
            String(decoding: call.json.canonicalBytes, as: UTF8.self), token: tokens.accessToken)
        #expect(reply.status == .ok)
    }

    @Test func nobodyUnknownSeesABoard() async throws {
        try await define()
        for (method, path) in [
            (HTTPRequest.Method.get, UserDataRoutes.boards),
            (.get, UserDataRoutes.boards + "/driving/day"), (.get, UserDataRoutes.profile),
            (.put, UserDataRoutes.profile),
        ] {
            let reply = try await router.send(method, path, [.contentType: "application/json"])
            #expect(reply.status == .unauthorized, "\(path)")
        }
    }

    @Test func aLearnerSeesTheBoardAndTheOwnPlace() async throws {
        try await define()
        let other = try AccountBody.Tokens(
            try await router.send(.post, UserDataRoutes.accounts + "/anonymous").body)
        try await answer(tokens, right: 2)
        try await answer(other, right: 3)
        let named = try await send(
            .put, UserDataRoutes.profile, #"{"name":" Ada "}"#, token: other.accessToken)
        let profile = try BoardProfile(named.body)
        #expect(profile.name == "Ada" && profile.isListed)
        _ = try await users.boards?.refresh()
        let list = try await send(.get, UserDataRoutes.boards)
        #expect(try BoardSummary.list(list.body).map(\.id) == ["driving"])
        let reply = try await send(
            .get, UserDataRoutes.boards + "/driving/week?top=1&friends=\(profile.friendCode)")
        let page = try BoardPage(reply.body)
        #expect(page.top.map(\.name) == ["Ada"] && page.top.map(\.score) == [30])
        #expect(page.own?.rank == 2 && page.own?.score == 20 && page.placeCount == 2)
        #expect(page.friends.map(\.friendCode) == [profile.friendCode])
        #expect(page.firstDay != nil && !page.isFinal)
        #expect(reply.headers[.cacheControl] == "no-store")
        #expect(!String(decoding: reply.body, as: UTF8.self).contains(other.user))
    }

    @Test func whatIsNoBoardIsNotFound() async throws {
        try await define()
        for path in ["/other/day", "/driving/year", "/driving/day?first=2020-01-01", "/%2e%2e/day"]
        {
            let reply = try await send(.get, UserDataRoutes.boards + path)
            #expect(reply.status == .notFound, "\(path)")
        }
        for path in ["?top=101", "?top=-1", "?top=x", "?first=1", "?friends=abc", "?friends=,"] {
            let reply = try await send(.get, UserDataRoutes.boards + "/driving/day" + path)
            #expect(reply.status == (path == "?friends=," ? .ok : .badRequest), "\(path)")
        }
        let codes = Array(repeating: "ABCDEFGHJK", count: 51).joined(separator: ",")
        let many = try await send(.get, UserDataRoutes.boards + "/driving/day?friends=" + codes)
        #expect(many.status == .badRequest)
    }

    @Test func aNameThatCannotBeShownIsRefused() async throws {
        for (body, status) in [
            (#"{"name":"a\nb"}"#, 422), (#"{"name":""}"#, 422), (#"{"name":7}"#, 400),
            (#"{"nam":"a"}"#, 400), ("[]", 400), (#"{"isListed":1}"#, 400),
            (#"{"isListed":null}"#, 400),
        ] {
            let reply = try await send(.put, UserDataRoutes.profile, body)
            #expect(reply.status.code == status, "\(body)")
        }
        let reply = try await send(.put, UserDataRoutes.profile, #"{"isListed":false}"#)
        #expect(try !BoardProfile(reply.body).isListed)
    }

    @Test func tooManyRequestsAreRefused() async throws {
        try await define()
        var statuses: [Int] = []
        for _ in 0...ServiceLimits.boardRequestsPerMinute {
            statuses.append(try await send(.get, UserDataRoutes.boards).status.code)
        }
        #expect(statuses.dropLast().allSatisfy { $0 == 200 } && statuses.last == 429)
    }

    @Test func theExportHasTheProfile() async throws {
        _ = try await send(.put, UserDataRoutes.profile, #"{"name":"Ada"}"#)
        let reply = try await send(.get, UserDataRoutes.accounts + "/export")
        #expect(String(decoding: reply.body, as: UTF8.self).contains(#""name":"Ada""#))
    }
}
