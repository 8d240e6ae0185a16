import DatabaseTestSupport
import Operations
import PostgresDriver
import Synchronization

/// A migrated database of users on a real server, before which processes of ours run.
struct UserDatabaseServer: Sendable {
    /// The server, which ends with its last reference.
    let host: PostgresServer
    /// The address of the superuser.
    let admin: PostgresAddress
    /// The address of the program's login.
    let login: PostgresAddress

    /// A server with a migrated database that is copied for each test.
    private final class Template: Sendable {
        let host: PostgresServer
        let name: String
        let copies = Atomic(0)

        init(_ host: PostgresServer, _ name: String) { (self.host, self.name) = (host, name) }
    }

    private static let template = Task {
        let host = try PostgresServer()
        return Template(host, try await migrate(host).database ?? "")
    }

    private static func migrate(_ host: PostgresServer) async throws -> PostgresAddress {
        let address = try await host.newDatabase("users")
        let pool = PostgresPool(PoolSettings(address))
        _ = try await pool.use { try PostgresMigrator().migrate($0) }
        await pool.close()
        if let database = address.database { try await host.openLogin(in: database) }
        return address
    }

    /// Makes an empty database on the server that these suites share.
    init() async throws {
        let template = try await Self.template.value
        let name = "copy_\(template.copies.add(1, ordering: .relaxed).newValue)"
        self.init(template.host, template.host.address(name))
        try await template.host.copyDatabase(template.name, to: name)
    }

    /// Makes an empty database on a server that a test disturbs.
    init(on host: PostgresServer) async throws {
        self.init(host, try await Self.migrate(host))
    }

    private init(_ host: PostgresServer, _ admin: PostgresAddress) {
        (self.host, self.admin) = (host, admin)
        login = host.address(admin.database ?? "", user: "underway_server")
    }

    /// Executes a script as superuser, whom no policy binds.
    func execute(_ script: String) async throws {
        try await host.execute(script, in: admin.database ?? "")
    }

    /// Reads the column `n` of the only row of a query, as superuser.
    func number(_ query: PostgresStatement) async throws -> Int {
        let pool = PostgresPool(PoolSettings(admin))
        let rows = try await pool.query(query)
        await pool.close()
        return try rows[0].value("n")
    }

    /// Returns the number of rows of a table, in all accounts.
    func count(_ table: String) async throws -> Int {
        try await number("SELECT count(*) AS n FROM underway.\(identifier: table)")
    }

    /// Sets a parameter of the program's sessions in this database, and ends those that it has.
    func set(_ parameter: String, to value: String) async throws {
        let name = admin.database ?? ""
        try await execute(
            """
            ALTER ROLE underway_server IN DATABASE "\(name)" SET \(parameter) = '\(value)';
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE usename = 'underway_server' AND datname = '\(name)';
            """)
    }
}
