package import GRDB

extension Database {
    /// Executes a statement that the connection prepares once.
    ///
    /// - Throws: `DatabaseError`.
    package func execute(cached sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
