package import Accounts
import ContentServer
import Foundation
import ServiceAPI

extension UserBackend {
    // MARK: Ways in

    /// Creates an account without sign-in methods, for a device without an account.
    ///
    /// - Parameter address: The client's address, for the rate limit.
    /// - Returns: The account and its tokens.
    /// - Throws: `RequestError` `tooManyRequests`.
    package func makeAnonymousAccount(address: String) async throws -> SessionTokens {
        try await openSession(try await makeAccount(address: address), isAuthenticated: false)
    }

    private func makeAccount(address: String) async throws -> String {
        try await limit(.signIns, address)
        let id = "u" + RandomText.make(bytes: 15)
        try await accounts.make(id: id, now: clock())
        return id
    }

    /// Opens a session by email and password.
    ///
    /// - Parameters:
    ///   - email: The email.
    ///   - password: The password.
    ///   - address: The client's address. Only failures count, by address and by address and email together, so that
    ///     no stranger can lock a user out.
    /// - Returns: The account and its tokens.
    /// - Throws: `RequestError` `wrongCredentials`, `tooManyRequests`, `busy`.
    package func signIn(
        email: String, password: String, address: String
    ) async throws -> SessionTokens {
        let email = Email(email)?.text ?? ""
        let known = try await countingFailures(address, email: email) {
            let known = try await accounts.password(of: email)
            let isRight = try await passwords.matches(password, known?.hash, address: address)
            return isRight ? known : nil
        }
        guard let known else { throw RequestError.wrongPassword }
        return try await openSession(
            known.id, isAuthenticated: true, verified: VerifiedState(password: known.hash))
    }

    /// Opens a session by a token of an external issuer.
    ///
    /// - Parameters:
    ///   - token: A signed token.
    ///   - user: The signed-in account; the identity is linked to it unless another account has it.
    ///   - currentPassword: The account's password, required for linking if it has one.
    ///   - address: The client's address, for the rate limit.
    /// - Returns: The account and its tokens.
    /// - Throws: `RequestError` `wrongCredentials`, `tooManyRequests`, `needsFreshSignIn`,
    ///   `busy`.
    package func signIn(
        externalToken token: String, user: AuthenticatedUser?, currentPassword: String? = nil,
        address: String
    ) async throws -> SessionTokens {
        let identity = try await countingFailures(address, email: nil) {
            try await external.identity(of: token, now: clock())
        }
        guard let identity else { throw RequestError.wrongToken }
        let verified = VerifiedState(identity: identity)
        if let known = try await accounts.account(of: identity) {
            return try await openSession(known, isAuthenticated: true, verified: verified)
        }
        let id: String
        if let user {
            try await checkFreshSignIn(user, currentPassword, address: address)
            id = user.id
        } else {
            id = try await makeAccount(address: address)
        }
        let linked = try await accounts.link(
            identity, to: id, keeping: user?.session, verified: VerifiedState(user: user),
            now: clock())
        return try await openSession(linked, isAuthenticated: true, verified: verified)
    }

    /// Runs an attempt that counts as failed from its beginning until it succeeds.
    ///
    /// - Returns: The result of the attempt; `nil` when it failed.
    func countingFailures<Value: Sendable>(
        _ address: String, email: String?, _ attempt: () async throws -> Value?
    ) async throws -> Value? {
        let now = clock().millisecondsSince1970
        let pair = email.map { "\($0) \(address)" }
        if let pair, let seconds = await rateLimits.begin(.signInsByEmail, of: pair, now: now) {
            throw RequestError.tooMany(seconds)
        }
        if let seconds = await rateLimits.begin(.signInsByAddress, of: address, now: now) {
            if let pair { await rateLimits.withdraw(.signInsByEmail, of: pair) }
            throw RequestError.tooMany(seconds)
        }
        func withdraw() async {
            await rateLimits.withdraw(.signInsByAddress, of: address)
            if let pair { await rateLimits.withdraw(.signInsByEmail, of: pair) }
        }
        do {
            let value = try await attempt()
            if value != nil { await withdraw() }
            return value
        } catch {
            // An overloaded server proves nothing about the credentials.
            await withdraw()
            throw error
        }
    }

    // MARK: Sessions

    /// Renews the tokens of a session; the refresh token becomes invalid.
    ///
    /// For an account without sign-in methods, a token that was used before opens another session.
    ///
    /// - Throws: `RequestError` `unauthorized`, `reusedToken`, `noAccount`, `moving`, `movedAccount`,
    ///   `tooManyRequests`.
    package func refresh(_ token: String, address: String) async throws -> SessionTokens {
        try await limit(.exchanges, "refresh " + address)
        // A device retries when a reply is lost, but no token gives sessions without bound.
        try await begin(.renewalsOfToken, RefreshTokens.hash(token).base64EncodedString())
        let (session, isCopied) = try await accounts.rotate(token, now: clock()) { account in
            try await begin(.copiesOfAccount, account)
        }
        var tokens = try await sessionTokens(session)
        tokens.isCopied = isCopied
        return tokens
    }

    private func begin(_ limit: FailureLimit, _ name: String) async throws {
        let now = clock().millisecondsSince1970
        if let seconds = await rateLimits.begin(limit, of: name, now: now) {
            throw RequestError.tooMany(seconds)
        }
    }

    /// Ends the session of a refresh token.
    package func revoke(_ token: String) async throws {
        try await accounts.revoke(token, now: clock())
    }

    /// Ends all sessions of a user, and invalidates the access tokens.
    package func revokeAll(of user: String) async throws {
        try await accounts.endSessions(of: user, except: nil, now: clock())
    }

    func openSession(
        _ user: String, isAuthenticated: Bool, verified: VerifiedState = VerifiedState()
    ) async throws -> SessionTokens {
        try await sessionTokens(
            try await accounts.open(
                user, isAuthenticated: isAuthenticated, verified: verified, now: clock()))
    }

    private func sessionTokens(_ session: Session) async throws -> SessionTokens {
        let now = clock()
        try await accounts.storage.renewMark(now: now.millisecondsSince1970)
        return SessionTokens(
            user: session.account, accessToken: try await tokens.make(session, now: now),
            refreshToken: session.refreshToken)
    }

    // MARK: The end of an account

    /// Deletes an account with all of its data for good, and every account that moved into it.
    ///
    /// The first transaction hides them and removes the learner's identifying data. Further transactions of bounded
    /// size remove their rows; upkeep continues an interrupted deletion.
    package func delete(_ user: String) async throws {
        let now = clock()
        try await accounts.markDeleted(user, now: now)
        try await AccountUpkeep(storage: accounts.storage, now: now).eraseDeletedAccounts()
    }

    /// Continues moves, and removes expired tokens and codes, unused accounts, and the rows of deleted accounts.
    ///
    /// - Throws: An error of the file system or the database; the next call removes the rest.
    package func purgeAccounts() async throws {
        let now = clock()
        try await accounts.storage.renewMark(now: now.millisecondsSince1970)
        try await continueMoves()
        try await AccountUpkeep(storage: accounts.storage, now: now).run()
    }
}
