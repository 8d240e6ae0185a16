import PostgresDriver

/// The rights and time limits of the login that a connection has.
struct LoginCheck: Sendable {
    /// The roles that a server takes.
    private static let needed = [
        "authenticated", "underway_accounts", "underway_keeper", ContentRole.publisher,
    ]
    /// The time limits that the login has, with those of `underway db migrate`.
    private static let limits = [
        ("statement_timeout", "5s"), ("lock_timeout", "2s"),
        ("idle_in_transaction_session_timeout", "10s"),
    ]

    private enum ContentRole { static let publisher = "underway_publisher" }

    private let name: String
    private let isSuperuser: Bool
    private let bypassesPolicies: Bool
    private let inherits: Bool
    private let isReadOnly: Bool
    private let roles: Set<String>
    private let unlimited: Set<String>
    private let database: String
    private let makesTemporaryTables: Bool
    private let largeObjectFunctions: [String]

    /// Reads them.
    init(_ connection: PostgresConnection) throws {
        let results = try connection.pipeline([
            """
            SELECT rolname::text AS name, rolsuper AS is_super, rolbypassrls AS bypasses,
                rolinherit AS inherits,
                current_setting('transaction_read_only') = 'on' AS is_read_only
            FROM pg_catalog.pg_roles WHERE rolname = session_user
            """,
            """
            SELECT rolname::text AS name FROM pg_catalog.pg_roles
            WHERE pg_catalog.pg_has_role(session_user, oid, 'member')
            """,
            """
            SELECT name FROM pg_catalog.pg_settings
            WHERE name = ANY (\(Self.limits.map(\.0))) AND setting = '0'
            """,
            """
            SELECT current_database()::text AS database,
                has_database_privilege(session_user, current_database(), 'temporary') AS makes_tables,
                ARRAY(SELECT oid::regprocedure::text FROM pg_catalog.pg_proc
                    WHERE pronamespace = 'pg_catalog'::regnamespace
                        AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea')
                        AND has_function_privilege(session_user, oid, 'execute')
                    ORDER BY 1) AS functions
            """,
        ])
        guard let row = results[0].first else {
            throw PostgresError(.protocolViolation, .executing)
        }
        name = try row.value("name")
        isSuperuser = try row.value("is_super")
        bypassesPolicies = try row.value("bypasses")
        inherits = try row.value("inherits")
        isReadOnly = try row.value("is_read_only")
        roles = Set(try results[1].column("name"))
        unlimited = Set(try results[2].column("name"))
        guard let objects = results[3].first else {
            throw PostgresError(.protocolViolation, .executing)
        }
        database = try objects.value("database")
        makesTemporaryTables = try objects.value("makes_tables")
        largeObjectFunctions = try objects.value("functions")
    }

    /// True when it may take the roles that the check needs.
    var canCheck: Bool { roles.isSuperset(of: ["authenticated", "underway_keeper"]) }

    var findings: [DatabaseFinding] { connectionFindings + rightFindings + limitFindings }

    private var connectionFindings: [DatabaseFinding] {
        guard isReadOnly else { return [] }
        return [
            DatabaseFinding(
                .connection, "database", "It is read-only, or a standby.",
                remedy: "Name the primary server, or add target_session_attrs=read-write to the"
                    + " address.")
        ]
    }

    private var rightFindings: [DatabaseFinding] {
        let server =
            "Let `underway serve` use the login underway_server, which `underway db migrate` makes."
        var found: [(problem: String, remedy: String)] = []
        let missing = Self.needed.filter { !roles.contains($0) }
        if !missing.isEmpty {
            found.append(
                (
                    "It is not a member of \(missing.joined(separator: ", ")).",
                    "Run `underway db migrate`. \(server)"
                ))
        }
        if isSuperuser {
            found.append(("It is a superuser, whom row level security does not bind.", server))
        } else if bypassesPolicies {
            found.append(
                (
                    "It bypasses row level security.", "Run: ALTER ROLE \(quotedName) NOBYPASSRLS;"
                ))
        } else if roles.contains("underway_owner") {
            found.append(
                ("It may change tables and policies: it is a member of underway_owner.", server))
        }
        if inherits, !isSuperuser {
            found.append(
                (
                    "It has the rights of all its roles at once, also before it takes one.",
                    "Run: ALTER ROLE \(quotedName) NOINHERIT;"
                ))
        }
        return found.map { DatabaseFinding(.login, "role \(name)", $0.problem, remedy: $0.remedy) }
    }

    /// The findings about objects that the login can create, which no policy or limit binds; a superuser has every
    /// right.
    ///
    /// A migration revokes these rights, so they prove nothing about a database that lacks a migration.
    var objectFindings: [DatabaseFinding] {
        guard !isSuperuser else { return [] }
        var found: [(problem: String, remedy: String)] = []
        if makesTemporaryTables {
            let name = PostgresStatement("\(identifier: database)").sql
            found.append(
                (
                    "It can make temporary tables.",
                    "Run as the owner of the database: REVOKE TEMPORARY ON DATABASE \(name) FROM PUBLIC;"
                ))
        }
        if !largeObjectFunctions.isEmpty {
            found.append(
                (
                    "It can make large objects.",
                    "Run as a superuser: REVOKE EXECUTE ON FUNCTION"
                        + " \(largeObjectFunctions.joined(separator: ", ")) FROM PUBLIC;"
                ))
        }
        return found.map { DatabaseFinding(.login, "role \(name)", $0.problem, remedy: $0.remedy) }
    }

    private var limitFindings: [DatabaseFinding] {
        Self.limits.filter { unlimited.contains($0.0) }.map { setting, value in
            DatabaseFinding(
                .timeouts, "role \(name)", "It has no \(setting).",
                remedy: "Run: ALTER ROLE \(quotedName) SET \(setting) = '\(value)';")
        }
    }

    private var quotedName: String { PostgresStatement("\(identifier: name)").sql }
}
