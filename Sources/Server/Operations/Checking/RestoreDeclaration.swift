import ContentDatabase
package import Foundation
import Ledger
package import PostgresDriver

/// The declaration that a database was restored from a backup, once it is made.
///
/// ```swift
/// let declaration = try await RestoreDeclaration(pool, now: Date())
/// print(declaration.generation, declaration.contentEpoch)
/// ```
package struct RestoreDeclaration: Sendable, Hashable {
    /// The server's generation: each device compares what it has, and sends what the backup lacks.
    package let generation: Int64
    /// The history of the tables of content: readers of changes read everything once.
    package let contentEpoch: String

    /// Declares the restore, as the program's login; again after a failure.
    ///
    /// - Throws: `PostgresMigrationError` for a database of another version, before anything is changed; `StorageError`,
    ///   `ContentDatabaseError` or `PostgresError`.
    package init(_ pool: PostgresPool, now: Date) async throws {
        try await pool.use { try PostgresMigrator().check($0) }
        generation = try await PostgresLedger(pool).startGeneration(now: now)
        contentEpoch = try await ContentTables(pool: pool).startEpoch()
    }
}
