import ContentModel
public import ServiceAPI

/// A way into an account from another device: its email, or an identity of another issuer.
public typealias WayIn = AccountBody.SignInMethod

extension Account {
    // MARK: Ways in

    /// Lists the ways into the account from another device.
    ///
    /// ```swift
    /// for way in try await account.ways() { print(way.name) }
    /// ```
    /// - Returns: The email first, then identities of other issuers; empty for an anonymous account.
    /// - Throws: `ServiceProblem`.
    public func ways() async throws -> [WayIn] {
        try await withToken { token in
            try WayIn.list(try await client.send("GET", path("ways"), token: token).body)
        }
    }

    /// Removes a way into the account and ends all other sessions.
    ///
    /// - Parameters:
    ///   - id: The `id` of the way.
    ///   - currentPassword: The account's password; `nil` within five minutes of a sign-in.
    ///   - acceptingLast: True when it may be the last one: then only devices that are signed in now
    ///     can use the account.
    /// - Throws: `ServiceProblem` `lastSignInMethod`, `notFound`, `needsFreshSignIn`, `wrongCredentials`.
    public func removeWay(
        _ id: String, currentPassword: String? = nil, acceptingLast: Bool = false
    ) async throws {
        _ = try await withToken { token in
            try await client.send(
                "POST", path("ways/remove"),
                .compact([
                    "way": .string(id), "accept_last": .bool(acceptingLast),
                    "current_password": currentPassword.map { .string($0) },
                ]), token: token)
        }
    }

    /// Signs the user out on all devices; their access tokens end at once.
    ///
    /// - Throws: `ServiceProblem`.
    public func revokeAllSessions() async throws {
        _ = try await withToken { try await client.send("POST", path("revoke-all"), token: $0) }
    }

    // MARK: Codes by e-mail

    /// Asks for a code to the account's email, for ``verifyEmail(code:)``.
    ///
    /// - Throws: `ServiceProblem` `notFound` where the server sends no messages, `tooManyRequests`.
    public func requestVerification() async throws {
        _ = try await withToken {
            try await client.send("POST", path("email/request-verification"), token: $0)
        }
    }

    /// Shows the server that the account's email is the user's.
    ///
    /// - Throws: `ServiceProblem` `wrongCredentials` for a code that is wrong or has expired.
    public func verifyEmail(code: String) async throws {
        _ = try await withToken { token in
            try await client.send(
                "POST", path("email/verify"), ["code": .string(code)], token: token)
        }
    }

    /// Asks for a code that sets a new password; the reply does not say whether the email is known.
    ///
    /// - Throws: `ServiceProblem` `notFound` where the server sends no messages, `tooManyRequests`.
    public func requestPasswordReset(email: String) async throws {
        _ = try await client.send(
            "POST", path("password/request-reset"), ["email": .string(email)])
    }

    /// Sets a new password by a code; all sessions end, this device's too, and the user signs in.
    ///
    /// - Throws: `ServiceProblem` `wrongCredentials`, `invalidRequest`.
    public func resetPassword(email: String, code: String, newPassword: String) async throws {
        _ = try await client.send(
            "POST", path("password/reset"),
            [
                "email": .string(email), "code": .string(code), "password": .string(newPassword),
            ])
    }
}
