/// The storage of roles and of the audit log: what a database adapter implements.
///
/// An entry of the log is never changed, and removed only when it is old.
package protocol AdministrationStorage: Sendable {
    /// Reads all roles, in the order of accounts.
    ///
    /// - Throws: `LedgerError`.
    func roles() async throws -> [RoleAssignment]

    /// Reads the roles of an account; none for one that does not exist.
    ///
    /// - Throws: `LedgerError`.
    func roles(of user: String) async throws -> Set<Role>

    /// Gives a role to an account or takes it, and writes the entry in the same transaction.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - isGranted: True to give it.
    ///   - user: The account.
    ///   - entry: The entry, which is written only if something changed.
    /// - Returns: True if something changed.
    /// - Throws: `LedgerError`, also `noAccount`.
    func set(
        _ role: Role, isGranted: Bool, of user: String, _ entry: AuditEntry
    ) async throws -> Bool

    /// Appends an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - onlyIfNew: True to leave it out when the newest entry of the same actor and action has the same subject and
    ///     detail.
    /// - Throws: `LedgerError`.
    func append(_ entry: AuditEntry, onlyIfNew: Bool) async throws

    /// Reads entries, the newest first.
    ///
    /// - Parameters:
    ///   - number: The number below which entries are read; `nil` for the newest.
    ///   - limit: The most entries.
    ///   - action: An action as `role.granted`, or the first word of several, as `role`; `nil` for all.
    /// - Returns: The entries.
    /// - Throws: `LedgerError`.
    func entries(before number: Int64?, limit: Int, action: String?) async throws -> [AuditEntry]

    /// Removes entries that are older than a time, in milliseconds since 1970.
    ///
    /// - Throws: `LedgerError`.
    func removeEntries(before time: Int64) async throws
}
