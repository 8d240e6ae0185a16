package import Foundation

/// An account as one transaction reads it, limited to its read set.
package struct AccountSnapshot: Sendable {
    /// The server's generation: 0, increased by each restore.
    package var generation: Int64 = 0
    /// The account; `nil` if it is unknown or was deleted.
    package var account: StoredAccount?
    /// The refresh token; `nil` if it is not stored, or its account was deleted.
    package var token: StoredToken?
    /// The state of the named session.
    package var session = SessionState()
    /// The account's password; `nil` when it has none.
    package var password: StoredPassword?
    /// The account's external identities, in any order.
    package var identities: [ExternalIdentity] = []
    /// The id of the account that has the named identity.
    package var identityOwner: String?
    /// The account that has the named email, and those with a way back to it.
    package var emailOwners: [EmailOwner] = []
    /// The named code of the account.
    package var code: StoredCode?
    /// The move of the account with the named id; `nil` for none.
    package var move: StoredMove?
    /// The moving account if a target was named; `nil` if it does not exist.
    package var mover: MoveParty?
    /// The named target; `nil` if it does not exist.
    package var moveTarget: MoveParty?
    /// The ids of accounts that moved, or are moving, into the account; read on request.
    package var movedInto: [String] = []
    /// The revocations of the named account and session; possibly absent if the account and the named token are stored.
    package var revocations = KnownRevocations()

    package init() {}

    /// Returns the id of the account that no other one may take the named email from; `nil` for none.
    ///
    /// It has the email, or a way back to it that has not ended: the hourly upkeep may not have removed one that has.
    package func emailOwner(at now: Date) -> String? {
        emailOwners.first { $0.wayBackEndsAt.map { $0 > now.secondsSince1970 } ?? true }?.account
    }
}

/// An account's own row.
package struct StoredAccount: Sendable, Hashable {
    /// The account's id.
    package var id: String
    /// The minimum valid generation of access tokens.
    package var tokenGeneration: Int64
    /// The time of the last use, in seconds since 1970, accurate to about a day.
    package var lastUsedAt: Int64

    package init(id: String, tokenGeneration: Int64, lastUsedAt: Int64) {
        self.id = id
        self.tokenGeneration = tokenGeneration
        self.lastUsedAt = lastUsedAt
    }
}

/// A stored refresh token.
package struct StoredToken: Sendable, Hashable {
    /// Another token of its family.
    package struct Relative: Sendable, Hashable {
        /// The hash of the token's text.
        package var hash: Data
        /// The end of its validity, in seconds since 1970.
        package var expiresAt: Int64
        /// True when it was renewed.
        package var isUsed: Bool

        package init(hash: Data, expiresAt: Int64, isUsed: Bool) {
            self.hash = hash
            self.expiresAt = expiresAt
            self.isUsed = isUsed
        }
    }

    /// The hash of the token's text.
    package var hash: Data
    /// The session.
    package var family: String
    /// The end of its validity, in seconds since 1970.
    package var expiresAt: Int64
    /// The tokens that renewed it.
    package var successors: [Relative]
    /// The other tokens that renewed its parent.
    package var siblings: [Relative]

    package init(
        hash: Data, family: String, expiresAt: Int64, successors: [Relative] = [],
        siblings: [Relative] = []
    ) {
        self.hash = hash
        self.family = family
        self.expiresAt = expiresAt
        self.successors = successors
        self.siblings = siblings
    }
}

/// The state of a session.
package struct SessionState: Sendable, Hashable {
    /// True when the account has a token of the session.
    package var isOpen = false
    /// True when a token of the session was issued in the server's current generation; read only for a refresh token
    /// that is not stored.
    package var isRenewed = false

    package init() {}
}

/// An account that has an email, or a way back to it.
package struct EmailOwner: Sendable, Hashable {
    /// The id of the account.
    package var account: String
    /// The end of the way back, in seconds since 1970; `nil` for the account that has the email.
    package var wayBackEndsAt: Int64?

    package init(account: String, wayBackEndsAt: Int64?) {
        self.account = account
        self.wayBackEndsAt = wayBackEndsAt
    }
}

/// An account's email and password.
package struct StoredPassword: Sendable, Hashable {
    /// The email.
    package var email: String
    /// The hash of the password.
    package var hash: Passwords.Hash
    /// The time at which a code verified the email, in seconds since 1970; `nil` for never.
    package var verifiedAt: Int64?

    package init(email: String, hash: Passwords.Hash, verifiedAt: Int64?) {
        self.email = email
        self.hash = hash
        self.verifiedAt = verifiedAt
    }
}

/// A code that was sent by email.
package struct StoredCode: Sendable, Hashable {
    /// The address that it was sent to.
    package var email: String
    /// The end of its validity, in seconds since 1970.
    package var expiresAt: Int64
    /// The end of the account's last way back to a previous email, in seconds since 1970; `nil` for none.
    package var wayBackEndsAt: Int64?

    package init(email: String, expiresAt: Int64, wayBackEndsAt: Int64? = nil) {
        self.email = email
        self.expiresAt = expiresAt
        self.wayBackEndsAt = wayBackEndsAt
    }
}
