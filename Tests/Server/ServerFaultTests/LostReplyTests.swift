import ContentModel
import DatabaseTestSupport
import Foundation
import HTTPTypes
import Ledger
import PostgresDriver
import ServerTestSupport
import ServiceAPI
import TestSupport
import Testing
import UserData

/// A connection to the database that is lost between a COMMIT and its reply, at each COMMIT of each kind of request.
///
/// The client sends the request again when it is told to (503 with `Retry-After`), as docs/sync.md says; the second
/// reply is the last.
@Suite struct LostReplyTests {
    /// A process behind a line that loses replies, and a device that signed in with a password.
    private struct World {
        static let email = "ada@example.org"
        static let password = "correct horse"

        let server: UserDatabaseServer
        let proxy: ForgetfulProxy
        let process: TestProcess
        var client: TestClient

        init(clock: @escaping @Sendable () -> Date = { Date() }) async throws {
            server = try await UserDatabaseServer()
            proxy = try ForgetfulProxy(to: server.host)
            process = try await TestProcess(
                proxy.address(server.login), clock: clock, settings: { $0.connectionsMax = 1 })
            client = process.client
        }

        /// Makes a client whose account has a password.
        mutating func signUp(_ email: String = email) async throws {
            client = try await process.newClient()
            let reply = try await client.account(
                "upgrade", ["email": .string(email), "password": .string(Self.password)])
            guard reply.isSuccess else { throw reply.failure }
            try await signIn(email)
        }

        mutating func signIn(
            _ email: String = email, _ password: String = password
        ) async throws {
            let reply = try await client.account(
                "sign-in", ["email": .string(email), "password": .string(password)])
            guard reply.status == .ok else { throw reply.failure }
            client.tokens = try AccountBody.Tokens(reply.body)
        }

        mutating func renew() async throws {
            let reply = try await client.account(
                "refresh", ["refresh_token": .string(client.tokens?.refreshToken ?? "")])
            guard reply.status == .ok else { throw reply.failure }
            client.tokens = try AccountBody.Tokens(reply.body)
        }
    }

    /// What a client was told.
    private struct Replies {
        var first: TestClient.Reply
        /// The reply to the same request, if the client had to send it again.
        var second: TestClient.Reply?
        var last: TestClient.Reply { second ?? first }
    }

    /// Sends a request again and again, each time with a world of its own, and loses the reply to its first COMMIT, its
    /// second and so on.
    ///
    /// - Parameters:
    ///   - isHidden: True when the server repeats whatever was lost by itself.
    ///   - prepare: What comes before the request.
    ///   - send: The request.
    ///   - check: What is true after it.
    private func atEachCommit(
        isHidden: Bool = false, at place: SourceLocation = #_sourceLocation,
        _ world: inout World, prepare: (inout World, Int) async throws -> Void,
        send: (World) async throws -> TestClient.Reply,
        check: (inout World, Replies) async throws -> Void
    ) async throws {
        for number in 1... {
            try await prepare(&world, number)
            world.proxy.lose(number)
            let first = try await send(world)
            let hasLost = world.proxy.hasLost
            world.proxy.lose(nil)
            var replies = Replies(first: first)
            if first.isPostponed {
                #expect(hasLost && !isHidden, "\(first.text)", sourceLocation: place)
                expectProblem(first, .unavailable, at: place)
                replies.second = try await send(world)
            }
            try await check(&world, replies)
            guard hasLost else {
                #expect(number > 1, "no reply was lost", sourceLocation: place)
                return
            }
        }
    }

    // MARK: Data

    /// The exchange runs again by itself: results and numbers of answers say what was committed.
    @Test func anExchangeIsRepeatedByTheServer() async throws {
        var world = try await World()
        try await atEachCommit(isHidden: true, &world) { world, _ in
            world.client = try await world.process.newClient()
        } send: { world in
            try await world.client.exchange("a")
        } check: { world, replies in
            let reply = try ExchangeReply(replies.last.body, client: ClientID("d")).response
            guard case .accepted(let record)? = reply.results.values.first else {
                throw replies.last.failure
            }
            #expect(record.revision == 1 && reply.cursor == 1 && !reply.isDeviceStale)
            #expect(reply.knownAnswers[ClientID("d")] == 1)
            let second = try await world.client.exchange("a")
            let again = try ExchangeReply(second.body, client: ClientID("d")).response
            #expect(again.cursor == 1 && again.knownAnswers[ClientID("d")] == 1)
        }
    }

