import ContentModel
import Logging
import ServiceAPI

extension Account {
    // MARK: Sign-in methods

    /// Returns the methods with which another device can sign in.
    ///
    /// - Returns: The email first, then identities of other issuers; empty for an anonymous account.
    /// - Throws: `ServiceError`.
    public func signInMethods() async throws -> [SignInMethod] {
        try await withToken { token in
            let reply = try await client.send("GET", path("ways"), token: token)
            return try ServiceError.reading { try AccountBody.SignInMethod.list(reply.body) }
                .map(SignInMethod.init)
        }
    }

    /// Removes a sign-in method and ends all other sessions.
    ///
    /// - Parameters:
    ///   - id: The `id` of the method.
    ///   - currentPassword: The account's password; `nil` for an account without one, within five minutes of a sign-in.
    ///   - acceptingLast: True to allow removal of the last one; then only devices that are signed in now can use the
    ///     account.
    /// - Throws: `ServiceError` `lastSignInMethod`, `notFound`, `needsFreshSignIn`, `wrongCredentials`.
    public func removeSignInMethod(
        _ id: String, currentPassword: String? = nil, acceptingLast: Bool = false
    ) async throws {
        try await withToken { token in
            try await client.perform(
                "POST", path("ways/remove"),
                .compact([
                    "way": .string(id), "accept_last": .bool(acceptingLast),
                    "current_password": currentPassword.map { .string($0) },
                ]), token: token)
        }
        logger.debug("sign-in method removed")
    }

    /// Signs the user out on all devices; their access tokens are revoked at once.
    ///
    /// - Throws: `ServiceError`.
    public func revokeAllSessions() async throws {
        try await withToken { try await client.perform("POST", path("revoke-all"), token: $0) }
        logger.debug("all sessions revoked")
    }

    // MARK: Codes by e-mail

    /// Requests a code by email to the account's address, for ``verifyEmail(code:)``.
    ///
    /// - Throws: `ServiceError` `notFound` if the server sends no messages, `tooManyRequests`: wait for its
    ///   `retryAfter`.
    public func requestVerification() async throws {
        try await withToken {
            try await client.perform("POST", path("email/request-verification"), token: $0)
        }
    }

    /// Confirms by a code that the account's email belongs to the user.
    ///
    /// - Throws: `ServiceError` `wrongCredentials` for a code that is wrong or has expired: request another one.
    public func verifyEmail(code: String) async throws {
        try await withToken { token in
            try await client.perform(
                "POST", path("email/verify"), ["code": .string(code)], token: token)
        }
        logger.debug("email verified")
    }

    /// Requests a code that sets a new password; the reply does not disclose whether the email is registered.
    ///
    /// - Throws: `ServiceError` `notFound` if the server sends no messages, `tooManyRequests`: wait for its
    ///   `retryAfter`.
    public func requestPasswordReset(email: String) async throws {
        try await client.perform(
            "POST", path("password/request-reset"), ["email": .string(email)])
    }

    /// Sets a new password by a code; all sessions end, including this device's, and the user signs in again.
    ///
    /// - Throws: `ServiceError` `wrongCredentials`, `invalidRequest`.
    public func resetPassword(email: String, code: String, newPassword: String) async throws {
        try await client.perform(
            "POST", path("password/reset"),
            [
                "email": .string(email), "code": .string(code), "password": .string(newPassword),
            ])
        logger.debug("password reset")
    }
}
