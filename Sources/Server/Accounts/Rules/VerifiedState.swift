import ContentServer

/// The state of an account that a request has verified; the transaction that acts on it refuses another state.
///
/// A password is hashed between the two, which takes long enough for a reset to end all sessions.
package struct VerifiedState: Sendable {
    /// The user whose session is open; `nil` if the request needs none.
    package var user: AuthenticatedUser?
    /// The hash of the password that the request named; `nil` if it needs none.
    package var password: Passwords.Hash?

    package init(user: AuthenticatedUser? = nil, password: Passwords.Hash? = nil) {
        self.user = user
        self.password = password
    }

    /// Checks that an account still has the state.
    ///
    /// - Throws: `RequestError` `wrongCredentials` for another password, `unauthorized` for an ended session.
    func check(_ snapshot: AccountSnapshot) throws {
        if let password, snapshot.password?.hash != password {
            throw RequestError.wrongPassword
        }
        guard let user, let account = snapshot.account else { return }
        guard user.tokenGeneration == account.tokenGeneration,
            user.session.isEmpty || snapshot.session.isOpen
        else { throw RequestError.needsToken }
    }
}
