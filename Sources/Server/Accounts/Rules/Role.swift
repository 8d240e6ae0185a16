/// What an account may do beside studying.
///
/// The operator gives roles (`underway role grant`), and administrators at the desk; no route of the interface for devices does.
package enum Role: String, Sendable, Hashable, CaseIterable {
    /// Edits content.
    case author
    /// Publishes what authors edited.
    case publisher
    /// Sees what was done to the server, and by whom.
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
    /// The time since which the account has it, in milliseconds since 1970.
    package var since: Int64

    package init(user: String, email: String?, role: Role, since: Int64) {
        self.user = user
        self.email = email
        self.role = role
        self.since = since
    }
}
