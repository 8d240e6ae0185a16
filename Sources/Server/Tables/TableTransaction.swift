package import GRDB
package import PostgresDriver

/// The transaction of a `TableDatabase`.
package final class TableTransaction {
    /// The transaction of a database.
    package enum Connection {
        case sqlite(Database)
        case postgres(PostgresTransaction)
    }

    /// The underlying transaction, for tables that the databases declare differently; on PostgreSQL only after a batch.
    package let connection: Connection
    /// The statements that are sent before the next batch.
    private var entry: [PostgresStatement] = []
    /// The number of the user's account, known after the first batch; `nil` for other roles.
    package private(set) var account: Int64?

    /// Wraps a transaction of SQLite, with the account's number for `{me}`.
    package init(_ database: Database, account: Int64? = nil) {
        connection = .sqlite(database)
        self.account = account
    }

    /// Wraps a transaction of PostgreSQL, in its current role.
    package init(_ transaction: PostgresTransaction) { connection = .postgres(transaction) }

    /// Switches to a role with the next batch, for the rest of the transaction; does nothing on SQLite.
    ///
    /// The user's account is known after that batch.
    ///
    /// - Parameters:
    ///   - role: The role, which determines the visible rows.
    ///   - writes: True to lock the user's account for writing.
    package func act(as role: TableRole, writes: Bool = true) {
        if case .postgres = connection { entry = role.entry(writes: writes) }
    }

    /// Executes statements in order: on PostgreSQL in one round trip, or none if there is nothing to send.
    ///
    /// - Returns: The rows of each statement.
    /// - Throws: The database's error for the first statement that fails.
    @discardableResult
    package func run(_ batch: [Bound]) throws -> [Rows] {
        try execute(batch) { $1.isEmpty ? [] : try $0.pipeline($1) }
    }

    /// Executes statements and commits: on PostgreSQL in one round trip, on SQLite after the closure returns.
    ///
    /// No statement may follow.
    ///
    /// - Returns: The rows of each statement.
    /// - Throws: The database's error for the first statement that fails.
    @discardableResult
    package func commit(after batch: [Bound] = []) throws -> [Rows] {
        try execute(batch) { try $0.commit(after: $1) }
    }

    private func execute(
        _ batch: [Bound],
        _ send: (PostgresTransaction, [PostgresStatement]) throws -> [PostgresResult]
    ) throws -> [Rows] {
        switch connection {
        case .sqlite(let database):
            return try batch.map { try $0.rows(in: database, account) }
        case .postgres(let transaction):
            let statements = batch.map(\.inPostgres)
            let results = try send(transaction, entry + statements.compactMap(\.self))
            var rows = results.dropFirst(entry.count).map { $0.map(TableRow.init) }[...]
            if let entered = results.prefix(entry.count).last, entered.columns == ["account"] {
                account = try entered.first?.value("account")
            }
            entry = []
            return statements.map { $0 == nil ? [] : rows.removeFirst() }
        }
    }
}

extension Bound {
    /// The statement for PostgreSQL; `nil` if there is nothing to do.
    package var inPostgres: PostgresStatement? {
        statement.postgres.map { text in
            PostgresStatement(
                sql: text.sql,
                text.parameters.map { $0.flatMap { value($0) }?.inPostgres ?? .null })
        }
    }

    /// Returns the statement for SQLite, with its values in the order of its parameters; `nil` for nothing to do.
    ///
    /// - Parameter account: The account's number for `{me}`.
    /// - Returns: The SQL and the values.
    package func inSQLite(
        _ account: Int64? = nil
    ) -> (sql: String, arguments: StatementArguments)? {
        statement.sqlite.map { ($0.sql, arguments($0, account)) }
    }

    fileprivate func rows(in database: Database, _ account: Int64?) throws -> Rows {
        guard let text = statement.sqlite else { return [] }
        let prepared = try database.cachedStatement(sql: text.sql)
        let result = SQLiteResult(prepared.columnNames)
        guard let rows else {
            try result.append(prepared, arguments(text, account))
            return result.rows
        }
        // The values of all rows are the same but for the columns.
        var values = text.parameters.map {
            $0.flatMap { self.values[$0] }?.inSQLite ?? account.databaseValue
        }
        let places = text.parameters.map { $0.flatMap { columns.firstIndex(of: $0) } }
        for row in rows {
            for (parameter, place) in places.enumerated() {
                if let place { values[parameter] = row[place].databaseValue }
            }
            try result.append(prepared, StatementArguments(values))
        }
        return result.rows
    }

    private func arguments(_ text: Statement.Text, _ account: Int64?) -> StatementArguments {
        StatementArguments(
            text.parameters.map { $0.flatMap(value)?.inSQLite ?? account.databaseValue })
    }
}
