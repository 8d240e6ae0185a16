import PostgresDriver

/// A transaction that has the users' data of a database for itself.
///
/// It runs as the owner of the tables, whom row level security binds as well: the session lifts that for itself, and
/// the locks of doing so keep everybody else away. `row_security` is off, so that a policy that still held would be
/// an error, and never a missing row.
struct PostgresCopySession {
    private let connection: PostgresConnection
    private let place: String

    init(_ connection: PostgresConnection, place: String) {
        self.connection = connection
        self.place = place
    }

    // MARK: The two sides

    /// Reads, and leaves the database as it is.
    func read<Value>(_ body: (PostgresCopy) throws -> Value) throws -> Value {
        try transaction { _ in
            let value = try body(PostgresCopy(connection))
            try connection.query("ROLLBACK")
            return value
        }
    }

    /// Writes into a database without users, and commits when `body` returns.
    func write<Value>(_ body: (PostgresCopy) throws -> Value) throws -> Value {
        try transaction { tables in
            try checkEmpty()
            let value = try body(PostgresCopy(connection))
            try connection.pipeline(
                tables.map { "ALTER TABLE underway.\(identifier: $0) FORCE ROW LEVEL SECURITY" })
            try commit()
            return value
        }
    }

    private func commit() throws {
        do {
            try connection.query("COMMIT")
        } catch let error as PostgresError where error.code.meansConnectionLost {
            throw CopyError(
                .inUse,
                "The connection to \(place) was lost while the copy was committed. Run it again: when it says"
                    + " that the target is not empty, everything was copied.", place: place)
        }
    }

    // MARK: Transaction

    private func transaction<Value>(_ body: ([String]) throws -> Value) throws -> Value {
        try connection.query("BEGIN")
        do {
            try begin()
            try checkVersion()
            try checkNoServer()
            return try body(liftSecurity())
        } catch {
            // Why the body failed is what the caller has to know; a connection that is lost rolls back, too.
            _ = try? connection.query("ROLLBACK")
            throw error
        }
    }

    private func begin() throws {
        do {
            try connection.pipeline([
                "SET LOCAL statement_timeout = 0",
                "SET LOCAL idle_in_transaction_session_timeout = 0",
                "SET LOCAL lock_timeout = '10s'", "SET LOCAL row_security = off",
                "SET LOCAL ROLE underway_owner",
            ])
        } catch let error as PostgresError where error.code == .insufficientPrivilege {
            throw CopyError(
                .wrongCredentials,
                "This login may not copy \(place). Use the one that runs `underway db migrate`: a"
                    + " member of underway_owner.", place: place)
        } catch let error as PostgresError where error.code.conditionClass == "22" {
            throw missingSchema
        }
    }

    private func checkVersion() throws {
        let comparison: MigrationComparison
        do {
            comparison = try MigrationComparison(
                PostgresMigration.all, rows: connection.query(MigrationComparison.statement))
        } catch let error as PostgresError
            where [.undefinedTable, .insufficientPrivilege].contains(error.code)
        {
            throw missingSchema
        }
        // What a later version added would be left behind.
        let further = comparison.later.first.map(PostgresMigrationError.later)
        if let obstacle = comparison.obstacleToServing ?? further { throw version(obstacle) }
    }

    private var missingSchema: CopyError {
        CopyError(
            .otherVersion,
            "\(place) has no tables of this program. Run `underway db migrate` first.", place: place
        )
    }

    private func version(_ error: PostgresMigrationError) -> CopyError {
        var advice = ""
        if case .missing = error { advice = " (`underway db migrate`)" }
        return CopyError(.otherVersion, "\(place): \(error)\(advice)", place: place)
    }

    /// Looks for processes of the program: what they wrote later would be at one of both places only.
    ///
    /// They log in as underway_server, or as another member of its roles, and never as a superuser.
    ///
    /// A session that was just closed is seen until its process has ended, so this waits for it for a while.
    private func checkNoServer() throws {
        var logins = try serverLogins()
        for _ in 0..<Self.endingSessionTries where !logins.isEmpty {
            _ = try connection.query("SELECT pg_sleep(0.1)")
            logins = try serverLogins()
        }
        guard logins.isEmpty else {
            throw inUse("\(logins.sorted().joined(separator: ", ")) is connected")
        }
    }

    /// Waits of a tenth of a second for sessions that are ending.
    private static let endingSessionTries = 50

    private func serverLogins() throws -> [String] {
        // Within a transaction PostgreSQL shows what it showed first, unless it is told to look again.
        _ = try connection.query("SELECT pg_stat_clear_snapshot()")
        return try connection.query(
            """
            SELECT DISTINCT r.rolname::text AS login
            FROM pg_catalog.pg_stat_activity a JOIN pg_catalog.pg_roles r ON r.oid = a.usesysid
            WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
                AND pg_has_role(r.oid, 'underway_keeper', 'member') AND NOT r.rolsuper
            """
        ).column("login", as: String.self)
    }

    private func inUse(_ what: String) -> CopyError {
        CopyError(
            .inUse,
            "\(place) is in use: \(what). Stop all servers, end what a pooler keeps open, and try again."
                + " Nothing was copied.", place: place)
    }

    /// Lifts row level security from the owner, and returns the tables that had it.
    private func liftSecurity() throws -> [String] {
        let tables = try connection.query(
            """
            SELECT relname::text AS name FROM pg_catalog.pg_class
            WHERE relnamespace = 'underway'::regnamespace AND relkind = 'r' AND relforcerowsecurity
            ORDER BY oid
            """
        ).column("name", as: String.self)
        do {
            try connection.pipeline(
                tables.map { "ALTER TABLE underway.\(identifier: $0) NO FORCE ROW LEVEL SECURITY" })
        } catch let error as PostgresError where error.code == .lockNotAvailable {
            throw inUse("another program, such as a backup, holds a table")
        }
        return tables
    }

    /// Looks for what a copy would add to; the key's print and marks of a server's first start do not count.
    private func checkEmpty() throws {
        let tables = ["account", "answer", "question_day", "question_domain", "revocation"]
        let conditions =
            tables.map { "EXISTS (SELECT FROM underway.\($0))" }
            + ["EXISTS (SELECT FROM underway.setting WHERE name = 'generation')"]
        let rows = try connection.query(
            PostgresStatement(sql: "SELECT \(conditions.joined(separator: " OR ")) AS has_data"))
        guard try rows.column("has_data", as: Bool.self) == [false] else {
            throw CopyError(
                .notEmpty,
                "\(place) is not empty. Make a new database, run `underway db migrate` on it, and copy into"
                    + " that. Nothing was copied.", place: place)
        }
    }
}
