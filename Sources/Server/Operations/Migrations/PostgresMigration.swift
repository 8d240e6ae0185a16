import Crypto
import Foundation

/// A step of the schema, which runs once, in a transaction of its own.
///
/// A released step is never edited. Row level security also binds the owner of the tables, who runs the script: to
/// change rows, a script lifts `FORCE` for its own transaction.
///
/// During a rolling upgrade, servers of the earlier version run on the later schema. A step therefore only adds:
/// tables, columns with a default, functions with the next version in their name, policies. A later release removes or
/// changes what earlier programs use, by a step that is marked as breaking.
///
/// ```swift
/// let added = PostgresMigration(
///     name: "0.2.0 notes", script: "CREATE TABLE underway.note (account bigint NOT NULL)")
/// let removed = PostgresMigration(
///     name: "0.3.0 first exchange", script: "DROP FUNCTION underway.ledger_open_1", isBreaking: true)
/// ```
package struct PostgresMigration: Sendable, Hashable {
    /// The first version that has the step, and its purpose; unique.
    package let name: String
    /// The statements, which the role `underway_owner` executes.
    package let script: String
    /// True when programs without the step cannot run on the new schema: they become unready, and do not start.
    package let isBreaking: Bool

    package init(name: String, script: String, isBreaking: Bool = false) {
        self.name = name
        self.script = script
        self.isBreaking = isBreaking
    }

    /// The checksum of the script, in hexadecimal.
    var checksum: String {
        SHA256.hash(data: Data(script.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension PostgresMigration {
    /// The migrations of the database, in the order in which they were released.
    package static let all = [baseline]
}
