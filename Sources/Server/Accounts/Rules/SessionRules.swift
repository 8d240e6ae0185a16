import ContentServer
import Foundation
import ServiceAPI

/// The session of a signed-in device: the content of its two tokens.
package struct Session: Sendable, Hashable {
    package let account: String
    let tokenGeneration: Int64
    let family: String
    let authenticatedAt: Int64
    package let refreshToken: String
}

/// The rules of sessions: the changes that opening, renewing and ending one makes.
///
/// Pure: time and randomness are members, and a storage carries the changes out.
struct SessionRules: Sendable {
    /// The outcome of presenting a refresh token.
    enum Renewal: Sendable {
        case renewed(Session)
        /// The token was used before, and only its devices can open the account: the copy gets its own session, within
        /// the account's limit.
        case copied(account: String)
        case refused(RequestError)
    }

    /// A refresh token that was presented.
    struct Presented: Sendable {
        let hash: Data
        /// The claims that it proves; `nil` without a proof by this server's key.
        let claims: RefreshClaims?
    }

    let tokens: RefreshTokens
    /// The wall clock.
    let now: Date
    /// Random text for the token that is issued.
    let chance: String

    init(tokens: RefreshTokens, now: Date, chance: String = RandomText.make(bytes: 16)) {
        self.tokens = tokens
        self.now = now
        self.chance = chance
    }

    private var seconds: Int64 { now.secondsSince1970 }

    // MARK: Beginning and renewing

    /// Opens a session with the first token of a new family.
    ///
    /// - Throws: `RequestError` `noAccount`.
    func open(
        family: String, isAuthenticated: Bool, over snapshot: AccountSnapshot
    ) throws -> AccountOutcome<Session> {
        let account = try snapshot.requiredAccount
        let claims = RefreshClaims(
            account: account.id, family: family, number: 1, issuedAt: now.millisecondsSince1970,
            authenticatedAt: isAuthenticated ? seconds : 0, generation: snapshot.generation)
        return issue(claims, parent: nil, account)
    }

    /// Returns the keys of a renewal.
    func keys(_ token: Presented) -> AccountReadSet {
        var keys = AccountReadSet(token.claims.map { .id($0.account) })
        keys.token = token.hash
        keys.session = token.claims?.family
        keys.readsSignInMethods = true
        return keys
    }

    /// Replaces a refresh token by its successor.
    ///
    /// A device that never received the successor may present the old token again. Once a successor
    /// was used, the old token and its other successors are copies. Where a sign-in method opens the account, they are
    /// stolen, and the whole family is revoked. Elsewhere the device was put back from a backup: its owner has no other
    /// key, and a thief gains no more than with the newest token. A token that the storage does not know, because it was restored from a backup, is
    /// accepted by its proof.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - copyFamily: The family of the session that a copy gets; `nil` before its limit was asked.
    ///   - snapshot: The account.
    /// - Returns: The changes, and the outcome.
    func renew(
        _ token: Presented, copyFamily: String? = nil, over snapshot: AccountSnapshot
    ) -> AccountOutcome<Renewal> {
        if let stored = snapshot.token, let account = snapshot.account, stored.expiresAt > seconds {
            guard stored.isCopy else {
                return renew(stored, account, token.claims, snapshot.generation)
            }
            guard snapshot.signInMethods.isEmpty else {
                return AccountOutcome(end(family: stored.family), reply: .refused(.reused))
            }
            return open(copyFamily, account, snapshot.generation)
        }
        if let move = snapshot.move { return .refused(.closed(by: move)) }
        guard let claims = token.claims, claims.expiresAt > seconds else {
            return .refused(.signInAgain)
        }
        if let refusal = snapshot.revocations.refusal(of: claims) { return .refused(refusal) }
        return adopt(claims, token.hash, copyFamily, over: snapshot)
    }

    private func renew(
        _ stored: StoredToken, _ account: StoredAccount, _ claims: RefreshClaims?,
        _ generation: Int64
    ) -> AccountOutcome<Renewal> {
        let time = now.millisecondsSince1970
        let next =
            claims?.next(issuedAt: time, generation: generation)
            ?? RefreshClaims(
                account: account.id, family: stored.family, number: 1, issuedAt: time,
                authenticatedAt: 0, generation: generation)
        let issued = issue(next, parent: stored.hash, account)
        var changes = [AccountChange.session(.markUsed(stored.hash, at: seconds))] + issued.changes
        let spare = stored.spareSuccessors
        if !spare.isEmpty { changes.append(.session(.removeTokens(spare))) }
        return AccountOutcome(changes, reply: .renewed(issued.reply))
    }

