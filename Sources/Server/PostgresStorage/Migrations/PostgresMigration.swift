import ContentDatabase
import Crypto
import Foundation

/// A step of the schema, which runs once, in a transaction of its own.
///
/// One that was released is never edited. Row level security binds the owner of the tables too, who
/// runs the script: to change rows, a script lifts `FORCE` for its own transaction.
///
/// ```swift
/// let migration = PostgresMigration(
///     name: "7 notes", script: "CREATE TABLE underway.note (account bigint NOT NULL)")
/// ```
package struct PostgresMigration: Sendable, Hashable {
    /// The number and the purpose; no two have the same name.
    package let name: String
    /// The statements, which the role `underway_owner` executes.
    package let script: String

    package init(name: String, script: String) {
        self.name = name
        self.script = script
    }

    /// The checksum of the script, in hexadecimal.
    var checksum: String {
        SHA256.hash(data: Data(script.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension PostgresMigration {
    /// The migrations of the database, in order: those of users' data, then those of content.
    package static let all: [PostgresMigration] =
        [LedgerMigration.ledger, AccountMigration.accounts]
        + ContentSchema.migrations.map { PostgresMigration(name: $0.name, script: $0.sql) }
        + [DifficultyMigration.difficulties]
}
