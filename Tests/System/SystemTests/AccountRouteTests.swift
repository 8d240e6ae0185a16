import Accounts
import ContentModel
import Foundation
import HTTPTypes
import Ledger
import ServerApplication
import ServerTestSupport
import ServiceAPI
import TestSupport
import Testing

/// Routes and commands about how an account is opened.
@Suite struct AccountRouteTests {
    private let folder: TemporaryFolder
    private let router: InProcessRouter

    init() async throws {
        folder = try TemporaryFolder()
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"), passwordRounds: 1 << 10,
                mailbox: try FileMailbox(folder: folder.url.appending(path: "mail"))))
        router = InProcessRouter(release: folder.path + "/none", users: users)
    }

    private func post(
        _ path: String, _ body: String = "{}", token: String? = nil
    ) async throws -> InProcessRouter.Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer " + token }
        return try await router.send(
            .post, "\(UserDataRoutes.accounts)/\(path)", headers, body: Array(body.utf8))
    }

    private func code(_ answer: InProcessRouter.Answer) throws -> String? {
        guard
            case .string(let text)? = try JSONParser.parse(answer.body).member("code")?.value
                .content
        else { return nil }
        return text
    }

    private func account() async throws -> AccountBody.Tokens {
        let tokens = try AccountBody.Tokens(try await post("anonymous").body)
        let done = try await post(
            "upgrade", #"{"email":"ada@example.org","password":"correct horse"}"#,
            token: tokens.accessToken)
        #expect(done.status == .noContent)
        return tokens
    }

    @Test func aStolenAccessTokenChangesNoWayIn() async throws {
        let token = try await account().accessToken
        let takeover = #"{"email":"eve@example.org","password":"12345678"}"#
        #expect(try code(try await post("upgrade", takeover, token: token)) == "needsFreshSignIn")
        let removal = #"{"way":"email","accept_last":true}"#
        #expect(
            try code(try await post("ways/remove", removal, token: token)) == "needsFreshSignIn")
        let guess = #"{"way":"email","current_password":"12345678"}"#
        #expect(
            try code(try await post("ways/remove", guess, token: token)) == "wrongCredentials")
        let last = #"{"way":"email","current_password":"correct horse"}"#
        #expect(try code(try await post("ways/remove", last, token: token)) == "lastWayIn")
        let list = try await router.send(
            .get, "\(UserDataRoutes.accounts)/ways", [.authorization: "Bearer " + token])
        #expect(try AccountBody.SignInMethod.list(list.body).map(\.name) == ["ada@example.org"])
    }

    @Test func revokingAllEndsTheAccessTokenAtOnce() async throws {
        let tokens = try await account()
        #expect(try await post("revoke-all", token: tokens.accessToken).status == .noContent)
        let answer = try await post("revoke-all", token: tokens.accessToken)
        #expect(try code(answer) == "unauthorized")
    }

    /// The reply to the first request may have been lost.
    @Test func deletingTwiceIsDeletingOnce() async throws {
        let headers: HTTPFields = [.authorization: "Bearer " + (try await account()).accessToken]
        let path = UserDataRoutes.accounts + "/account"
        for _ in 0..<2 {
            #expect(try await router.send(.delete, path, headers).status == .noContent)
        }
        let list = try await router.send(.get, UserDataRoutes.accounts + "/ways", headers)
        #expect(try code(list) == "noAccount")
    }

    @Test func aResetSaysTheSameOfKnownAndUnknownEmails() async throws {
        _ = try await account()
        let known = try await post("password/request-reset", #"{"email":"ada@example.org"}"#)
        let unknown = try await post("password/request-reset", #"{"email":"eve@example.org"}"#)
        #expect(known.status == .accepted && unknown.status == .accepted)
        #expect(known.body == unknown.body)
        // Each request has a trace of its own, whose identity is random.
        let trace = try #require(HTTPField.Name("traceparent"))
        var headers = [known.headers, unknown.headers]
        for place in headers.indices { headers[place][trace] = nil }
        #expect(headers[0] == headers[1])
        let mail = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/mail")
        #expect(mail.count == 1)
        let message = try JSONDecoder().decode(
            [String: String].self,
            from: try Data(
                contentsOf: folder.url.appending(path: "mail").appending(path: mail[0])))
        let code = try #require(message["code"])
        let reset =
            #"{"email":"ada@example.org","password":"battery staple","code":"\#(code)"}"#
        #expect(try await post("password/reset", reset).status == .noContent)
        #expect(try self.code(try await post("password/reset", reset)) == "wrongCredentials")
        let signIn = #"{"email":"ada@example.org","password":"battery staple"}"#
        #expect(try await post("sign-in", signIn).status == .ok)
    }

    /// As one types them, against the running program.
    @Test func signInMethodsAreListedAndRemovedByCommands() async throws {
        let server = try await Tool.Server([
            "--release", folder.path, "--data", folder.path + "/served",
        ])
        defer { try? server.kill() }
        let address = "http://127.0.0.1:\(server.port)"
        func run(_ arguments: [String], input: String = "") async throws -> Tool.Result {
            try await Tool.run(
                ["account"] + arguments
                    + ["--server", address, "--store", folder.path + "/phone"], input: input)
        }
        let done = try await run(["upgrade", "ada@example.org"], input: "correct horse\n")
        #expect(done.status == 0, "\(done.errors)")
        #expect(
            try await run(["sign-in-methods"]).output.contains(
                "email  ada@example.org  (not verified)"))
        let asked = try await run(["remove-sign-in-method", "email"])
        #expect(asked.status != 0 && asked.errors.contains("present password"))
        let last = try await run(
            ["remove-sign-in-method", "email", "--confirm"], input: "correct horse\n")
        #expect(last.status != 0 && last.errors.contains("last sign-in method"))
        let removed = try await run(
            ["remove-sign-in-method", "email", "--confirm", "--accept-last"],
            input: "correct horse\n")
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try await run(["sign-in-methods"]).output.contains("No sign-in methods"))
    }
}
