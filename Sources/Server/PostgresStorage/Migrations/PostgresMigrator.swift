import ContentDatabase
package import PostgresDriver

/// Brings a database up to date: forward only, each migration in a transaction of its own.
///
/// A migrator that is killed leaves whole migrations behind, and the next one continues. Two at once
/// wait for each other.
///
/// ```swift
/// let ran = try await pool.use { try PostgresMigrator().migrate($0) }
/// print(ran.isEmpty ? "nothing to do" : "ran \(ran.joined(separator: ", "))")
/// ```
package struct PostgresMigrator: Sendable {
    /// The key of the advisory lock, which is this program's own: "underway" in ASCII.
    private static let lock: Int64 = 0x756E_6465_7277_6179

    private let migrations: [PostgresMigration]

    /// Takes the migrations in order.
    package init(_ migrations: [PostgresMigration] = PostgresMigration.all) {
        self.migrations = migrations
    }

    /// Runs the migrations that the database lacks.
    ///
    /// - Parameter connection: A connection of a login that may create roles, or that is a member of `underway_owner`.
    /// - Returns: The names of those that ran.
    /// - Throws: `PostgresMigrationError` before anything is changed, or `PostgresError` of a statement; the migrations
    ///   before it stay.
    package func migrate(_ connection: PostgresConnection) throws -> [String] {
        try transaction(connection) {
            try connection.execute(script: PostgresRoles.roles)
            try connection.execute(script: PostgresRoles.schema)
            try connection.execute(script: PostgresRoles.tokenSubject)
            try connection.execute(script: ContentSchema.preparation)
            try Self.compare(migrations, with: Self.applied(connection))
        }
        return try migrations.filter { try run($0, connection) }.map(\.name)
    }

    /// Compares the database with the program, as the program's login.
    ///
    /// - Throws: `PostgresMigrationError`: the database lacks a migration, or has one of a later version.
    package func check(_ connection: PostgresConnection) throws {
        let isPrepared = try connection.query(
            """
            SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'underway' AND c.relname = 'migration') AS prepared
            """)
        guard try isPrepared.first?.value("prepared", as: Bool.self) == true else {
            throw PostgresMigrationError.missing(migrations.first?.name ?? "underway")
        }
        let applied = try connection.transaction { transaction in
            try transaction.pipeline([
                "SELECT set_config('role', 'underway_keeper', true)",
                "SELECT name, checksum FROM underway.migration",
            ]).last.map(Self.checksums) ?? [:]
        }
        try Self.compare(migrations, with: applied)
        if let missing = migrations.first(where: { applied[$0.name] == nil }) {
            throw PostgresMigrationError.missing(missing.name)
        }
    }

    // MARK: Steps

    /// Runs one migration, unless another migrator was first.
    private func run(_ migration: PostgresMigration, _ connection: PostgresConnection) throws
        -> Bool
    {
        try transaction(connection) {
            guard try Self.applied(connection)[migration.name] == nil else { return false }
            try connection.query("SET LOCAL ROLE underway_owner")
            try connection.execute(script: migration.script)
            try connection.query(
                """
                INSERT INTO underway.migration (name, checksum)
                VALUES (\(migration.name), \(migration.checksum))
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

    private static func applied(_ connection: PostgresConnection) throws -> [String: String] {
        try checksums(connection.query("SELECT name, checksum FROM underway.migration"))
    }

    private static func checksums(_ result: PostgresResult) throws -> [String: String] {
        try result.reduce(into: [:]) { all, row in
            all[try row.value("name")] = try row.value("checksum", as: String.self)
        }
    }

    /// Looks for what forward migrations cannot change.
    private static func compare(
        _ migrations: [PostgresMigration], with applied: [String: String]
    ) throws(PostgresMigrationError) {
        if let later = applied.keys.filter({ name in !migrations.contains { $0.name == name } })
            .min()
        {
            throw .later(later)
        }
        for migration in migrations {
            if let checksum = applied[migration.name], checksum != migration.checksum {
                throw .edited(migration.name)
            }
        }
    }
}

/// A difference between the migrations of the database and those of the program.
package enum PostgresMigrationError: Error, Hashable, CustomStringConvertible {
    /// The database lacks this migration.
    case missing(String)
    /// A later version of the program ran this migration.
    case later(String)
    /// The database ran another text under this name.
    case edited(String)

    /// The difference, and the remedy.
    package var description: String {
        switch self {
        case .missing(let name):
            "The database lacks the migration \"\(name)\". Run `underway db migrate` of this version."
        case .later(let name):
            "A later version of this program ran the migration \"\(name)\" on the database. Start that"
                + " version. Nothing was changed."
        case .edited(let name):
            "The migration \"\(name)\" on the database is not the one of this version. Start the version"
                + " that ran it. Nothing was changed."
        }
    }
}
