package import Foundation
import ServiceAPI

/// The accounts of a storage; applies the rules of accounts and sessions to it.
package struct AccountStore: Sendable {
    /// The state of the account and session of an access token.
    package struct Access: Sendable {
        /// The account; `nil` if it was deleted or never existed.
        package let account: StoredAccount?
        /// True when the session is open.
        let isOpen: Bool
        /// True when the account is known to have been deleted.
        let isDeleted: Bool
        /// The move of the account; `nil` when it did not move.
        package let move: StoredMove?
    }

    package let storage: any AccountStorage
    package let tokens: RefreshTokens

    package init(storage: any AccountStorage, tokens: RefreshTokens) {
        self.storage = storage
        self.tokens = tokens
    }

    // MARK: Accounts

    package func make(id: String, now: Date) async throws {
        try await storage.change(AccountReadSet()) { _ in
            AccountOutcome(
                [.create(id, tokenGeneration: 0, at: now.secondsSince1970)], reply: ())
        }
    }

    /// Reads the account and session of an access token.
    ///
    /// An ended session has no refresh token left.
    package func access(_ id: String, session: String) async throws -> Access {
        var keys = AccountReadSet(.id(id))
        if !session.isEmpty { keys.session = session }
        let snapshot = try await storage.open(keys)
        return Access(
            account: snapshot.account, isOpen: session.isEmpty || snapshot.session.isOpen,
            isDeleted: snapshot.revocations.isAccountDeleted, move: snapshot.move)
    }

    /// Marks an account as deleted: no request finds it any more, and upkeep removes its rows.
    ///
    /// - Throws: An error of the file system or the database.
    package func markDeleted(_ id: String, now: Date) async throws {
        var keys = AccountReadSet(.id(id))
        keys.readsMovesInto = true
        try await storage.change(keys) { try AccountRules(now: now).delete(over: $0) }
    }

    // MARK: Sessions

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - id: The account.
    ///   - isAuthenticated: True right after a check of a password or an external token.
    ///   - verified: What was checked.
    ///   - now: The wall clock.
    /// - Returns: The session with the first token of a new family.
    /// - Throws: `RequestError` `noAccount`, `wrongCredentials`, or an error of the database.
    package func open(
        _ id: String, isAuthenticated: Bool, verified: VerifiedState = VerifiedState(), now: Date
    ) async throws -> Session {
        let rules = SessionRules(tokens: tokens, now: now)
        let family = RandomText.make(bytes: 12)
        var keys = AccountReadSet(.id(id))
        keys.readsSignInMethods = verified.password != nil
        keys.identity = verified.identity
        return try await storage.change(keys) {
            try verified.check($0)
            return try rules.open(family: family, isAuthenticated: isAuthenticated, over: $0)
        }
    }

    /// Replaces a refresh token by its successor.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - now: The wall clock.
    ///   - allowCopy: A check whether another copy of an account's device may get a session; it throws to reject it.
    /// - Returns: The session with its next token, and true if a copy got its own session.
    /// - Throws: `RequestError` `unauthorized`, `reusedToken`, `noAccount`, `moving` or `movedAccount`, or the
    ///   error of `allowCopy`.
    package func rotate(
        _ token: String, now: Date, allowCopy: (_ account: String) async throws -> Void = { _ in }
    ) async throws -> (session: Session, isCopied: Bool) {
        let (rules, presented) = (SessionRules(tokens: tokens, now: now), presented(token))
        var family: String?
        while true {
            let copyFamily = family
            let outcome = try await storage.change(rules.keys(presented)) {
                rules.renew(presented, copyFamily: copyFamily, over: $0)
            }
            switch outcome {
            case .renewed(let session): return (session, session.family == copyFamily)
            case .refused(let error): throw error
            case .copied(let account):
                try await allowCopy(account)
                family = RandomText.make(bytes: 12)
            }
        }
    }

    /// Ends the session of a token, even if the token has no row but proves itself.
    package func revoke(_ token: String, now: Date) async throws {
        let (rules, presented) = (SessionRules(tokens: tokens, now: now), presented(token))
        try await storage.change(rules.keys(presented)) { rules.revoke(presented, over: $0) }
    }

    /// Ends one session of an account.
    ///
    /// - Throws: An error of the file system or the database.
    package func end(session: String, of id: String, now: Date) async throws {
        let rules = SessionRules(tokens: tokens, now: now)
        try await storage.change(AccountReadSet(.id(id))) { _ in
            AccountOutcome(rules.end(family: session), reply: ())
        }
    }

    private func presented(_ token: String) -> SessionRules.Presented {
        SessionRules.Presented(hash: RefreshTokens.hash(token), claims: tokens.claims(of: token))
    }

    /// Ends all sessions of an account, and invalidates its access tokens.
    ///
    /// - Parameters:
    ///   - id: The account.
    ///   - kept: A session that continues; `nil` for none.
    ///   - now: The wall clock.
    /// - Throws: An error of the file system or the database.
    package func endSessions(of id: String, except kept: String?, now: Date) async throws {
        let rules = AccountRules(now: now)
        try await storage.change(AccountReadSet(.id(id))) { snapshot in
            let changes = snapshot.account.map { rules.endSessions(of: $0, except: kept) }
            return AccountOutcome(changes ?? [], reply: ())
        }
    }

    // MARK: After a restore

    /// Replays the revocations that survived a restore.
    package func replayRevocations() async throws {
        let entries = try await storage.revocations()
        for start in stride(from: 0, to: entries.count, by: ServiceLimits.upkeepBatchMax) {
            let batch = entries[start..<min(entries.count, start + ServiceLimits.upkeepBatchMax)]
            let changes = batch.flatMap(\.replay)
            try await storage.change(AccountReadSet()) { _ in AccountOutcome(changes, reply: ()) }
        }
    }
}
