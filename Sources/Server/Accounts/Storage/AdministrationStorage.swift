package import Tables

/// The storage of roles and of the audit log.
///
/// Entries of the log never change, and are removed only when they are old.
package struct AdministrationStorage: Sendable {
    private let database: any TableDatabase

    package init(_ database: any TableDatabase) { self.database = database }

    // MARK: Roles

    /// Returns all roles, in the order of accounts.
    ///
    /// - Throws: `StorageError`.
    package func roles() async throws -> [RoleAssignment] {
        let assignments = try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [Self.all()])[0].compactMap { row in
                try Role(rawValue: row.value("role")).map {
                    RoleAssignment(
                        user: try row.value("id"), email: nil, role: $0,
                        since: try row.value("since"))
                }
            }
        }
        // Sign-in alone may see emails.
        let emails = try await database.read(as: .accounts) { transaction in
            try Dictionary(
                transaction.commit(after: [Self.emails()])[0].map { row in
                    (try row.value("id", as: String.self), try row.value("email", as: String.self))
                }, uniquingKeysWith: { $1 })
        }
        return assignments.map { assignment in
            var assignment = assignment
            assignment.email = emails[assignment.user]
            return assignment
        }
    }

    private static let all = Statement(
        """
        SELECT a.id, r.role, r.since FROM {role} r JOIN {account} a ON a.number = r.account
        ORDER BY r.account, r.role
        """)

    private static let emails = Statement(
        """
        SELECT a.id, p.email FROM {password} p JOIN {account} a ON a.number = p.account
        WHERE p.account IN (SELECT account FROM {role})
        """)

    /// Returns the roles of an account; none for an unknown account.
    ///
    /// - Throws: `StorageError`.
    package func roles(of user: String) async throws -> Set<Role> {
        try await database.read(as: .keeper) { transaction in
            Set(
                try transaction.commit(after: [Self.own(["user": user])])[0].compactMap {
                    Role(rawValue: try $0.value("role"))
                })
        }
    }

    private static let own = Statement(
        "SELECT role FROM {role} WHERE account = (SELECT number FROM {account} WHERE id = :user)")

    /// Grants an account a role, or revokes it, and writes the entry in the same transaction.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - isGranted: True to grant the role, false to revoke it.
    ///   - user: The account.
    ///   - entry: The entry, which is written only if something changed.
    /// - Returns: True if something changed.
    /// - Throws: `StorageError`, also `noAccount`.
    package func set(
        _ role: Role, isGranted: Bool, of user: String, _ entry: AuditEntry
    ) async throws -> Bool {
        try await database.write(as: .keeper) { transaction in
            let rows = try transaction.run([
                Self.account(["user": user]),
                isGranted
                    ? Self.granting(["user": user, "role": role.rawValue, "since": entry.time])
                    : Self.revoking(["user": user, "role": role.rawValue]),
            ])
            guard !rows[0].isEmpty else { throw StorageError.noAccount }
            guard !rows[1].isEmpty else { return false }
            try transaction.commit(after: [Self.appending(entry)])
            return true
        }
    }

    private static let there = "FROM {account} WHERE id = :user AND deleted_at IS NULL"

    private static let account = Statement("SELECT number \(there)")

    private static let granting = Statement(
        """
        INSERT INTO {role} (account, role, since) SELECT number, :role, :since \(there)
        ON CONFLICT (account, role) DO NOTHING RETURNING account
        """)

    private static let revoking = Statement(
        """
        DELETE FROM {role} WHERE account = (SELECT number \(there)) AND role = :role
        RETURNING account
        """)

    // MARK: The log

    /// Appends an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - onlyIfNew: True to skip the entry if the newest entry of the same actor and action has the same subject
    ///     and detail.
    /// - Throws: `StorageError`.
    package func append(_ entry: AuditEntry, onlyIfNew: Bool) async throws {
        try await database.write(as: .keeper) { transaction in
            if onlyIfNew {
                let newest = try transaction.run([
                    Self.alone(),
                    Self.newest(["action": entry.action.rawValue, "actor": entry.actor]),
                ])[1].first
                if let newest, try newest.value("subject") == entry.subject,
                    try newest.value("detail") == entry.detail
                {
                    return
                }
            }
            try transaction.commit(after: [Self.appending(entry)])
        }
    }

    /// Lets other processes wait that write an entry once; the key is "audit" in ASCII.
    private static let alone = Statement(
        postgres: "SELECT pg_advisory_xact_lock(\(0x61_7564_6974 as Int64))")

    private static let newest = Statement(
        """
        SELECT subject, detail FROM {audit} WHERE action = :action AND actor = :actor
        ORDER BY number DESC LIMIT 1
        """)

    /// Returns the statement that appends an entry.
    package static func appending(_ entry: AuditEntry) -> Bound {
        append([
            "at": entry.time, "actor": entry.actor, "action": entry.action.rawValue,
            "subject": entry.subject, "detail": entry.detail,
        ])
    }

    private static let append = Statement(
        """
        INSERT INTO {audit} (at, actor, action, subject, detail)
        VALUES (:at, :actor, :action, :subject, :detail)
        """)

    /// Returns entries, the newest first.
    ///
    /// - Parameters:
    ///   - number: The exclusive upper bound of entry numbers; `nil` for the newest.
    ///   - limit: The maximum number of entries.
    ///   - action: An action such as `role.granted`, or the first word of a group, such as `role`; `nil` for all.
    /// - Returns: The entries.
    /// - Throws: `StorageError`.
    package func entries(
        before number: Int64?, limit: Int, action: String?
    ) async throws -> [AuditEntry] {
        try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [
                Self.page(["before": number ?? .max, "limit": limit, "action": action])
            ])[0].map { row in
                AuditEntry(
                    number: try row.value("number"), time: try row.value("at"),
                    actor: try row.value("actor"),
                    AuditEntry.Action(rawValue: try row.value("action")),
                    try row.value("subject"), try row.value("detail"))
            }
        }
    }

    private static let page = Statement(
        """
        SELECT number, at, actor, action, subject, detail FROM {audit}
        WHERE number < :before AND (CAST(:action AS text) IS NULL OR action = :action
            OR substr(action, 1, length(:action) + 1) = :action || '.')
        ORDER BY number DESC LIMIT :limit
        """)

    /// Removes entries that are older than a time, in milliseconds since 1970.
    ///
    /// - Throws: `StorageError`.
    package func removeEntries(before time: Int64) async throws {
        try await database.write(as: .keeper) { transaction in
            _ = try transaction.commit(after: [Self.removing(["time": time])])
        }
    }

    private static let removing = Statement("DELETE FROM {audit} WHERE at < :time")
}