    @Test func aRecordIsWrittenOnceAndAnsweredAsThen() async throws {
        var world = try await World()
        try await atEachCommit(isHidden: true, &world) { world, _ in
            world.client = try await world.process.newClient()
        } send: { world in
            try await world.client.put("a")
        } check: { world, replies in
            #expect(replies.last.status == .created && replies.last.headers[.eTag] == "\"1\"")
            let stored = try await world.client.get("a")
            #expect(stored.body == replies.last.body)
        }
        try await atEachCommit(isHidden: true, &world) { world, _ in
            world.client = try await world.process.newClient()
            _ = try await world.client.put("a")
        } send: { world in
            try await world.client.put("a", 2, ifMatch: "\"1\"")
        } check: { world, replies in
            #expect(replies.last.status == .ok && replies.last.headers[.eTag] == "\"2\"")
            let stored = try await world.client.get("a")
            #expect(stored.body == replies.last.body)
        }
        try await atEachCommit(isHidden: true, &world) { world, _ in
            world.client = try await world.process.newClient()
            _ = try await world.client.put("a")
        } send: { world in
            try await world.client.send(.delete, TestClient.record("a"), ifMatch: "\"1\"")
        } check: { world, replies in
            #expect(replies.last.status == .noContent)
            let stored = try await world.client.get("a")
            #expect(stored.status == .notFound)
        }
    }

    @Test func aDeviceIsRetiredOnceAndAnsweredAsThen() async throws {
        var world = try await World()
        try await atEachCommit(isHidden: true, &world) { world, _ in
            world.client = try await world.process.newClient()
            _ = try await world.client.exchange("a")
        } send: { world in
            try await world.client.send(.delete, UserDataRoutes.devices + "/d")
        } check: { world, replies in
            #expect(replies.last.status == .noContent)
            let devices = try await world.client.send(.get, UserDataRoutes.devices)
            #expect(devices.text == #"{"devices":[]}"#)
        }
    }

    /// What only reads is read again, whatever was lost.
    @Test(arguments: [
        TestClient.record("a"), UserDataRoutes.collections + "/stars", UserDataRoutes.progress,
        UserDataRoutes.devices, UserDataRoutes.accounts + "/ways",
        UserDataRoutes.accounts + "/export",
    ])
    func readingIsRepeatedByTheServer(path: String) async throws {
        var world = try await World()
        try await atEachCommit(isHidden: true, &world) { world, _ in
            world.client = try await world.process.newClient()
            _ = try await world.client.put("a")
        } send: { world in
            try await world.client.send(.get, path)
        } check: { world, replies in
            #expect(replies.last.status == .ok)
            let again = try await world.client.send(.get, path)
            #expect(again.body == replies.last.body)
        }
    }

    // MARK: Accounts

    /// The account of the reply that was lost has no device, and is purged as an unused one.
    @Test func anAccountIsMadeAgain() async throws {
        var world = try await World()
        try await atEachCommit(&world) { _, _ in
        } send: { world in
            try await world.client.account("anonymous")
        } check: { world, replies in
            #expect(replies.last.status == .created)
            world.client.tokens = try AccountBody.Tokens(replies.last.body)
            #expect(try await world.client.put("a").status == .created)
            world.client.tokens = nil
        }
    }

    @Test func aPasswordThatWasSetIsSet() async throws {
        var world = try await World()
        try await atEachCommit(&world) { world, _ in
            world.client = try await world.process.newClient()
        } send: { world in
            // The account of each round has an email of its own.
            let user = world.client.tokens?.user ?? ""
            return try await world.client.account(
                "upgrade",
                ["email": .string(user + "@b.c"), "password": .string(World.password)])
        } check: { world, replies in
            #expect(replies.last.status == .noContent, "\(replies.last.text)")
            #expect(try await world.client.put("a").status == .created, "the session goes on")
            let user = world.client.tokens?.user ?? ""
            try await world.signIn(user + "@b.c")
            #expect(world.client.tokens?.user == user)
        }
    }

    @Test func signingInAgainOpensAnotherSession() async throws {
        var world = try await World()
        try await world.signUp()
        try await atEachCommit(&world) { _, _ in
        } send: { world in
            try await world.client.account(
                "sign-in",
                ["email": .string(World.email), "password": .string(World.password)])
        } check: { world, replies in
            #expect(replies.last.status == .ok)
            world.client.tokens = try AccountBody.Tokens(replies.last.body)
            #expect(try await world.client.get("a").status == .notFound)
        }
    }

    @Test func aSessionIsRenewedByTheSameToken() async throws {
        var world = try await World()
        world.client = try await world.process.newClient()
        try await atEachCommit(&world) { _, _ in
        } send: { world in
            try await world.client.account(
                "refresh", ["refresh_token": .string(world.client.tokens?.refreshToken ?? "")])
        } check: { world, replies in
            #expect(replies.last.status == .ok, "\(replies.last.text)")
            world.client.tokens = try AccountBody.Tokens(replies.last.body)
            #expect(try await world.client.get("a").status == .notFound)
        }
    }

    /// The sessions are over, so that the request that is sent again has no valid token any more.
    @Test func sessionsThatWereEndedAreOver() async throws {
        var world = try await World()
        try await atEachCommit(&world) { world, _ in
            world.client = try await world.process.newClient()
        } send: { world in
            try await world.client.account("revoke-all")
        } check: { world, replies in
            #expect(replies.last.status == .noContent || replies.second?.code == .unauthorized)
            expectProblem(try await world.client.get("a"), .unauthorized)
        }
    }

