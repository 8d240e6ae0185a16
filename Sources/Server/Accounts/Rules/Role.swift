/// A permission of an account beyond studying.
///
/// Operators grant roles by `underway role grant`, administrators at the desk; devices have no route for it.
package enum Role: String, Sendable, Hashable, CaseIterable {
    /// Edits content.
    case author
    /// Publishes the content that authors edited.
    case publisher
    /// Reads the audit log and manages roles.
    case administrator
}

/// A role of an account.
package struct RoleAssignment: Sendable, Hashable {
    /// The account.
    package var user: String
    /// The account's email; `nil` without one.
    package var email: String?
    /// The role.
    package var role: Role
    /// The time of the grant, in milliseconds since 1970.
    package var since: Int64

    package init(user: String, email: String?, role: Role, since: Int64) {
        self.user = user
        self.email = email
        self.role = role
        self.since = since
    }
}
