import GRDB

/// The deletion of an account: its intent is stored before the request to the server, and removed last.
extension UserStore {
    private static let intentPrefix = "deletion of "

    /// Stores the intent to delete a user's account.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`; send no request then.
    package func intendDeletion(of user: String) throws {
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'asked')",
                arguments: [Self.intentPrefix + user])
        }
    }

    /// Returns the users with a pending deletion of their account.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func intendedDeletions() throws -> [String] {
        try database.read(Self.intendedDeletions)
    }

    /// True while the user's account may be deleted on the server.
    static func isDeleting(_ user: String, in database: Database) throws -> Bool {
        try intendedDeletions(in: database).contains(user)
    }

    private static func intendedDeletions(in database: Database) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT name FROM setting WHERE name GLOB ? ORDER BY name",
            arguments: [intentPrefix + "*"]
        ).map { String($0.dropFirst(intentPrefix.count)) }
    }

    /// Removes a user whom the server has deleted; if it was the current one, the local user becomes current.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`; the copy remains then.
    package func removeDeleted(_ user: String) throws {
        try database.write { database in
            try Self.remove(user, in: database)
            // What was to move into it is deleted with it.
            for move in try Self.moves(in: database)
            where [move.source, move.target].contains(user) {
                try Self.removeMove(of: move.source, in: database)
            }
            try database.execute(
                sql: "DELETE FROM setting WHERE name = 'user' AND value = ?", arguments: [user])
        }
        try reload()
        effects.send([])
    }

    /// Removes the intent: the deletion is complete, or the server refused it.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func forgetDeletion(of user: String) throws {
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.intentPrefix + user])
        }
    }
}
