import ContentModel
import Logging
import ServiceAPI

extension Account {
    // MARK: Sign-in methods

    /// Lists the methods by which another device can sign in.
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
    ///   - acceptingLast: True when it may be the last one: then only devices that are signed in now
    ///     can use the account.
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

    /// Signs the user out on all devices; their access tokens end at once.
    ///
    /// - Throws: `ServiceError`.
    public func revokeAllSessions() async throws {
        try await withToken { try await client.perform("POST", path("revoke-all"), token: $0) }
        logger.debug("all sessions revoked")
    }

    // MARK: Codes by e-mail

    /// Requests a code to the account's email, for ``verifyEmail(code:)``.
    ///
    /// - Throws: `ServiceError` `notFound` where the server sends no messages, `tooManyRequests`.
    public func requestVerification() async throws {
        try await withToken {
            try await client.perform("POST", path("email/request-verification"), token: $0)
        }
    }

    /// Proves to the server that the account's email is the user's.
    ///
    /// - Throws: `ServiceError` `wrongCredentials` for a code that is wrong or has expired.
    public func verifyEmail(code: String) async throws {
        try await withToken { token in
            try await client.perform(
                "POST", path("email/verify"), ["code": .string(code)], token: token)
        }
        logger.debug("email verified")
    }

    /// Requests a code that sets a new password; the reply does not say whether the email is known.
    ///
    /// - Throws: `ServiceError` `notFound` where the server sends no messages, `tooManyRequests`.
    public func requestPasswordReset(email: String) async throws {
        try await client.perform(
            "POST", path("password/request-reset"), ["email": .string(email)])
    }

    /// Sets a new password by a code; all sessions end, this device's too, and the user signs in.
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