    @Test func aSessionThatWasEndedIsOver() async throws {
        var world = try await World()
        try await atEachCommit(&world) { world, _ in
            world.client = try await world.process.newClient()
        } send: { world in
            try await world.client.account(
                "revoke", ["refresh_token": .string(world.client.tokens?.refreshToken ?? "")])
        } check: { world, replies in
            #expect(replies.last.status == .noContent)
            expectProblem(try await world.client.get("a"), .unauthorized)
        }
    }

    @Test func anAccountThatWasDeletedIsDeleted() async throws {
        var world = try await World()
        try await atEachCommit(&world) { world, _ in
            world.client = try await world.process.newClient()
            _ = try await world.client.put("a")
        } send: { world in
            try await world.client.send(.delete, UserDataRoutes.accounts + "/account")
        } check: { world, replies in
            #expect(replies.last.status == .noContent)
            expectProblem(try await world.client.get("a"), .noAccount)
        }
        // Upkeep removes whatever a lost reply left.
        try await world.process.users.purgeAccounts()
        #expect(try await world.server.count("record") == 0)
    }

    /// Each step of a move is two transactions, and its end is one: whichever is lost, everything is there once.
    @Test func anAccountMovesOnce() async throws {
        // An address makes so many accounts a minute.
        let clock = ManualClock()
        var world = try await World { clock.now }
        var moved: [TestClient] = []
        try await atEachCommit(&world) { world, _ in
            clock.advance(60)
            let source = try await world.process.newClient()
            #expect(try await source.exchange("a").status == .ok)
            moved.append(source)
            world.client = try await world.process.newClient()
            #expect(try await world.client.exchange("b", client: "e").status == .ok)
        } send: { world in
            let tokens = try #require(moved.last?.tokens)
            return try await world.client.account(
                "move",
                ["from": .string(tokens.user), "proof": .string(tokens.refreshToken)])
        } check: { world, replies in
            #expect(
                try MoveBody.Reply(replies.last.body)
                    == .moved(
                        answers: 1, records: 1, differences: 0), "\(replies.last.text)")
            let reply = try ExchangeReply(
                try await world.client.exchange("b", client: "e").body, client: ClientID("e")
            ).response
            #expect(reply.knownAnswers == AnswerVector([ClientID("d"): 1, ClientID("e"): 1]))
            #expect(try await world.client.get("a").status == .ok)
            expectProblem(try await #require(moved.last).get("a"), .movedAccount)
        }
        try await world.process.users.purgeAccounts()
        #expect(try await world.server.count("account_move") == moved.count)
        #expect(try await world.server.count("answer") == 2 * moved.count)
        #expect(try await world.server.count("record") == 2 * moved.count)
    }

    private static let lastWay: [String: JSONValue] = [
        "way": "email", "accept_last": true, "current_password": .string(World.password),
    ]

    /// Other sessions end with it, and so do the access tokens of this one, which the client renews as after any 401.
    @Test func aSignInMethodThatWasRemovedIsGone() async throws {
        var world = try await World()
        try await atEachCommit(&world) { world, number in
            try await world.signUp("a\(number)@b.c")
        } send: { world in
            try await world.client.account(
                "ways/remove", Self.lastWay)
        } check: { world, replies in
            #expect(replies.last.status == .noContent || replies.second?.code == .unauthorized)
            try await world.renew()
            if replies.last.status != .noContent {
                let again = try await world.client.account(
                    "ways/remove", Self.lastWay)
                expectProblem(again, .notFound)
            }
            let ways = try await world.client.send(.get, UserDataRoutes.accounts + "/ways")
            #expect(ways.text == #"{"ways":[]}"#)
        }
    }

    // MARK: Codes

    /// A code that was redeemed is wrong the second time; what it opened is open.
    @Test func anEmailIsVerifiedOnce() async throws {
        var (world, code) = (try await World(), "")
        try await atEachCommit(&world) { world, number in
            try await world.signUp("a\(number)@b.c")
            #expect(try await world.client.account("email/request-verification").isSuccess)
            code = try world.process.receiveCode()
        } send: { world in
            try await world.client.account("email/verify", ["code": .string(code)])
        } check: { world, replies in
            #expect(
                replies.last.status == .noContent || replies.second?.code == .wrongCredentials)
            let ways = try await world.client.send(.get, UserDataRoutes.accounts + "/ways")
            #expect(ways.text.contains(#""verified":true"#))
        }
    }

    @Test func aPasswordIsResetOnce() async throws {
        var (world, email, code) = (try await World(), "", "")
        try await atEachCommit(&world) { world, number in
            email = "a\(number)@b.c"
            try await world.signUp(email)
            let reply = try await world.client.account(
                "password/request-reset", ["email": .string(email)])
            #expect(reply.isSuccess)
            code = try world.process.receiveCode()
        } send: { world in
            try await world.client.account(
                "password/reset",
                [
                    "email": .string(email), "code": .string(code),
                    "password": "battery staple",
                ])
        } check: { world, replies in
            #expect(
                replies.last.status == .noContent || replies.second?.code == .wrongCredentials)
            let user = world.client.tokens?.user ?? ""
            try await world.signIn(email, "battery staple")
            #expect(world.client.tokens?.user == user)
        }
    }
}
