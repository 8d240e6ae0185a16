import ContentModel
import Foundation
import ServiceAPI
package import SyncClient
import Testing
package import UnderwayTesting

/// The replies of the routes of accounts, also to a request whose first copy or whose reply was lost: one table for each
/// server, real or of the test kit.
package enum AccountContract {
    /// The fate of the first copy of a request that is sent again.
    package enum Loss: CaseIterable, Sendable {
        case none, request, reply
    }

    /// A server, the tokens that it gave, and what it replied.
    package final class Door {
        let clock: TestClock
        private let transport: any Transport
        private let loss: Loss
        package private(set) var transcript: [String] = []

        /// Opens the door of a server without accounts.
        package init(_ loss: Loss, _ transport: any Transport, clock: TestClock) {
            (self.loss, self.transport, self.clock) = (loss, transport, clock)
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
            _ email: String = "ada@example.org", _ password: String = "correct horse",
            confirmedBy current: String? = nil
        ) -> JSONValue {
            .compact([
                "email": .string(email), "password": .string(password),
                "current_password": current.map { .string($0) },
            ])
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
    package struct Row: Sendable, CustomTestStringConvertible {
        package var testDescription: String
        /// The replies; where the reply was lost, those of `again`.
        var replies: [String]
        var again: [String]?
        package var run: @Sendable (Door) async throws -> Void

        init(
            _ name: String, _ replies: [String], again: [String]? = nil,
            _ run: @escaping @Sendable (Door) async throws -> Void
        ) {
            (testDescription, self.replies, self.again, self.run) = (name, replies, again, run)
        }

        /// Returns the replies that a server must give.
        package func expected(_ loss: Loss) -> [String] {
            loss == .reply ? again ?? replies : replies
        }
    }

    /// All rows.
    package static let rows = sessions + moves

    private static let sessions: [Row] = [
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
        Row(
            "another email by the password", ["200", "204", "401 unauthorized"],
            again: ["200", "401 unauthorized", "401 unauthorized"]
        ) { door in
            let first = try await door.account()
            let second = try door.tokens(try await door.send("POST", "sign-in", Door.signIn))
            _ = try await door.repeating(
                "POST", "upgrade", Door.upgrade("eve@example.org", confirmedBy: "correct horse"),
                token: second.accessToken)
            try await door.send("GET", "ways", token: first.accessToken)
        },
        Row("a fresh sign-in is no password", ["200", "403 needsFreshSignIn", "200"]) { door in
            let first = try await door.account()
            let fresh = try door.tokens(try await door.send("POST", "sign-in", Door.signIn))
            _ = try await door.repeating(
                "POST", "upgrade", Door.upgrade("eve@example.org"), token: fresh.accessToken)
            try await door.send("GET", "ways", token: first.accessToken)
        },
        Row("a wrong password", ["401 wrongCredentials"]) { door in
            let tokens = try await door.account()
            _ = try await door.repeating(
                "POST", "upgrade", Door.upgrade("eve@example.org", confirmedBy: "wrong horse"),
                token: tokens.accessToken)
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
}
