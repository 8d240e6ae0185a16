package import Foundation
import ServiceAPI

/// The roles of accounts, and the audit log.
package struct AdministrationService: Sendable {
    package let storage: AdministrationStorage
    private let clock: @Sendable () -> Date

    package init(_ storage: AdministrationStorage, clock: @escaping @Sendable () -> Date) {
        self.storage = storage
        self.clock = clock
    }

    /// Returns all roles, in the order of accounts.
    ///
    /// - Throws: `StorageError`.
    package func roles() async throws -> [RoleAssignment] { try await storage.roles() }

    /// Returns the roles of an account; none for an unknown account.
    ///
    /// - Throws: `StorageError`.
    package func roles(of user: String) async throws -> Set<Role> {
        try await storage.roles(of: user)
    }

    /// Grants an account a role, or revokes it.
    ///
    /// - Returns: True if something changed; only then the log gets an entry.
    /// - Throws: `StorageError`, also `noAccount`.
    package func set(
        _ role: Role, isGranted: Bool, of user: String, by actor: String
    ) async throws -> Bool {
        let entry = AuditEntry(
            time: clock().millisecondsSince1970, actor: actor,
            isGranted ? .roleGranted : .roleRevoked, user, role.rawValue)
        return try await storage.set(role, isGranted: isGranted, of: user, entry)
    }

    /// Appends an action to the audit log.
    ///
    /// - Throws: `StorageError`.
    package func note(
        _ action: AuditEntry.Action, _ subject: String, _ detail: String = "", by actor: String,
        onlyIfNew: Bool = false
    ) async throws {
        try await storage.append(
            AuditEntry(
                time: clock().millisecondsSince1970, actor: actor, action, subject, detail),
            onlyIfNew: onlyIfNew)
    }

    /// Returns entries of the log, the newest first.
    ///
    /// - Parameters:
    ///   - number: The exclusive upper bound of entry numbers; `nil` for the newest.
    ///   - limit: The maximum number of entries, at most ``ServiceLimits/auditPageMax``.
    ///   - action: An action, or the first word of a group of actions; `nil` for all.
    /// - Returns: The entries; an empty list means the end.
    /// - Throws: `StorageError`.
    package func entries(
        before number: Int64? = nil, limit: Int = 100, action: String? = nil
    ) async throws -> [AuditEntry] {
        try await storage.entries(
            before: number, limit: min(max(limit, 1), ServiceLimits.auditPageMax), action: action)
    }

    /// Removes entries that are older than ``ServiceLimits/auditDays``.
    ///
    /// - Throws: `StorageError`.
    package func purge() async throws {
        try await storage.removeEntries(
            before: clock().millisecondsSince1970 - Int64(ServiceLimits.auditDays) * 86_400_000)
    }
}
