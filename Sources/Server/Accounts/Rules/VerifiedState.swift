import ContentServer

/// The state of an account that a request has verified; the transaction that acts on it refuses another state.
///
/// A password is hashed between the two, which takes long enough for a reset to end all sessions. An external identity
/// may be removed from the account between the two.
package struct VerifiedState: Sendable {
    /// The user whose session is open; `nil` if the request needs none.
    package var user: AuthenticatedUser?
    /// The hash of the password that the request named; `nil` if it needs none.
    package var password: Passwords.Hash?
    /// The external identity that signs in; `nil` for another sign-in.
    package var identity: ExternalIdentity?

    package init(
        user: AuthenticatedUser? = nil, password: Passwords.Hash? = nil,
        identity: ExternalIdentity? = nil
    ) {
        self.user = user
        self.password = password
        self.identity = identity
    }

    /// Checks that an account still has the state.
    ///
    /// - Throws: `RequestError` `wrongCredentials` for another password or identity, `unauthorized` for an ended session.
    func check(_ snapshot: AccountSnapshot) throws {
        if let password, snapshot.password?.hash != password {
            throw RequestError.wrongPassword
        }
        if identity != nil, let account = snapshot.account, snapshot.identityOwner != account.id {
            throw RequestError.wrongToken
        }
        guard let user, let account = snapshot.account else { return }
        guard user.tokenGeneration == account.tokenGeneration,
            user.session.isEmpty || snapshot.session.isOpen
        else { throw RequestError.needsToken }
    }
}
