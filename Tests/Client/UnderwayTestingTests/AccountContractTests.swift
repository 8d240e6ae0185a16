import ContentModel
import Foundation
import ServiceAPI
import SyncClient
import Testing
import UnderwayTesting

/// What the routes of accounts reply, also to a request whose first copy or whose reply was lost: the replies are
/// those of a server, written down here for the test kit.
@Suite struct AccountContractTests {
    /// The fate of the first copy of a request that is sent again.
    enum Loss: CaseIterable, Sendable {
        case none, request, reply
    }

    /// A server, the tokens that it gave, and what it replied.
    final class Door {
        let clock = TestClock()
        private let transport: any Transport
        private let loss: Loss
        private(set) var transcript: [String] = []

        init(_ loss: Loss) {
            transport = TestSyncServer(clock: clock)
            self.loss = loss
        }

        /// Sends a request once, and again where its first copy or reply is lost.
        func repeating(
            _ method: String, _ name: String, _ body: JSONValue? = nil, token: String? = nil
        ) async throws -> [UInt8] {
            if loss == .reply {
                _ = try await send(method, name, body, token: token)
                transcript.removeLast()
            }
            return try await send(method, name, body, token: token)
        }

        /// Sends a request once, and notes the status and the code of the reply.
        @discardableResult
        func send(
            _ method: String, _ name: String, _ body: JSONValue? = nil, token: String? = nil
        ) async throws -> [UInt8] {
            var headers = ["Content-Type": "application/json"]
            if let token { headers["Authorization"] = "Bearer " + token }
            let address = TestDevice.serverAddress.appending(
                path: String(UserDataRoutes.accounts.dropFirst()) + "/" + name)
            let reply = try await transport.send(
                TransportRequest(
                    method, url: address, headers: headers, body: body?.canonicalBytes,
                    bodyBytesMax: 1 << 20))
            var bytes: [UInt8] = []
            for try await piece in reply.body { bytes += piece }
            var line = "\(reply.status)"
            if let node = try? JSONParser.parse(bytes),
                case .string(let code)? = node.member("code")?.value.content
            {
                line += " " + code
            }
            if (try? AccountBody.Tokens(bytes))?.isCopied == true { line += " copied" }
            transcript.append(line)
            return bytes
        }

        func tokens(_ bytes: [UInt8]) throws -> AccountBody.Tokens {
            try AccountBody.Tokens(bytes)
        }

        /// An account without a sign-in method.
        func anonymous() async throws -> AccountBody.Tokens {
            try tokens(try await send("POST", "anonymous", [:]))
        }

        /// An account with an email.
        func account(_ email: String = "ada@example.org") async throws -> AccountBody.Tokens {
            let tokens = try await anonymous()
            try await send("POST", "upgrade", Self.upgrade(email), token: tokens.accessToken)
            transcript = []
            return tokens
        }

        static func upgrade(
            _ email: String = "ada@example.org", _ password: String = "correct horse"
        ) -> JSONValue {
            ["email": .string(email), "password": .string(password)]
        }

        static func refresh(_ tokens: AccountBody.Tokens) -> JSONValue {
            ["refresh_token": .string(tokens.refreshToken)]
        }

        static func move(_ tokens: AccountBody.Tokens) -> JSONValue {
            MoveBody.Request(from: tokens.user, proof: tokens.refreshToken).json
        }

        static let signIn = upgrade()
    }

    /// A row of the contract: some requests, of which one may be repeated.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The replies; where the reply was lost, those of `again`.
        var replies: [String]
        var again: [String]?
        var run: @Sendable (Door) async throws -> Void

