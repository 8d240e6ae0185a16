import Accounts
import ContentModel
import Workflows

/// Somebody who is signed in at the desk.
struct DeskUser: Sendable {
    /// The account and its session.
    let session: AuthenticatedUser
    /// The account's email; its id without one.
    let name: String
    /// The roles of the account.
    let roles: Set<Role>
    /// The value of the hidden field of the session's forms.
    let formSecret: String

    /// The account's id.
    var id: String { session.id }
    /// The account as records name it.
    var actor: Actor { Actor(id: id, name: name, address: name) }

    init(session: AuthenticatedUser, name: String, roles: Set<Role>, token: String) {
        self.session = session
        self.name = name
        self.roles = roles
        formSecret = Self.formSecret(of: token)
    }

    /// Returns the secret of forms that belongs to a cookie and does not reveal it.
    static func formSecret(of token: String) -> String {
        Checksum(of: Array("a form of the desk: \(token)".utf8)).hex
    }
}
