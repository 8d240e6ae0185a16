package import ContentServer
package import Foundation
import ServiceAPI
package import Tracing

/// The authentication of requests: it verifies access tokens and checks that their sessions are open.
package struct Authentication: Sendable {
    private let accounts: AccountStore
    private let tokens: AccessTokens
    private let tracer: any Tracer
    /// The wall clock.
    package let clock: @Sendable () -> Date

    package init(
        accounts: AccountStore, tokens: AccessTokens, tracer: any Tracer,
        clock: @escaping @Sendable () -> Date
    ) {
        self.accounts = accounts
        self.tokens = tokens
        self.tracer = tracer
        self.clock = clock
    }

    /// Returns the user of an `Authorization` field.
    ///
    /// - Parameter field: The field as sent; `nil` for none.
    /// - Returns: The account's id.
    /// - Throws: `RequestError` `unauthorized`, `noAccount`.
    package func user(_ field: String?) async throws -> String {
        try await authenticatedUser(field).id
    }

    /// Returns the user and session of an `Authorization` field.
    ///
    /// - Parameter field: The field as sent; `nil` for none.
    /// - Returns: The subject of the token.
    /// - Throws: `RequestError` `unauthorized`, also for an ended session and for an account that a restored database
    ///   lacks; `noAccount` for a deleted account.
    package func authenticatedUser(_ field: String?) async throws -> AuthenticatedUser {
        guard let field, field.lowercased().hasPrefix("bearer "),
            let user = await tokens.user(of: String(field.dropFirst(7)), now: clock())
        else { throw RequestError.needsToken }
        try await checkOpen(user)
        return user
    }

    /// Checks that the session of a verified token is still open.
    ///
    /// - Throws: `RequestError` `unauthorized`, `noAccount`.
    package func checkOpen(_ user: AuthenticatedUser) async throws {
        let access = try await tracer.withAnySpan("authenticate") { _ in
            try await accounts.access(user.id, session: user.session)
        }
        guard let account = access.account else {
            if let move = access.move { throw RequestError.closed(by: move) }
            throw access.isDeleted
                ? RequestError.accountIsDeleted : RequestError.needsToken
        }
        guard access.isOpen, user.tokenGeneration == account.tokenGeneration else {
            throw RequestError.needsToken
        }
    }

    /// Returns true when the session of an open stream, its family of tokens or its account has ended.
    ///
    /// - Returns: False also if the database does not reply.
    package func hasEnded(_ user: AuthenticatedUser) async -> Bool {
        do {
            try await checkOpen(user)
            return false
        } catch {
            let code = (error as? RequestError)?.code
            return code == .unauthorized || code == .noAccount
        }
    }
}

extension RequestError {
    package static let needsToken = RequestError(
        .unauthorized, "A valid access token is needed.")
}