        init(
            _ name: String, _ replies: [String], again: [String]? = nil,
            _ run: @escaping @Sendable (Door) async throws -> Void
        ) {
            (testDescription, self.replies, self.again, self.run) = (name, replies, again, run)
        }
    }

    static let rows: [Row] = [
        Row("upgrade", ["201", "204", "200"]) { door in
            let tokens = try await door.anonymous()
            _ = try await door.repeating(
                "POST", "upgrade", Door.upgrade(), token: tokens.accessToken)
            try await door.send("POST", "sign-in", Door.signIn)
        },
        Row("upgrade of a taken email", ["201", "409 emailTaken"]) { door in
            _ = try await door.account()
            let other = try await door.anonymous()
            _ = try await door.repeating(
                "POST", "upgrade", Door.upgrade(), token: other.accessToken)
        },
        Row("upgrade with a short password", ["201", "400 invalidRequest"]) { door in
            let tokens = try await door.anonymous()
            _ = try await door.repeating(
                "POST", "upgrade", Door.upgrade("ada@example.org", "short"),
                token: tokens.accessToken)
        },
        Row("another email without the password", ["403 needsFreshSignIn"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating(
                "POST", "upgrade", Door.upgrade("eve@example.org"), token: tokens.accessToken)
        },
        Row("deletion", ["204", "401 wrongCredentials"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating("DELETE", "account", token: tokens.accessToken)
            try await door.send("POST", "sign-in", Door.signIn)
        },
        Row("ways of a deleted account", ["204", "410 noAccount"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating("DELETE", "account", token: tokens.accessToken)
            try await door.send("GET", "ways", token: tokens.accessToken)
        },
        Row("renewal", ["200", "200"]) { door in
            let tokens = try await door.account()
            let new = try door.tokens(
                try await door.repeating("POST", "refresh", Door.refresh(tokens)))
            try await door.send("GET", "ways", token: new.accessToken)
        },
        Row("a used token", ["200", "200", "401 reusedToken", "401 unauthorized"]) { door in
            let first = try await door.account()
            let second = try door.tokens(
                try await door.send("POST", "refresh", Door.refresh(first)))
            let third = try door.tokens(
                try await door.repeating("POST", "refresh", Door.refresh(second)))
            try await door.send("POST", "refresh", Door.refresh(first))
            try await door.send("POST", "refresh", Door.refresh(third))
        },
        Row("revocation", ["204", "401 unauthorized"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating("POST", "revoke", Door.refresh(tokens))
            try await door.send("POST", "refresh", Door.refresh(tokens))
        },
        Row("sign-in", ["200", "401 wrongCredentials"]) { door in
            _ = try await door.account()
            _ = try await door.repeating("POST", "sign-in", Door.signIn)
            try await door.send(
                "POST", "sign-in", Door.upgrade("ada@example.org", "wrong horse"))
        },
        Row("the last way", ["409 lastWayIn"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating(
                "POST", "ways/remove",
                ["way": "email", "current_password": "correct horse"],
                token: tokens.accessToken)
        },
        Row(
            "end of all sessions", ["204", "401 unauthorized"],
            again: ["401 unauthorized", "401 unauthorized"]
        ) { door in
            let tokens = try await door.account()
            _ = try await door.repeating("POST", "revoke-all", [:], token: tokens.accessToken)
            try await door.send("POST", "refresh", Door.refresh(tokens))
        },
        Row("a fresh sign-in", ["200", "204", "401 unauthorized"]) { door in
            let first = try await door.account()
            let fresh = try door.tokens(try await door.send("POST", "sign-in", Door.signIn))
            try await door.send(
                "POST", "upgrade", Door.upgrade("eve@example.org"), token: fresh.accessToken)
            try await door.send("GET", "ways", token: first.accessToken)
        },
        Row("a sign-in of before", ["200", "200", "403 needsFreshSignIn"]) { door in
            _ = try await door.account()
            let old = try door.tokens(try await door.send("POST", "sign-in", Door.signIn))
            door.clock.advance(by: .seconds(ServiceLimits.freshSignInSeconds + 60))
            let renewed = try door.tokens(
                try await door.repeating("POST", "refresh", Door.refresh(old)))
            try await door.send(
                "POST", "upgrade", Door.upgrade("eve@example.org"), token: renewed.accessToken)
        },
        Row("nobody", ["401 unauthorized"]) { door in
            _ = try await door.repeating("GET", "ways", token: "nonsense")
        },
    ]

    static let moves: [Row] = [
        Row("move", ["201", "200", "410 movedAccount", "410 movedAccount"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
            try await door.send("POST", "refresh", Door.refresh(source))
            try await door.send("GET", "ways", token: source.accessToken)
        },
        Row("move with a used proof", ["201", "200", "200"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            try await door.send("POST", "refresh", Door.refresh(source))
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
        },
        Row("move of an account with a way in", ["403 needsFreshSignIn", "200"]) { door in
            let source = try await door.account("eve@example.org")
            let target = try await door.account()
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
            try await door.send("GET", "ways", token: source.accessToken)
        },
        Row("move after a fresh sign-in", ["200", "200", "401 wrongCredentials"]) { door in
            _ = try await door.account("eve@example.org")
            let target = try await door.account()
            let fresh = try door.tokens(
                try await door.send("POST", "sign-in", Door.upgrade("eve@example.org")))
            _ = try await door.repeating(
                "POST", "move", Door.move(fresh), token: target.accessToken)
            try await door.send("POST", "sign-in", Door.upgrade("eve@example.org"))
        },
        Row("move elsewhere", ["201", "201", "200", "409 movedElsewhere"]) { door in
            let target = try await door.account()
            let (other, source) = (try await door.anonymous(), try await door.anonymous())
            try await door.send("POST", "move", Door.move(source), token: target.accessToken)
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: other.accessToken)
        },
        Row("move on", ["201", "201", "200", "200", "200"]) { door in
            let end = try await door.account()
            let (source, between) = (try await door.anonymous(), try await door.anonymous())
            try await door.send("POST", "move", Door.move(source), token: between.accessToken)
            try await door.send("POST", "move", Door.move(between), token: end.accessToken)
            _ = try await door.repeating("POST", "move", Door.move(source), token: end.accessToken)
        },
        Row("move of a deleted account", ["201", "204", "410 noAccount"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            try await door.send("DELETE", "account", token: source.accessToken)
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
        },
        Row("deletion of what moved", ["201", "200", "204", "410 noAccount"]) { door in
            let target = try await door.account()
            let source = try await door.anonymous()
            try await door.send("POST", "move", Door.move(source), token: target.accessToken)
            _ = try await door.repeating("DELETE", "account", token: target.accessToken)
            try await door.send("POST", "refresh", Door.refresh(source))
        },
        Row("move by another's proof", ["201", "401 wrongCredentials"]) { door in
            let target = try await door.account()
            var source = try await door.anonymous()
            source.refreshToken = target.refreshToken
            _ = try await door.repeating(
                "POST", "move", Door.move(source), token: target.accessToken)
        },
        Row("move into itself", ["200"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating(
                "POST", "move", Door.move(tokens), token: tokens.accessToken)
        },
        Row("a copy without a way in", ["201", "200", "200", "200 copied", "200", "200"]) { door in
            let first = try await door.anonymous()
            let second = try door.tokens(
                try await door.send("POST", "refresh", Door.refresh(first)))
            let third = try door.tokens(
                try await door.send("POST", "refresh", Door.refresh(second)))
            let copy = try door.tokens(
                try await door.repeating("POST", "refresh", Door.refresh(first)))
            try await door.send("POST", "refresh", Door.refresh(third))
            try await door.send("POST", "refresh", Door.refresh(copy))
        },
    ]

    @Test(arguments: AccountContractTests.rows + AccountContractTests.moves, Loss.allCases)
    func repliesAreThoseOfTheContract(row: Row, loss: Loss) async throws {
        let door = Door(loss)
        try await row.run(door)
        let expected = loss == .reply ? row.again ?? row.replies : row.replies
        #expect(door.transcript == expected, "\(row.testDescription), \(loss)")
    }

    /// No route of the server is missing in the kit without a word.
    @Test func theKitSaysWhatItLacks() async throws {
        let kit = TestSyncServer()
        for path in TestSyncServer.routesNotInKit {
            let address = TestDevice.serverAddress.appending(path: String(path.dropFirst()))
            let reply = try await kit.send(
                TransportRequest(
                    "POST", url: address, headers: [:], body: nil, bodyBytesMax: 1 << 20))
            #expect(reply.status == 501, "\(path)")
        }
    }
}
