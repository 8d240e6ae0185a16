import ContentDatabase
package import Foundation
import Ledger
package import PostgresDriver

/// The completed declaration that a database was restored from a backup.
///
/// ```swift
/// let declaration = try await RestoreDeclaration(pool, now: Date())
/// print(declaration.generation, declaration.contentEpoch)
/// ```
package struct RestoreDeclaration: Sendable, Hashable {
    /// The new generation of the server: each device compares its data, and sends what the backup lacks.
    package let generation: Int64
    /// The new epoch of the content tables: readers of changes read everything once.
    package let contentEpoch: String

    /// Declares the restore with the program's login; it may be repeated after an error.
    ///
    /// - Throws: `PostgresMigrationError` for a database of another version, before any change; `StorageError`,
    ///   `ContentDatabaseError` or `PostgresError`.
    package init(_ pool: PostgresPool, now: Date) async throws {
        try await pool.use { try PostgresMigrator().check($0) }
        generation = try await PostgresLedger(pool).startGeneration(now: now)
        contentEpoch = try await ContentTables(pool: pool).startEpoch()
    }
}
