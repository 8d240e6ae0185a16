import ContentModel
import Foundation
import Logging
import OfflineStorage
import ServiceAPI

/// The tokens of the users of a device.
extension Account {
    private static func name(_ user: String) -> String { "tokens of \(user)" }

    /// Returns the tokens of a user, when they may be sent to a server; this account's by default.
    ///
    /// - Throws: `ServiceError` `otherServer` naming both servers when another one issued them.
    func tokens(of user: String, at other: ServiceClient? = nil) throws -> AccountBody.Tokens? {
        let client = other ?? client
        guard let bound = try storedTokens(of: user) else { return nil }
        try bound.check(client)
        return bound.tokens
    }

    /// Returns the tokens of a user, from any server.
    func storedTokens(of user: String) throws -> BoundTokens? {
        try secrets.secret(Self.name(user)).flatMap {
            // Damaged ones are as good as none: the user signs in again.
            try? BoundTokens(stored: $0)
        }
    }

    /// Saves the tokens of a user, or removes them.
    func save(_ tokens: AccountBody.Tokens?, of user: String) throws {
        try secrets.set(
            Self.name(user), try tokens.map { try BoundTokens($0, from: client).stored })
    }

    /// Renews invalid tokens, unless another caller has renewed them since they were read.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - refused: The access token that the server rejected.
    /// - Throws: `ServiceError`; `unauthorized` when the user must sign in again.
    func renew(_ user: String, insteadOf refused: String) async throws {
        try await lane.renewals.run {
            guard let tokens = try tokens(of: user) else { throw ServiceError.signInAgain }
            guard tokens.accessToken == refused else { return }
            let reply = try await client.send(
                "POST", path("refresh"), ["refresh_token": .string(tokens.refreshToken)])
            let renewed = try Self.tokens(reply)
            // The user may have signed out meanwhile: the token must not come back.
            guard try self.tokens(of: user) != nil else { throw ServiceError.signInAgain }
            // Noted before the tokens are saved: after a crash in between the server says it again.
            if renewed.isCopied { try store.noteCopy(of: user, now: Date()) }
            try save(renewed, of: user)
            logger.debug("token renewed")
        }
    }

    /// Performs a request of a user, by default the current one, with tokens that are renewed once.
    func withToken<Value: Sendable>(
        of user: String? = nil, _ body: (String) async throws -> Value
    ) async throws -> Value {
        let user = user ?? store.user
        guard let tokens = try tokens(of: user) else {
            throw ServiceError(
                .unauthorized, "There is no account yet. Sync, or sign in.", status: 401)
        }
        do {
            return try await body(tokens.accessToken)
        } catch let error as ServiceError where error.code == .unauthorized {
            try await renew(user, insteadOf: tokens.accessToken)
            return try await body(try self.tokens(of: user)?.accessToken ?? "")
        }
    }
}
