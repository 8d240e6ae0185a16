package import GRDB
import Tables

extension SQLiteAccounts {
    package func detectRestore() async throws -> Bool {
        let file = try mark.read()
        // Without a file, a database in memory was not restored.
        if file == nil, mark.isAbsent { return false }
        return try await database.write { database in
            let comparison = MarkComparison(
                file: file, mark: try Setting.mark.read(in: database),
                generation: try Setting.readGeneration(in: database))
            if let next = comparison.nextGeneration {
                try Setting.generation.write(String(next), in: database)
            }
            return comparison.isRestored
        }
    }

    package func renewMark(now: Int64) async throws {
        guard mark.isDue(now: now) else { return }
        let (mark, next) = (mark, RandomText.make(bytes: 12))
        try await database.write { database in
            let known = try Setting.mark.read(in: database) ?? ""
            // The file first: whenever the server is killed, the file names the database's mark.
            try mark.write(
                InstanceMark.Contents(
                    mark: known, nextMark: next,
                    generation: try Setting.readGeneration(in: database)))
            try Setting.mark.write(next, in: database)
        }
        try await database.write { database in
            // Another server that starts while this one ends may have changed it meanwhile.
            try mark.write(
                InstanceMark.Contents(
                    mark: try Setting.mark.read(in: database) ?? "",
                    generation: try Setting.readGeneration(in: database)))
        }
    }

    package func revocations() async throws -> [Revocation] { journal.entries }

    package func compactRevocations(now: Int64) async throws {
        try journal.compact(now: now)
        let end = RevocationJournal.endOfAccounts(now: now)
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM account_move WHERE finished_at < ?", arguments: [end])
        }
    }
}

/// A key of the settings table.
package enum Setting: String {
    /// The mark that reveals a restored database.
    case mark = "instanceMark"
    /// The server's generation: 0, increased by each restore.
    case generation

    package func read(in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"),
            arguments: [rawValue])
    }

    package func write(_ value: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
            arguments: [rawValue, value])
    }

    package static func readGeneration(in database: Database) throws -> Int64 {
        try generation.read(in: database).flatMap { Int64($0) } ?? 0
    }
}
