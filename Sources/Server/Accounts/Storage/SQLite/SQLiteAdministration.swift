package import GRDB
import ServiceAPI
package import Tables
import UserData

/// Roles and the audit log in SQLite.
package struct SQLiteAdministration: AdministrationStorage {
    private let database: UserDatabase

    package init(_ database: UserDatabase) { self.database = database }

    // MARK: Roles

    package func roles() async throws -> [RoleAssignment] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT account.id AS id, password.email AS email, role.role AS role,
                        role.since AS since
                    FROM role JOIN account ON account.number = role.account
                        LEFT JOIN password ON password.account = role.account
                    ORDER BY role.account, role.role
                    """
            ).compactMap { row in
                Role(rawValue: row["role"]).map {
                    RoleAssignment(
                        user: row["id"], email: row["email"], role: $0, since: row["since"])
                }
            }
        }
    }

    package func roles(of user: String) async throws -> Set<Role> {
        try await database.read { database in
            Set(
                try String.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT role FROM role
                            WHERE account = (SELECT number FROM account WHERE id = ?)
                            """), arguments: [user]
                ).compactMap(Role.init(rawValue:)))
        }
    }

    package func set(
        _ role: Role, isGranted: Bool, of user: String, _ entry: AuditEntry
    ) async throws -> Bool {
        try await database.write { database in
            let account = try Int64.fetchOne(
                database, sql: "SELECT number FROM account WHERE id = ?", arguments: [user])
            guard let account else { throw LedgerError.noAccount }
            if isGranted {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO role (account, role, since) VALUES (?, ?, ?)",
                    arguments: [account, role.rawValue, entry.time])
            } else {
                try database.execute(
                    sql: "DELETE FROM role WHERE account = ? AND role = ?",
                    arguments: [account, role.rawValue])
            }
            guard database.changesCount > 0 else { return false }
            try Self.append(entry, in: database)
            return true
        }
    }

    // MARK: The log

    package func append(_ entry: AuditEntry, onlyIfNew: Bool) async throws {
        try await database.write { database in
            if onlyIfNew, try Self.isNewest(entry, in: database) { return }
            try Self.append(entry, in: database)
        }
    }

    /// Appends an entry within the caller's transaction.
    package static func append(_ entry: AuditEntry, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO audit (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            entry.time, entry.actor, entry.action.rawValue, entry.subject, entry.detail,
        ])
    }

    private static func isNewest(_ entry: AuditEntry, in database: Database) throws -> Bool {
        let newest = try Row.fetchOne(
            database,
            sql: """
                SELECT subject, detail FROM audit WHERE action = ? AND actor = ?
                ORDER BY number DESC LIMIT 1
                """, arguments: [entry.action.rawValue, entry.actor])
        return newest?["subject"] == entry.subject && newest?["detail"] == entry.detail
    }

    package func entries(
        before number: Int64?, limit: Int, action: String?
    ) async throws -> [AuditEntry] {
        try await database.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM audit WHERE number < :before AND (:action IS NULL
                            OR action = :action OR substr(action, 1, length(:action) + 1) = :action || '.')
                        ORDER BY number DESC LIMIT :limit
                        """),
                arguments: ["before": number ?? .max, "limit": limit, "action": action]
            ).map { row in
                AuditEntry(
                    number: row["number"], time: row["at"], actor: row["actor"],
                    AuditEntry.Action(rawValue: row["action"]), row["subject"], row["detail"])
            }
        }
    }

    package func removeEntries(before time: Int64) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM audit WHERE at < ?", arguments: [time])
        }
    }
}
