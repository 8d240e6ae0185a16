import ContentDatabase
package import PostgresDriver
package import Tables

/// The upgrade of a database's schema: forward only, each migration in a transaction of its own.
///
/// A migrator that is killed leaves complete migrations behind, and the next one continues. Concurrent migrators wait
/// for each other. Servers of this and the earlier version keep running: a migration that waits for a table longer than
/// a second lets them go first, and retries.
///
/// ```swift
/// let ran = try await pool.use { try PostgresMigrator().migrate($0) }
/// print(ran.isEmpty ? "nothing to do" : "ran \(ran.joined(separator: ", "))")
/// ```
package struct PostgresMigrator: Sendable {
    /// The key of the advisory lock, which is this program's own: "underway" in ASCII.
    private static let lock: Int64 = 0x756E_6465_7277_6179
    /// The most times that a migration is tried while others use its tables.
    private static let attemptsMax = 60

    private let migrations: [PostgresMigration]

    /// Creates a migrator of migrations in order.
    package init(_ migrations: [PostgresMigration] = PostgresMigration.all) {
        self.migrations = migrations
    }

    /// Runs the migrations that the database lacks.
    ///
    /// - Parameter connection: A connection of a login that may create roles, or that is a member of `underway_owner`.
    /// - Returns: The names of the migrations that ran.
    /// - Throws: `PostgresMigrationError` before any change, or `PostgresError` of a statement; earlier migrations
    ///   stay committed.
    package func migrate(_ connection: PostgresConnection) throws -> [String] {
        try transaction(connection) {
            try connection.execute(script: PostgresRoles.roles)
            try connection.execute(script: PostgresRoles.objects)
            try connection.execute(script: PostgresRoles.schema)
            try connection.execute(script: PostgresRoles.tokenSubject)
            try connection.execute(script: ContentSchema.preparation)
            if let obstacle = try comparison(connection).obstacleToMigrating { throw obstacle }
        }
        return try migrations.filter { try run($0, connection) }.map(\.name)
    }

    /// Compares the database with the program in one round trip, with the program's login.
    ///
    /// Additions of a later version are compatible with this version.
    ///
    /// - Throws: `PostgresMigrationError` if the database lacks a migration or has a breaking one of a later version;
    ///   `PostgresError`.
    package func check(_ connection: PostgresConnection) throws {
        if let obstacle = try comparisonAsServer(connection).obstacleToServing { throw obstacle }
    }

    /// Returns the reason why the schema cannot serve; `nil` if it can.
    ///
    /// - Throws: `PostgresError`.
    package static func obstacle(_ connection: PostgresConnection) throws -> StorageObstacle? {
        do {
            try PostgresMigrator().check(connection)
            return nil
        } catch let error as PostgresMigrationError {
            return StorageObstacle(error.description)
        }
    }

    /// Compares as the program's login; without the table, all migrations are missing.
    func comparisonAsServer(_ connection: PostgresConnection) throws -> MigrationComparison {
        do {
            // Outside of a transaction both are one, in which the role is local.
            let results = try connection.pipeline([
                "SELECT set_config('role', 'underway_keeper', true)", MigrationComparison.statement,
            ])
            return try MigrationComparison(migrations, rows: results[1])
        } catch let error as PostgresError {
            guard [.undefinedTable, .invalidParameterValue].contains(error.code) else {
                throw error
            }
            return MigrationComparison(migrations, [:])
        }
    }

    private func comparison(_ connection: PostgresConnection) throws -> MigrationComparison {
        try MigrationComparison(
            migrations, rows: connection.query(MigrationComparison.statement))
    }

    // MARK: Steps

    /// Runs one migration, unless another migrator was first.
    private func run(_ migration: PostgresMigration, _ connection: PostgresConnection) throws
        -> Bool
    {
        var attempt = 1
        while true {
            do {
                return try attemptRun(migration, connection)
            } catch let error as PostgresError where error.isCollision {
                guard attempt < Self.attemptsMax else { throw error }
                attempt += 1
                try connection.query("SELECT pg_sleep(0.2 * random())")
            }
        }
    }

    private func attemptRun(
        _ migration: PostgresMigration, _ connection: PostgresConnection
    ) throws -> Bool {
        try transaction(connection) {
            let known: PostgresStatement =
                "SELECT FROM underway.migration WHERE name = \(migration.name)"
            guard try connection.query(known).isEmpty else { return false }
            // Whoever waits for a table makes all others wait behind it.
            try connection.pipeline([
                "SET LOCAL lock_timeout = '1s'", "SET LOCAL ROLE underway_owner",
            ])
            try connection.execute(script: migration.script)
            try connection.query(
                """
                INSERT INTO underway.migration (name, checksum, is_breaking)
                VALUES (\(migration.name), \(migration.checksum), \(migration.isBreaking))
                """)
            return true
        }
    }

    private func transaction<Value>(
        _ connection: PostgresConnection, _ body: () throws -> Value
    ) throws -> Value {
        try connection.pipeline(["BEGIN", "SELECT pg_advisory_xact_lock(\(Self.lock))"])
        do {
            let value = try body()
            try connection.query("COMMIT")
            return value
        } catch {
            // Why the body failed is what the caller has to know; a connection that is lost rolls back, too.
            _ = try? connection.query("ROLLBACK")
            throw error
        }
    }
}

extension PostgresError {
    /// True when other transactions were in the way.
    fileprivate var isCollision: Bool { code == .lockNotAvailable || code == .deadlock }
}

extension SQLState {
    /// A parameter that cannot have this value, such as a role that does not exist.
    fileprivate static let invalidParameterValue = SQLState(rawValue: "22023")
}