    /// Opens a session of its own for a copy of a device.
    private func open(
        _ family: String?, _ account: StoredAccount, _ generation: Int64
    ) -> AccountOutcome<Renewal> {
        guard let family else { return AccountOutcome(reply: .copied(account: account.id)) }
        let claims = RefreshClaims(
            account: account.id, family: family, number: 1, issuedAt: now.millisecondsSince1970,
            authenticatedAt: 0, generation: generation)
        let issued = issue(claims, parent: nil, account)
        return AccountOutcome(issued.changes, reply: .renewed(issued.reply))
    }

    /// Restores a session that only its token proves, and its account if that is missing.
    private func adopt(
        _ claims: RefreshClaims, _ hash: Data, _ copyFamily: String?,
        over snapshot: AccountSnapshot
    ) -> AccountOutcome<Renewal> {
        var account = StoredAccount(
            id: claims.account, tokenGeneration: snapshot.revocations.tokenGeneration,
            lastUsedAt: seconds)
        var changes: [AccountChange] = []
        if let found = snapshot.account {
            // Without a restore in between, a session without a row has ended.
            guard claims.generation != snapshot.generation else { return .refused(.signInAgain) }
            // The session was renewed since the restore: one of the two presenters has a copy.
            guard !snapshot.session.isRenewed else {
                guard snapshot.signInMethods.isEmpty else {
                    return AccountOutcome(end(family: claims.family), reply: .refused(.reused))
                }
                return open(copyFamily, found, snapshot.generation)
            }
            account = found
        } else {
            changes = [
                .create(account.id, tokenGeneration: account.tokenGeneration, at: seconds)
            ]
        }
        changes += [
            .session(.remove(family: claims.family)),
            .session(
                .add(TokenRow(hash, claims, parent: nil, usedAt: seconds), to: account.id)),
        ]
        let next = claims.next(
            issuedAt: now.millisecondsSince1970, generation: snapshot.generation)
        let issued = issue(next, parent: hash, account)
        return AccountOutcome(changes + issued.changes, reply: .renewed(issued.reply))
    }

    private func issue(
        _ claims: RefreshClaims, parent: Data?, _ account: StoredAccount
    ) -> AccountOutcome<Session> {
        let token = tokens.make(claims, chance: chance)
        let row = TokenRow(RefreshTokens.hash(token), claims, parent: parent, usedAt: nil)
        var changes = [AccountChange.session(.add(row, to: account.id))]
        // A resolution of one day suffices to find unused accounts.
        if account.lastUsedAt < seconds - 86_400 {
            changes.append(.setUse(of: account.id, at: seconds))
        }
        return AccountOutcome(
            changes,
            reply: Session(
                account: account.id, tokenGeneration: account.tokenGeneration,
                family: claims.family, authenticatedAt: claims.authenticatedAt,
                refreshToken: token))
    }

    // MARK: Ending

    /// Ends the session of a token, also of one that is not stored and proves itself.
    func revoke(
        _ token: Presented, over snapshot: AccountSnapshot
    ) -> AccountOutcome<Void> {
        let family = snapshot.token?.family ?? token.claims?.family
        return AccountOutcome(family.map { end(family: $0) } ?? [], reply: ())
    }

    /// Returns the changes that end a session.
    func end(family: String) -> [AccountChange] {
        [
            .revoke(.family(family, at: now.millisecondsSince1970)),
            .session(.remove(family: family)),
        ]
    }
}

extension StoredToken {
    /// True when a successor of the token, or another successor of its parent, was used before.
    fileprivate var isCopy: Bool { (successors + siblings).contains(where: \.isUsed) }

    /// The unused successors that make way for a new one, the oldest first to go.
    ///
    /// A device whose replies are lost may retry, but not without bound.
    fileprivate var spareSuccessors: [Data] {
        successors.filter { !$0.isUsed }.sorted { $0.expiresAt > $1.expiresAt }
            .dropFirst(ServiceLimits.spareRefreshTokensMax).map(\.hash)
    }
}

extension TokenRow {
    fileprivate init(_ hash: Data, _ claims: RefreshClaims, parent: Data?, usedAt: Int64?) {
        self.init(
            hash: hash, family: claims.family, parent: parent, expiresAt: claims.expiresAt,
            usedAt: usedAt, generation: claims.generation)
    }
}

extension AccountOutcome<SessionRules.Renewal> {
    fileprivate static func refused(_ error: RequestError) -> Self {
        AccountOutcome(reply: .refused(error))
    }
}

extension RequestError {
    static let reused = RequestError(
        .reusedToken, "This token was used before. Sign in again.")
}
