package import Foundation

extension AccountStore {
    private func keys(
        _ name: AccountReadSet.Name, _ verified: VerifiedState = VerifiedState()
    ) -> AccountReadSet {
        var keys = AccountReadSet(name)
        keys.readsSignInMethods = true
        if let user = verified.user, !user.session.isEmpty { keys.session = user.session }
        return keys
    }

    /// Returns the sign-in methods of an account: its email first, then external identities.
    package func signInMethods(of id: String) async throws -> [SignInMethod] {
        let snapshot = try await storage.open(keys(.id(id)))
        _ = try snapshot.requiredAccount
        return snapshot.signInMethods
    }

    /// Removes a sign-in method and ends all other sessions.
    ///
    /// - Parameters:
    ///   - signInMethod: Its id.
    ///   - user: The signed-in account, whose session continues.
    ///   - acceptsLast: True to remove even the last one.
    ///   - wayBack: The message to the removed email.
    ///   - verified: What was checked.
    ///   - now: The wall clock.
    /// - Throws: `RequestError` `notFound`, `lastSignInMethod`, `noAccount`, `unauthorized`, `busy`.
    package func remove(
        _ signInMethod: String, of user: AuthenticatedUser, acceptsLast: Bool,
        wayBack: AccountMessage? = nil, verified: VerifiedState = VerifiedState(), now: Date
    ) async throws {
        try await storage.change(keys(.id(user.id), verified)) {
            try verified.check($0)
            return try AccountRules(now: now).remove(
                signInMethod, acceptsLast: acceptsLast, keeping: user.session, wayBack: wayBack,
                over: $0)
        }
    }

    // MARK: Email and password

    /// Sets email and password; if the account had sign-in methods, all other sessions end.
    ///
    /// - Parameters:
    ///   - hash: The hash of the password.
    ///   - email: The email.
    ///   - user: The signed-in account, whose session continues.
    ///   - wayBack: The message to the previous email.
    ///   - verified: What was checked.
    ///   - now: The wall clock.
    /// - Throws: `RequestError` `emailTaken`, `noAccount`, `unauthorized`, `busy`.
    package func setPassword(
        _ hash: Passwords.Hash, email: String, of user: AuthenticatedUser,
        wayBack: AccountMessage? = nil, verified: VerifiedState = VerifiedState(), now: Date
    ) async throws {
        var keys = keys(.id(user.id), verified)
        keys.email = email
        try await storage.change(keys) {
            try verified.check($0)
            return try AccountRules(now: now).setPassword(
                hash, email: email, keeping: user.session, wayBack: wayBack, over: $0)
        }
    }

    /// Returns the account that has an email, or a way back to it; `nil` for an unused email.
    package func owner(of email: String, now: Date) async throws -> String? {
        var keys = AccountReadSet()
        keys.email = email
        return try await storage.open(keys).emailOwner(at: now)
    }

    /// Returns the account of an email, and the hash of its password.
    package func password(of email: String) async throws -> (id: String, hash: Passwords.Hash)? {
        let snapshot = try await storage.open(keys(.email(email)))
        guard let account = snapshot.account, let password = snapshot.password else { return nil }
        return (account.id, password.hash)
    }

    /// Returns the hash of an account's password; `nil` when it has none.
    package func password(ofAccount id: String) async throws -> Passwords.Hash? {
        try await storage.open(keys(.id(id))).password?.hash
    }

    // MARK: External identities

    /// Returns the id of the account of an external identity; `nil` when it has none.
    package func account(of identity: ExternalIdentity) async throws -> String? {
        try await storage.open(AccountReadSet(.identity(identity))).account?.id
    }

    /// Links an external identity to an account, unless it is already linked.
    ///
    /// - Parameters:
    ///   - identity: The verified identity.
    ///   - id: The account.
    ///   - kept: The session that continues if the account had other sign-in methods; `nil` for a new one.
    ///   - verified: What was checked.
    ///   - now: The wall clock.
    /// - Returns: The id of the account that the identity now belongs to.
    /// - Throws: `RequestError` `noAccount`, `unauthorized`, `refused`.
    package func link(
        _ identity: ExternalIdentity, to id: String, keeping kept: String?,
        verified: VerifiedState = VerifiedState(), now: Date
    ) async throws -> String {
        var keys = keys(.id(id), verified)
        keys.identity = identity
        return try await storage.change(keys) {
            try verified.check($0)
            return try AccountRules(now: now).link(identity, keeping: kept, over: $0)
        }
    }

    // MARK: Codes

    /// Stores the hash of a new code, in addition to earlier ones.
    ///
    /// - Parameters:
    ///   - message: The code and its address.
    ///   - id: The account; `nil` for the email's account.
    ///   - now: The wall clock.
    /// - Returns: True when the address belongs to that account.
    /// - Throws: An error of the database.
    package func store(_ message: AccountMessage, of id: String?, now: Date) async throws -> Bool {
        try await storage.change(AccountReadSet(.email(message.email))) {
            AccountRules(now: now).store(message, of: id, over: $0)
        }
    }

    /// Returns the account of a code; `nil` for a wrong or expired code.
    ///
    /// The user is given if the code reverts a change of email.
    package func account(
        ofCode code: String, _ purpose: AccountMessage.Purpose, email: String, user: String?,
        now: Date
    ) async throws -> String? {
        let rules = AccountRules(now: now)
        let snapshot = try await storage.open(
            rules.keys(ofCode: code, purpose, email: email, user: user))
        return rules.account(ofCodeFor: email, purpose, in: snapshot)?.id
    }

    /// Redeems a code: the account gets the email, verified; with a new password, all sessions end.
    ///
    /// - Returns: False for a code that is wrong, expired or already redeemed.
    package func redeem(
        _ code: String, _ purpose: AccountMessage.Purpose, email: String, user: String? = nil,
        newPassword: Passwords.Hash?, now: Date
    ) async throws -> Bool {
        let rules = AccountRules(now: now)
        return try await storage.change(
            rules.keys(ofCode: code, purpose, email: email, user: user)
        ) {
            rules.redeem(email, newPassword: newPassword, over: $0)
        }
    }
}
