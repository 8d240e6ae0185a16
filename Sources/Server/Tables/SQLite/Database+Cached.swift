package import GRDB

extension Database {
    /// Executes a statement that is prepared once for the connection.
    ///
    /// - Throws: `DatabaseError`.
    package func execute(cached sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
