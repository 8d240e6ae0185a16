package import Foundation
import GRDB
import Tables

extension UserDatabase {
    /// Starts a new generation after the database was restored from a backup, so that every device of every account
    /// compares its data with the server's, and offers the data that the backup lacks.
    ///
    /// - Parameter now: The wall clock; the number grows with it, so that two restores of one backup get two
    ///   generations.
    /// - Returns: The number of the generation.
    /// - Throws: An error of the database.
    @discardableResult
    package func startGeneration(now: Date) throws -> Int64 {
        try connections.write { database in
            let text = try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = 'generation'")
            let known = text.flatMap { Int64($0) } ?? 0
            let generation = max(known + 1, Int64(now.timeIntervalSince1970))
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('generation', ?)",
                arguments: [String(generation)])
            return generation
        }
    }
}
