package import Foundation

/// The changes of a decision about an account, and the reply to send after their commit.
package struct AccountOutcome<Reply: Sendable>: Sendable {
    /// The changes, in order; possibly none.
    package var changes: [AccountChange]
    /// The reply.
    package var reply: Reply

    package init(_ changes: [AccountChange] = [], reply: Reply) {
        self.changes = changes
        self.reply = reply
    }
}

/// A change of an account.
///
/// Changes name accounts by id. A change of an unknown account has no effect, but an addition to one fails with
/// `StorageError` `noAccount`.
package enum AccountChange: Sendable, Hashable {
    /// Creates an account, as last used at the same time (seconds since 1970).
    case create(String, tokenGeneration: Int64, at: Int64)
    /// Sets the time of the last use (seconds since 1970).
    case setUse(of: String, at: Int64)
    /// Raises the minimum valid generation of access tokens, and never lowers it.
    case raiseTokenGeneration(of: String, to: Int64)
    /// Hides an account and every account that moved into it, and removes the learner's identifying data; upkeep
    /// removes the rest.
    case markDeleted(String, at: Int64)
    /// Does the same if the account was not used since `usedAt`.
    case markUnused(String, usedAt: Int64, at: Int64)
    /// Changes a move into another account.
    case move(MoveChange)
    /// Changes sessions.
    case session(SessionChange)
    /// Changes sign-in methods or codes.
    case signIn(SignInChange)
    /// Records a revocation that a restore does not undo, after the other changes and before the commit.
    case revoke(Revocation)
}

/// A change of the sessions of an account.
package enum SessionChange: Sendable, Hashable {
    /// Stores a refresh token of an account.
    case add(TokenRow, to: String)
    /// Records the renewal of a token (seconds since 1970).
    case markUsed(Data, at: Int64)
    /// Removes tokens by their hashes.
    case removeTokens([Data])
    /// Removes all tokens of a session.
    case remove(family: String)
    /// Removes the tokens of an account's sessions except one (empty for none); with `expiringBy`, only tokens that
    /// expire by then (seconds since 1970).
    case removeAll(of: String, except: String, expiringBy: Int64?)
}

/// A change of an account's sign-in methods and codes.
package enum SignInChange: Sendable, Hashable {
    /// Sets an account's email and password.
    case setPassword(StoredPassword, of: String)
    /// Removes an account's email and password.
    case removePassword(of: String)
    /// Links an external identity to an account.
    case link(ExternalIdentity, to: String)
    /// Removes an external identity of an account.
    case unlink(ExternalIdentity, from: String)
    /// Stores a code for an address.
    case addCode(AccountReadSet.Code, StoredCode, to: String)
    /// Removes an account's codes except an address's (`nil`: none's) and those that end in a range (seconds since
    /// 1970).
    case removeCodes(of: String, exceptFor: String?, expiringIn: Range<Int64> = 0..<0)
}

/// A refresh token for storing.
package struct TokenRow: Sendable, Hashable {
    /// The hash of the token's text.
    package var hash: Data
    /// The session.
    package var family: String
    /// The hash of the token that this one renewed; `nil` for the first.
    package var parent: Data?
    /// The end of its validity, in seconds since 1970.
    package var expiresAt: Int64
    /// The time of its renewal, in seconds since 1970; `nil` for an unused token.
    package var usedAt: Int64?
    /// The server's generation in which it was issued.
    package var generation: Int64

    package init(
        hash: Data, family: String, parent: Data?, expiresAt: Int64, usedAt: Int64?,
        generation: Int64
    ) {
        self.hash = hash
        self.family = family
        self.parent = parent
        self.expiresAt = expiresAt
        self.usedAt = usedAt
        self.generation = generation
    }
}
