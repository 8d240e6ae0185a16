/// A permission for the rows of a table on PostgreSQL: a policy and the grant that it needs.
package struct Access: Sendable, Hashable {
    /// The database roles that the server switches to.
    package enum Role: String, Sendable {
        /// A user, identified by the claims of the session.
        case user = "authenticated"
        /// Sign-in, before the user is identified.
        case accounts = "underway_accounts"
        /// Upkeep over all users.
        case keeper = "underway_keeper"
        /// The owner of the tables, whose functions erase accounts.
        case owner = "underway_owner"
    }

    /// The commands over rows.
    package enum Command: String, Sendable, CaseIterable {
        case select = "SELECT", insert = "INSERT", update = "UPDATE", delete = "DELETE"
    }

    /// The rows that roles can read and write.
    package struct Policy: Sendable, Hashable {
        package let name: String
        package let roles: [Role]
        /// The command that the policy applies to; `nil` for all commands.
        package var command: Command?
        /// The condition of visible rows (`USING`); `nil` for none.
        package var visible: String?
        /// The condition of written rows (`WITH CHECK`); `nil` to check `visible` instead.
        package var writable: String?
    }

    /// The commands that a role may execute.
    package struct Grant: Sendable, Hashable {
        package let role: Role
        package let commands: [Command]
        /// The columns of commands that are granted for some columns only.
        package var columns: [Command: [String]] = [:]
    }

    package let policy: Policy?
    package let grants: [Grant]

    /// A subquery for the number of the account of the token's subject, by the index of `user_id`.
    ///
    /// A session can set `underway.account` to any number. Functions therefore filter by that number, and no policy
    /// reads it.
    package static let subject =
        "(SELECT a.number FROM underway.account a WHERE a.user_id = (SELECT underway.token_user()))"

    /// Returns access to a user's own rows, found by a column.
    package static func own(
        _ commands: Command..., by column: String = "account", updating: [String] = []
    ) -> Access {
        let mine = "\(column) = \(subject)"
        return Access(
            policy: Policy(name: "own", roles: [.user], visible: mine, writable: mine),
            grants: [grant(.user, commands, updating)])
    }

    /// Returns access to all rows, for a role.
    package static func all(
        _ role: Role, _ commands: Command..., updating: [String] = []
    ) -> Access {
        Access(
            policy: Policy(name: role.short, roles: [role], visible: "TRUE", writable: "TRUE"),
            grants: [grant(role, commands, updating)])
    }

    /// Returns access for a role that deletes rows and reads some of their columns, and cannot write.
    package static func sweeps(
        _ role: Role, _ commands: Command..., where visible: String = "TRUE", reading: [String]
    ) -> Access {
        Access(
            policy: Policy(name: role.short, roles: [role], visible: visible),
            grants: [Grant(role: role, commands: commands, columns: [.select: reading])])
    }

    /// Returns read access for a role, to all columns or some.
    package static func reads(
        _ role: Role, where visible: String = "TRUE", _ columns: [String] = []
    ) -> Access {
        let policy = Policy(name: role.short, roles: [role], command: .select, visible: visible)
        let part = Grant(role: role, commands: [], columns: [.select: columns])
        let whole = Grant(role: role, commands: [.select])
        return Access(policy: policy, grants: [columns.isEmpty ? whole : part])
    }

    /// Returns access for one command of one role.
    package static func one(
        _ name: String, _ command: Command, _ role: Role, visible: String? = nil,
        writable: String? = nil
    ) -> Access {
        Access(
            policy: Policy(
                name: name, roles: [role], command: command, visible: visible, writable: writable),
            grants: [Grant(role: role, commands: [command])])
    }

    /// Insert access for users, to rows of their own that they cannot read.
    package static let ownInserted = one(
        "own", .insert, .user, writable: "member = \(subject)")

    /// Returns read access to the rows of all users, for roles.
    package static func allRead(_ roles: Role...) -> Access {
        Access(
            policy: Policy(name: "all_read", roles: roles, command: .select, visible: "TRUE"),
            grants: roles.map { Grant(role: $0, commands: [.select]) })
    }

    /// Returns a policy with its own grants.
    package static func policy(
        _ name: String, _ role: Role, _ command: Command? = nil, visible: String,
        writable: String? = nil, grants: Grant...
    ) -> Access {
        Access(
            policy: Policy(
                name: name, roles: [role], command: command, visible: visible, writable: writable),
            grants: grants)
    }

    private static func grant(_ role: Role, _ commands: [Command], _ updating: [String]) -> Grant {
        Grant(role: role, commands: commands, columns: updating.isEmpty ? [:] : [.update: updating])
    }
}

extension Access.Role {
    /// The name of a role's policy.
    fileprivate var short: String {
        switch self {
        case .user: "own"
        case .accounts: "accounts"
        case .keeper: "keeper"
        case .owner: "erased"
        }
    }
}

extension Table {
    /// The policies, including the one that erases an account's rows with the account.
    package var policies: [Access.Policy] {
        let erased = Access.Policy(
            name: "erased", roles: [.owner], visible: "account = (SELECT underway.erased())")
        return access.compactMap(\.policy) + (isOwned ? [erased] : [])
    }

    /// The grants.
    package var grants: [Access.Grant] { access.flatMap(\.grants) }
}
