import Accounts
import ContentModel
import Foundation
import HTTPTypes
import Ledger
import ServerTestSupport
import ServiceAPI
import TestSupport
import Testing
import UserData

/// The routes for accounts with a role, and what devices say of their content.
@Suite struct OperationsRouteTests {
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

    private func get(_ path: String) async throws -> InProcessRouter.Answer {
        try await router.send(.get, path, [.authorization: "Bearer " + tokens.accessToken])
    }

    private func grant(_ role: Role, _ isGranted: Bool = true) async throws {
        _ = try await users.administration?.set(
            role, isGranted: isGranted, of: tokens.user, by: "operator:test")
    }

    /// Sends an exchange of a device with the field that says what it has.
    private func exchange(_ client: String, _ field: String?) async throws -> Int {
        let request = ExchangeRequest(
            number: 1, user: tokens.user, client: ClientID(client), epoch: nil, cursor: 0,
            operations: [], knownAnswers: AnswerVector([:]))
        var headers: HTTPFields = [
            .authorization: "Bearer " + tokens.accessToken, .contentType: "application/json",
        ]
        if let field { headers[try #require(HTTPField.Name("Underway-Content"))] = field }
        let body = ExchangeCall(request: request, answers: []).json.canonicalBytes
        return try await router.send(.post, UserDataRoutes.exchange, headers, body: body)
            .status.code
    }

    @Test(arguments: [UserDataRoutes.uptake, UserDataRoutes.audit])
    func nobodyWithoutARoleSeesAnything(path: String) async throws {
        #expect(try await router.send(.get, path).status == .unauthorized)
        let reply = try await get(path)
        #expect(reply.status == .forbidden)
        #expect(String(decoding: reply.body, as: UTF8.self).contains(#""code":"forbidden""#))
    }

    @Test func eachRoleSeesWhatItMayAndNoLonger() async throws {
        for (role, mayRead) in [
            (Role.author, false), (.publisher, false), (.administrator, true),
        ] {
            try await grant(role)
            #expect(try await get(UserDataRoutes.uptake).status == .ok)
            #expect(
                try await get(UserDataRoutes.audit).status == (mayRead ? .ok : .forbidden),
                "\(role)")
            // The token lives on; the role does not.
            try await grant(role, false)
            #expect(try await get(UserDataRoutes.uptake).status == .forbidden)
        }
    }

    @Test func devicesCountByWhatTheySay() async throws {
        try await grant(.author)
        for (client, field) in [
            ("a", "release=17"), ("b", "release=17"), ("c", "release=16, obstacle=storage"),
            ("d", "release=x"), ("e", nil), ("f", String(repeating: "release=1,", count: 90)),
        ] {
            #expect(try await exchange(client, field) == 200, "\(client)")
        }
        let reply = try await get(UserDataRoutes.uptake)
        #expect(
            String(decoding: reply.body, as: UTF8.self)
                == #"{"counts":[{"devices":2,"release":17},"#
                + #"{"devices":1,"obstacle":"storage","release":16}],"days":30,"devices":3}"#)
    }

    @Test func theLogIsReadInPages() async throws {
        try await grant(.administrator)
        try await grant(.author)
        let newest = try await get(UserDataRoutes.audit + "?limit=1")
        let text = String(decoding: newest.body, as: UTF8.self)
        #expect(text.contains(#""action":"role.granted""#) && text.contains(#""number":2"#))
        #expect(text.contains(#""subject":"\#(tokens.user)""#))
        let roles = try await get(UserDataRoutes.audit + "?action=role")
        #expect(String(decoding: roles.body, as: UTF8.self).contains(#""number":2"#))
        let none = try await get(UserDataRoutes.audit + "?action=board")
        #expect(String(decoding: none.body, as: UTF8.self) == #"{"entries":[]}"#)
        let earlier = try await get(UserDataRoutes.audit + "?before=2")
        #expect(String(decoding: earlier.body, as: UTF8.self).contains(#""number":1"#))
        for query in [
            "limit=0", "limit=1001", "limit=x", "before=0", "before=-1", "before=",
            "before=9007199254740992", "action=", "action=%25", "action=Role", "action=a%20b",
            "action=" + String(repeating: "a", count: 65),
        ] {
            #expect(try await get(UserDataRoutes.audit + "?" + query).status == .badRequest)
        }
        #expect(
            try await router.send(
                .delete, UserDataRoutes.audit,
                [.authorization: "Bearer " + tokens.accessToken]
            ).status == .methodNotAllowed)
    }

    @Test func deletingTheOwnAccountIsInTheLogWithoutAnEmail() async throws {
        let caller = try await users.authentication.authenticatedUser(
            "Bearer " + tokens.accessToken)
        try await users.upgrade(
            caller, email: "ada@example.org", password: "a long enough password", address: "a")
        try await users.delete(tokens.user)
        let entries = try await users.administration?.entries() ?? []
        #expect(entries.map(\.action) == [.accountDeleted])
        #expect(entries.first?.actor == tokens.user && entries.first?.subject == tokens.user)
        #expect(!entries.contains { "\($0)".contains("example.org") })
    }
}
