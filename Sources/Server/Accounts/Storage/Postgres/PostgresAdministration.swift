package import PostgresDriver
import ServiceAPI
import Tables
import UserData

/// Roles and the audit log in PostgreSQL, for any number of processes.
package struct PostgresAdministration: AdministrationStorage {
    /// The key of the advisory lock of entries that are written once: "audit" in ASCII.
    private static let lock: Int64 = 0x61_7564_6974
    private let pool: PostgresPool

    /// Uses connections of the login `underway_server`.
    package init(_ pool: PostgresPool) { self.pool = pool }

    // MARK: Roles

    package func roles() async throws -> [RoleAssignment] {
        let rows = try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT a.id, r.role, r.since FROM underway.role r
                    JOIN underway.account a ON a.number = r.account
                ORDER BY r.account, r.role
                """
            ).map { row in
                (
                    user: try row.value("id", as: String.self),
                    role: try row.value("role", as: String.self),
                    since: try row.value("since", as: Int64.self)
                )
            }
        }
        let emails = try await emails()
        return rows.compactMap { row in
            Role(rawValue: row.role).map {
                RoleAssignment(user: row.user, email: emails[row.user], role: $0, since: row.since)
            }
        }
    }

    /// Reads the emails of the accounts with roles, which the role of sign-in alone may see.
    private func emails() async throws -> [String: String] {
        do {
            return try await pool.transaction { transaction in
                try transaction.query("SELECT set_config('role', 'underway_accounts', true)")
                let rows = try transaction.query(
                    """
                    SELECT a.id, p.email FROM underway.password p
                        JOIN underway.account a ON a.number = p.account
                    WHERE p.account IN (SELECT account FROM underway.role)
                    """)
                return Dictionary(
                    try rows.map { (try $0.value("id"), try $0.value("email")) },
                    uniquingKeysWith: { $1 })
            }
        } catch let error as PostgresError {
            throw LedgerError.meaning(of: error)
        }
    }

    package func roles(of user: String) async throws -> Set<Role> {
        try await pool.asKeeper { transaction in
            Set(
                try transaction.query(
                    """
                    SELECT role FROM underway.role WHERE account =
                        (SELECT number FROM underway.account WHERE id = \(user))
                    """
                ).column("role", as: String.self).compactMap(Role.init(rawValue:)))
        }
    }

    package func set(
        _ role: Role, isGranted: Bool, of user: String, _ entry: AuditEntry
    ) async throws -> Bool {
        try await pool.asKeeper { transaction in
            let number = try transaction.query(
                """
                SELECT number FROM underway.account WHERE id = \(user) AND deleted_at IS NULL
                """
            ).column("number", as: Int64.self).first
            guard let number else { throw LedgerError.noAccount }
            let changed: PostgresStatement =
                isGranted
                ? """
                INSERT INTO underway.role (account, role, since)
                VALUES (\(number), \(role.rawValue), \(entry.time))
                ON CONFLICT (account, role) DO NOTHING RETURNING account
                """
                : """
                DELETE FROM underway.role WHERE account = \(number) AND role = \(role.rawValue)
                RETURNING account
                """
            guard try transaction.query(changed).first != nil else { return false }
            try transaction.query(Self.appending(entry))
            return true
        }
    }

    // MARK: The log

    package func append(_ entry: AuditEntry, onlyIfNew: Bool) async throws {
        try await pool.asKeeper { transaction in
            if onlyIfNew {
                try transaction.query("SELECT pg_advisory_xact_lock(\(Self.lock))")
                let newest = try transaction.query(
                    """
                    SELECT subject, detail FROM underway.audit
                    WHERE action = \(entry.action.rawValue) AND actor = \(entry.actor)
                    ORDER BY number DESC LIMIT 1
                    """
                ).first
                let isKnown =
                    try newest?.value("subject", as: String.self) == entry.subject
                    && newest?.value("detail", as: String.self) == entry.detail
                if isKnown { return }
            }
            try transaction.query(Self.appending(entry))
        }
    }

    /// The statement that appends an entry.
    package static func appending(_ entry: AuditEntry) -> PostgresStatement {
        """
        INSERT INTO underway.audit (at, actor, action, subject, detail)
        VALUES (\(entry.time), \(entry.actor), \(entry.action.rawValue), \(entry.subject),
            \(entry.detail))
        """
    }

    package func entries(
        before number: Int64?, limit: Int, action: String?
    ) async throws -> [AuditEntry] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT number, at, actor, action, subject, detail FROM underway.audit
                WHERE number < \(number ?? .max) AND (\(action)::text IS NULL OR action = \(action)
                    OR starts_with(action, \(action) || '.'))
                ORDER BY number DESC LIMIT \(limit)
                """
            ).map { row in
                AuditEntry(
                    number: try row.value("number"), time: try row.value("at"),
                    actor: try row.value("actor"),
                    AuditEntry.Action(rawValue: try row.value("action")),
                    try row.value("subject"), try row.value("detail"))
            }
        }
    }

    package func removeEntries(before time: Int64) async throws {
        _ = try await pool.asKeeper { transaction in
            try transaction.query("DELETE FROM underway.audit WHERE at < \(time)")
        }
    }
}
