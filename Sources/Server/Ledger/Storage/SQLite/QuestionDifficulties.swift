import GRDB
package import Tables

/// The difficulties of published questions in `users.sqlite`, by which statistics group answers.
///
/// PostgreSQL does not use them: its statistics read the content tables.
package struct QuestionDifficulties: Sendable {
    /// The questions of a bank.
    package struct Bank: Sendable, Hashable {
        /// The name of the bank, as in answers.
        package var name: String
        /// The checksum of the bank from which the difficulties were read.
        package var checksum: String
        /// The difficulty of each question, from 1, the easiest, to 5.
        package var difficulties: [String: Int]

        package init(name: String, checksum: String, difficulties: [String: Int]) {
            self.name = name
            self.checksum = checksum
            self.difficulties = difficulties
        }
    }

    private let database: UserDatabase

    package init(_ database: UserDatabase) { self.database = database }

    /// Returns the checksum of each bank whose difficulties are stored.
    ///
    /// - Throws: `StorageError`, or an error of the database.
    package func checksums() async throws -> [String: String] {
        try await database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT bank, checksum FROM difficulty_bank")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["bank"], $0["checksum"]) })
        }
    }

    /// Replaces the difficulties of banks, in one transaction.
    ///
    /// - Throws: `StorageError`, or an error of the database; nothing is changed then.
    package func replace(_ banks: [Bank]) async throws {
        try await database.write { database in
            for bank in banks { try Self.replace(bank, database) }
        }
    }

    /// Removes the difficulties of banks that are no longer published, in one transaction.
    ///
    /// - Throws: `StorageError`, or an error of the database; nothing is changed then.
    package func remove(_ banks: [String]) async throws {
        try await database.write { database in
            for bank in banks { try Self.remove(bank, database) }
        }
    }

    private static func remove(_ bank: String, _ database: Database) throws {
        for table in ["question_difficulty", "difficulty_bank"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE bank = ?", arguments: [bank])
        }
    }

    private static func replace(_ bank: Bank, _ database: Database) throws {
        try remove(bank.name, database)
        try database.execute(
            sql: "INSERT INTO difficulty_bank (bank, checksum) VALUES (?, ?)",
            arguments: [bank.name, bank.checksum])
        let insertion = try database.cachedStatement(
            sql: """
                INSERT INTO question_difficulty (bank, question, difficulty) VALUES (?, ?, ?)
                """)
        for (question, difficulty) in bank.difficulties {
            try insertion.execute(arguments: [bank.name, question, difficulty])
        }
    }
}
